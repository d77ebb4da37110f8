import { routes } from '../../../lib/api/table'

/** What an attacker does, as data: it can be printed, left out and done again in another world. */

export type Move = { serial: number } & (
  | {
      do: 'call'
      /** The one in whose name. */
      as: string
      route: string
      path: string
      body?: unknown
      /** With the token that it got at the very first. */
      old: boolean
    }
  /** A link that opens an account. */
  | { do: 'open link'; link: string }
  /** Asks for a letter, and reads it where the portal's mail comes by. */
  | { do: 'forgot'; user: string }
  /** The owner goes where a link to an application leads, and agrees. */
  | { do: 'lure'; application: string; client: string | null }
  /** The owner takes away what the attacker was given. */
  | { do: 'demote' }
)

export type CallMove = Extract<Move, { do: 'call' }>

export type Done = { move: Move; outcome: string }

export function told({ move, outcome }: Done): string {
  return `${toldMove(move)} -> ${outcome}`
}

function toldMove(move: Move): string {
  switch (move.do) {
    case 'call': {
      const body = move.body === undefined ? '' : ` ${toldBody(move.body)}`
      const who = move.as === 'me' ? '' : `as ${move.as}: `
      return `#${move.serial} ${who}${methodOf(move.route)} ${move.path}${body}${move.old ? ' (with its first token)' : ''}`
    }
    case 'open link':
      return `#${move.serial} opens the link of call ${move.link} and chooses a password`
    case 'forgot':
      return `#${move.serial} asks for a letter to ${move.user} and reads it`
    case 'lure':
      return `#${move.serial} the owner signs in to ${move.application}, which leads to the attacker`
    case 'demote':
      return `#${move.serial} the owner takes away what the attacker was given`
  }
}

function toldBody(body: unknown): string {
  return JSON.stringify(body).replace(/\{"keys":\[[^\]]*\]\}/, '"a key of its own"')
}

export function methodOf(id: string): string {
  return routes.find((route) => route.id === id)?.method ?? 'GET'
}
