import { createHash } from 'node:crypto'
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
  /** Of a request that was refused: all scopes that it asked for, and the grant type. */
  s?: readonly string[]
  g?: string
  /** The user was not admitted to the application, so the scopes were not decided. */
  n?: 1
}

const LONGEST_USER_AGENT = 200

type Refused = { scopes: readonly string[]; admitted: boolean }

/** `refused`: the request got no token, so its entry does not list the scopes. */
export function basisOf(question: Question, refused: Refused | null = null): Basis {
  const { accessKey, audiences, withheld, userId, context } = question
  const { request, auth, user } = context
  const hidden = withheld ? question.scopes.filter((scope) => withheld.has(scope)) : []
  return {
    ...(accessKey && userId !== null && { k: accessKey.id }),
    ...(audiences.length > 0 && { r: audiences }),
    ...(hidden.length > 0 && { w: hidden }),
    ...userAgentIn(request),
    ...(auth.acr !== undefined && { c: auth.acr }),
    ...(auth.amr !== undefined && { m: auth.amr }),
    ...(auth.age !== undefined && { a: auth.age }),
    ...(userId !== null && attributesDigest(user)),
    ...(request.exchange && { x: request.exchange }),
    ...(refused && { s: refused.scopes }),
    ...(refused && request.grant_type !== undefined && { g: request.grant_type }),
    ...(refused && !refused.admitted && { n: 1 as const }),
  }
}

function userAgentIn({ user_agent: text }: Context['request']): Pick<Basis, 'u' | 'uc'> {
  if (text === undefined) return {}
  if (text.length <= LONGEST_USER_AGENT) return { u: text }
  return { u: text.slice(0, LONGEST_USER_AGENT), uc: 1 }
}

function attributesDigest(user: Context['user']): Pick<Basis, 'd'> {
  const { id: _id, ...attributes } = user
  const digest = digestOf(attributes)
  return digest === null ? {} : { d: digest }
}

/** Null for no attributes. Independent of the order of members, which a database may change. */
export function digestOf(attributes: Readonly<Record<string, unknown>>): string | null {
  const names = Object.keys(attributes)
  if (names.length === 0) return null
  const text = JSON.stringify(names.sort().map((name) => [name, attributes[name]]))
  return createHash('sha256').update(text).digest('base64url').slice(0, 10)
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
  s: 'scopes',
  g: 'grantType',
  n: 'notAdmitted',
}

/** In words, for the user whom it is about. */
export function namedBasis(basis: Basis | null): Record<string, unknown> {
  const known = Object.entries(basis ?? {})
  return Object.fromEntries(known.map(([key, value]) => [NAMES[key as keyof Basis] ?? key, value]))
}
