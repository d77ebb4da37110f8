import { isUtf8 } from 'node:buffer'
import { BodyTooLarge, type Incoming, queryOf } from '../base/http'
import { OAuthError } from './errors'

/** Parses forms and scopes once. After that, a parameter is present or undefined. */

const FORM_LIMIT_BYTES = 64 * 1024
const SCOPE_LIMIT_BYTES = 4 * 1024
const SCOPE_LIMIT_ITEMS = 100
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
  'device_code',
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
  return parseForm(await readFormText(incoming))
}

export async function readFormText(incoming: Incoming): Promise<string> {
  if (!isForm(incoming))
    throw new OAuthError(
      'invalid_request',
      'the body must be application/x-www-form-urlencoded',
      'body_type',
    )
  const bytes = await readBody(incoming)
  if (!isUtf8(bytes))
    throw new OAuthError('invalid_request', 'the form is not UTF-8', 'form_malformed')
  return Buffer.from(bytes).toString('utf8')
}

/** RFC 6749 §2.3.1: credentials must not be sent in the URL. */
function refuseSecretsInQuery(incoming: Incoming): void {
  const query = queryOf(incoming.url)
  if (query === '') return
  for (const name of new URLSearchParams(query).keys()) {
    if (NOT_IN_QUERY.has(name)) {
      throw new OAuthError(
        'invalid_request',
        'send credentials and codes in the body, not in the URL',
        'secret_in_url',
      )
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
    throw new OAuthError('request_too_large', 'the body is larger than 64 KiB', 'body_too_large', {
      cause,
    })
  }
}

export function parseForm(text: string): Form {
  const values = parsePairs(text)
  requireFewValues(values)
  for (const [name, given] of values) {
    if (hasNul(name) || given.some(hasNul)) throw malformed()
    if (given.length > 1 && !MAY_REPEAT.has(name)) throw repeated() // RFC 6749 §3.2
  }
  return formOf(values)
}

export function requireFewValues(values: ReadonlyMap<string, readonly string[]>): void {
  let count = 0
  for (const given of values.values()) count += given.length
  if (count <= PARAMETER_LIMIT) return
  throw new OAuthError('invalid_request', 'there are too many parameters', 'too_many_parameters')
}

/** RFC 6749 §3.2: a parameter without a value counts as omitted. */
export function formOf(values: Map<string, string[]>): Form {
  const isPresent = (value: string) => value !== ''
  return {
    get: (name) => values.get(name)?.find(isPresent),
    getAll: (name) => values.get(name)?.filter(isPresent) ?? [],
  }
}

/** Every value of every parameter, in order; the caller decides what may be repeated. */
export function parsePairs(text: string): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = formDecode(equals === -1 ? pair : pair.slice(0, equals))
    const value = formDecode(equals === -1 ? '' : pair.slice(equals + 1))
    const before = values.get(name)
    if (before) before.push(value)
    else values.set(name, [value])
  }
  return values
}

export function repeatedParameters(values: Map<string, string[]>): string[] {
  return [...values]
    .filter(([name, given]) => given.length > 1 && !MAY_REPEAT.has(name))
    .map(([name]) => name)
}

export function repeated(): OAuthError {
  return new OAuthError('invalid_request', 'a parameter is repeated', 'parameter_repeated')
}

function malformed(): OAuthError {
  return new OAuthError('invalid_request', 'the form is malformed', 'form_malformed')
}

function formDecode(text: string): string {
  const decoded = tryFormDecode(text)
  if (decoded === null) throw malformed()
  return decoded
}

/** Null for invalid percent-encoding or invalid UTF-8. */
export function tryFormDecode(text: string): string | null {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

export function hasNul(text: string): boolean {
  return text.includes('\0')
}

/** The scopes of the request, in order and without duplicates; null if the parameter is missing. */
export function parseScope(scope: string | undefined): string[] | null {
  if (scope === undefined) return null
  const items = [...new Set(scope.split(' ').filter((item) => item !== ''))]
  const tooMany = items.length > SCOPE_LIMIT_ITEMS || scope.length > SCOPE_LIMIT_BYTES
  if (tooMany || !items.every(isScopeItem)) {
    throw new OAuthError('invalid_scope', 'the scope is malformed or too long', 'scope_malformed')
  }
  return items.length === 0 ? null : items
}

function isScopeItem(item: string): boolean {
  return item.length <= ITEM_LIMIT && SCOPE_ITEM.test(item)
}

const MAX_NAME_LENGTH = 255

/** The ID of a client as it can be looked up: empty if no client can have it. */
export function nameIn(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_NAME_LENGTH) return ''
  return hasNul(value) || !value.isWellFormed() ? '' : value
}

/** Never truncated: a value is returned unchanged, or the request is refused. */
export function limitedTo(most: number, value: string | undefined): string | null {
  if (value === undefined) return null
  if (value.length > most)
    throw new OAuthError('invalid_request', 'a parameter is too long', 'parameter_too_long')
  if (hasNul(value)) throw malformed()
  return value
}
