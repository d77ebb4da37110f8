import type { Question } from './decide-scopes'
import type { Context, Exchange } from './policy'

/**
 * What a decision about scopes was made on, as far as its audit entry does not say it: the entry has
 * the time, the application, the address, the grant type and the scopes with their outcomes. Names
 * are short and absent members cost nothing, because every token writes one.
 */

export type Basis = {
  /** The access key of a user's token; otherwise the entry names the client. */
  k?: string
  /** Audiences that the request named. */
  r?: readonly string[]
  /** Scopes that the user withheld. */
  w?: readonly string[]
  /** User agent; `uc` if it was cut off. */
  u?: string
  uc?: 1
  /** Of the sign-in: acr, amr, and its age in seconds. */
  c?: string
  m?: readonly string[]
  a?: number
  /** Digest of the user's attributes, so that a replay knows whether they are still the same. */
  d?: string
  x?: Exchange
  /** What the tokens that were exchanged carried. */
  l?: readonly (readonly string[])[]
  /** The grant type as conditions see it: a refresh has that of its sign-in. */
  g?: string
  /** Of a request that was refused: all scopes that it asked for. */
  s?: readonly string[]
  /**
   * The user was not admitted to the application, so the scopes were not decided; and the required
   * scopes that the user had said no to.
   */
  n?: 1
  q?: readonly string[]
}

const MAX_USER_AGENT_LENGTH = 200

/** `withheldRequired`: null if the user was admitted. */
type Refused = { withheldRequired: readonly string[] | null }

type Facts = {
  /** The request got no token, so its entry does not list the scopes. */
  refused?: Refused
  attributesDigest?: string | null
}

export function basisOf(question: Question, { refused, attributesDigest }: Facts = {}): Basis {
  const { accessKey, audiences, withheld, userId, context } = question
  const { request, auth } = context
  const notAdmitted = refused?.withheldRequired ?? null
  const hidden = withheld ? question.scopes.filter((scope) => withheld.has(scope)) : []
  return {
    ...(accessKey && userId !== null && { k: accessKey.id }),
    ...(audiences.length > 0 && { r: audiences }),
    ...(hidden.length > 0 && { w: hidden }),
    ...userAgentIn(request),
    ...(auth.acr !== undefined && { c: auth.acr }),
    ...(auth.amr !== undefined && { m: auth.amr }),
    ...(auth.age !== undefined && { a: auth.age }),
    ...(attributesDigest && { d: attributesDigest }),
    ...(request.exchange && { x: request.exchange }),
    ...(question.carried && { l: question.carried }),
    ...((refused || userId !== null) &&
      request.grant_type !== undefined && { g: request.grant_type }),
    ...(refused && { s: question.scopes }),
    ...(notAdmitted && { n: 1 as const }),
    ...(notAdmitted && notAdmitted.length > 0 && { q: notAdmitted }),
  }
}

function userAgentIn({ user_agent: text }: Context['request']): Pick<Basis, 'u' | 'uc'> {
  if (text === undefined) return {}
  if (text.length <= MAX_USER_AGENT_LENGTH) return { u: text }
  return { u: text.slice(0, MAX_USER_AGENT_LENGTH), uc: 1 }
}

/**
 * What a digest of attributes is made of; null for none. Of the user too, so that equal attributes
 * of two users are not seen to be equal. Independent of the order of members, which a database may
 * change.
 */
export function attributesText({ id, ...attributes }: Context['user']): string | null {
  const names = Object.keys(attributes)
  if (names.length === 0) return null
  return JSON.stringify([id, ...names.sort().map((name) => [name, attributes[name]])])
}

/** What was stored; null if it cannot be read. */
export function basisIn(text: string): Basis | null {
  try {
    const value: unknown = JSON.parse(text)
    // Only `basisOf` writes it.
    return typeof value === 'object' && value !== null ? (value as Basis) : null
  } catch {
    return null
  }
}

const NAMES: Readonly<Record<keyof Basis, string>> = {
  k: 'accessKey',
  r: 'resources',
  w: 'withheld',
  u: 'userAgent',
  uc: 'userAgentCut',
  c: 'acr',
  m: 'amr',
  a: 'authAge',
  d: 'attributesDigest',
  x: 'exchange',
  l: 'carried',
  g: 'grantType',
  s: 'scopes',
  n: 'notAdmitted',
  q: 'withheldRequired',
}

/** In words, for the user whom it is about. */
export function namedBasis(basis: Basis | null): Record<string, unknown> {
  const known = Object.entries(basis ?? {})
  return Object.fromEntries(known.map(([key, value]) => [NAMES[key as keyof Basis] ?? key, value]))
}
