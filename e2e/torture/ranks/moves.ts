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
  | { do: 'lure'; application: string; client: string | null; mcp: boolean }
  /** A service exchanges a token of somebody. */
  | { do: 'exchange'; client: string; token: string }
  /** A client registers, with an initial access token or without. */
  | { do: 'register'; initial: string | null; asks: Asks }
  /** A client that a document at an address of its own describes. */
  | { do: 'publish'; asks: Asks }
  /** An agent calls a tool of the portal. */
  | { do: 'tool'; as: string; tool: string; given: Record<string, unknown> }
  /** The same call once more. */
  | { do: 'again'; change: string }
  /** The person answers whether a change of their agent is to be made. */
  | { do: 'answer'; change: string; yes: boolean }
  /** The person says something about the application that has their token. */
  | { do: 'say'; word: SaidWord; token: string }
  /** A person asks for a permission that they lack. */
  | { do: 'ask'; as: string; item: string }
  /** Somebody decides about what was asked for. */
  | { do: 'decide'; as: string; request: string; yes: boolean }
  /** Somebody ends what was approved. */
  | { do: 'take back'; as: string; request: string }
  /** Access is to be reviewed. */
  | { do: 'start review'; as: string; over: object; reviewers: string[] }
  /** Somebody decides about all that they can in a review, and closes it. */
  | { do: 'review'; as: string; review: string; decision: 'keep' | 'remove' }
  /** The owner takes away what the attacker was given. */
  | { do: 'demote' }
)

/** What a client says that it needs: nothing, everything of APIs, or also the portal. */
export type Asks = 'nothing' | 'items' | 'all'
export type SaidWord = 'pause' | 'resume' | 'narrow' | 'end'

export type CallMove = Extract<Move, { do: 'call' }>

export type DoneMove = { move: Move; outcome: string }

export function told({ move, outcome }: DoneMove): string {
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
      return `#${move.serial} somebody signs in to ${move.application}${move.mcp ? ' for /mcp' : ''}, and the attacker gets the token`
    case 'exchange':
      return `#${move.serial} ${move.client} exchanges the token of call ${move.token}`
    case 'register':
      return `#${move.serial} registers a client with ${move.initial ?? 'no token'}, and asks for ${move.asks}`
    case 'publish':
      return `#${move.serial} describes a client at its own site, and asks for ${move.asks}`
    case 'tool':
      return `#${move.serial} with the token of call ${move.as}: tool ${move.tool} ${toldBody(move.given)}`
    case 'again':
      return `#${move.serial} calls the tool of call ${move.change} again`
    case 'answer':
      return `#${move.serial} the person ${move.yes ? 'confirms' : 'declines'} the change of call ${move.change}`
    case 'say':
      return `#${move.serial} the person says ${move.word} about the application with the token of call ${move.token}`
    case 'ask':
      return `#${move.serial} as ${move.as}: asks for ${move.item}`
    case 'decide':
      return `#${move.serial} as ${move.as}: ${move.yes ? 'approves' : 'denies'} the request of call ${move.request}`
    case 'take back':
      return `#${move.serial} as ${move.as}: takes back what the request of call ${move.request} gave`
    case 'start review':
      return `#${move.serial} as ${move.as}: starts a review over ${toldBody(move.over)} by ${move.reviewers.join(', ')}`
    case 'review':
      return `#${move.serial} as ${move.as}: says ${move.decision} to all of the review of call ${move.review}, and closes it`
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
