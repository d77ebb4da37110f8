import { isUtf8 } from 'node:buffer'
import { BodyTooLarge, type Incoming, queryOf } from '../http'
import { OAuthError } from './errors'

/** Forms and scopes, parsed at the door; behind it a parameter is there or it is undefined. */

export const FORM_LIMIT_BYTES = 64 * 1024
export const SCOPE_LIMIT_BYTES = 4 * 1024
export const SCOPE_LIMIT_ITEMS = 100
const ITEM_LIMIT = 255
const PARAMETER_LIMIT = 100
const FORM_TYPE = 'application/x-www-form-urlencoded'
const MAY_REPEAT = new Set(['resource']) // RFC 8707 §2
const NOT_IN_QUERY = new Set([
  'client_id',
  'client_secret',
  'client_assertion',
  'code',
  'code_verifier',
  'refresh_token',
  'username',
  'password',
])
const SCOPE_ITEM = /^[\x21\x23-\x5B\x5D-\x7E]+$/ // RFC 6749 §3.3

export type Form = {
  get(name: string): string | undefined
  getAll(name: string): readonly string[]
}

export async function readForm(incoming: Incoming): Promise<Form> {
  refuseSecretsInQuery(incoming)
  if (!isForm(incoming)) throw new OAuthError('invalid_request', 'the body must be a form')
  const bytes = await readBody(incoming)
  if (!isUtf8(bytes)) throw new OAuthError('invalid_request', 'the form is not UTF-8')
  return parseForm(Buffer.from(bytes).toString('utf8'))
}

/** RFC 6749 §2.3.1: credentials never travel in the request URI. */
function refuseSecretsInQuery(incoming: Incoming): void {
  for (const name of new URLSearchParams(queryOf(incoming.url)).keys()) {
    if (NOT_IN_QUERY.has(name)) {
      throw new OAuthError('invalid_request', 'credentials and codes belong in the body')
    }
  }
}

function isForm({ headers }: Incoming): boolean {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  const encoding = headers.get('content-encoding') ?? 'identity'
  return type === FORM_TYPE && encoding === 'identity'
}

async function readBody(incoming: Incoming): Promise<Uint8Array> {
  try {
    return await incoming.body(FORM_LIMIT_BYTES)
  } catch (cause) {
    if (!(cause instanceof BodyTooLarge)) throw cause
    throw new OAuthError('request_too_large', 'the body is larger than 64 KiB', { cause })
  }
}

export function parseForm(text: string): Form {
  const values = new Map<string, string[]>()
  const pairs = text.split('&').filter((pair) => pair !== '')
  if (pairs.length > PARAMETER_LIMIT) {
    throw new OAuthError('invalid_request', 'there are too many parameters')
  }
  for (const pair of pairs) addPair(values, pair)
  return {
    get: (name) => values.get(name)?.[0],
    getAll: (name) => values.get(name) ?? [],
  }
}

function addPair(values: Map<string, string[]>, pair: string): void {
  const equals = pair.indexOf('=')
  const name = formDecode(equals === -1 ? pair : pair.slice(0, equals))
  const value = formDecode(equals === -1 ? '' : pair.slice(equals + 1))
  const known = values.get(name)
  if (known && !MAY_REPEAT.has(name)) {
    throw new OAuthError('invalid_request', 'a parameter is repeated') // RFC 6749 §3.2
  }
  // RFC 6749 §3.2: a parameter without a value counts as omitted, but it was there.
  values.set(name, [...(known ?? []), ...(value === '' ? [] : [value])])
}

function formDecode(text: string): string {
  const decoded = tryFormDecode(text)
  if (decoded === null) throw new OAuthError('invalid_request', 'the form is not well-formed')
  return decoded
}

/** Null for broken percent-encoding, broken UTF-8 or a NUL. */
export function tryFormDecode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return decoded.includes('\0') ? null : decoded
  } catch {
    return null
  }
}

/** The items asked for, in order and without repeats; null when nothing was asked for. */
export function parseScope(scope: string | undefined): string[] | null {
  if (scope === undefined) return null
  const items = [...new Set(scope.split(' ').filter((item) => item !== ''))]
  const tooMany = items.length > SCOPE_LIMIT_ITEMS || scope.length > SCOPE_LIMIT_BYTES
  if (tooMany || !items.every(isScopeItem)) {
    throw new OAuthError('invalid_scope', 'the scope is malformed or too long')
  }
  return items.length === 0 ? null : items
}

function isScopeItem(item: string): boolean {
  return item.length <= ITEM_LIMIT && SCOPE_ITEM.test(item)
}
