import { z } from 'zod'
import { parsedJson } from '../base/json-text'
import { OAuthError } from './errors'
import { nameIn } from './params'

/** Claims requested by name, for the ID token or for userinfo (OpenID Connect Core §5.5). */

const MAX_LENGTH = 8 * 1024
const MAX_NAMES = 100
/** NUL and halves of characters, as JSON writes them. */
const UNSTORABLE = /\\u0000|\\ud[89a-f]/i

/** `value`, `values`: the claim is wanted only with one of these values (§5.5.1). */
const claimRequest = z
  .object({ essential: z.boolean(), value: z.unknown(), values: z.array(z.unknown()) })
  .partial()
  .nullable()

const namedClaims = z.record(z.string(), claimRequest)
export type NamedClaims = Readonly<Record<string, z.infer<typeof claimRequest>>>

const requested = z.object({ userinfo: namedClaims, id_token: namedClaims })
const written = requested.partial()

export type RequestedClaims = { userinfo: NamedClaims; id_token: NamedClaims }

export const NO_CLAIMS: RequestedClaims = { userinfo: {}, id_token: {} }

export function readClaims(text: string | undefined): RequestedClaims {
  if (text === undefined) return NO_CLAIMS
  if (text.length > MAX_LENGTH) throw invalid('claims is too long')
  const parsed = written.safeParse(parsedJson(text))
  if (!parsed.success) throw invalid('claims is not valid JSON of the expected form')
  if (UNSTORABLE.test(JSON.stringify(parsed.data))) throw invalid('claims contains a bad character')
  const { userinfo = {}, id_token = {} } = parsed.data
  if (Object.keys(userinfo).length + Object.keys(id_token).length > MAX_NAMES) {
    throw invalid('claims requests too many claims')
  }
  return { userinfo, id_token }
}

/** As it is stored with a code or a token grant. Earlier versions stored names for userinfo. */
export const storedClaims = z.union([
  z.array(z.string()).transform((names) => ({ userinfo: plainly(names), id_token: {} })),
  requested,
])

/** So that earlier versions can read it: a list, if there is nothing that they do not know. */
export function toStored({ userinfo, id_token }: RequestedClaims): object {
  const simple = Object.values({ ...userinfo, ...id_token }).every((one) => one === null)
  if (simple && Object.keys(id_token).length === 0) return Object.keys(userinfo)
  return { userinfo, id_token }
}

function plainly(names: readonly string[]): NamedClaims {
  return Object.fromEntries(names.map((name) => [name, null]))
}

/** `sub` with a value names the user who has to be signed in (§5.5.1), like `id_token_hint`. */
export function requestedSubject({ userinfo, id_token }: RequestedClaims): string | null {
  const value = id_token.sub?.value ?? userinfo.sub?.value
  return nameIn(value) || null
}

/** Whether the claim may have any value, or has one of those that were asked for. */
export function isWanted(request: NamedClaims[string], value: unknown): boolean {
  const values = [
    ...(request?.values ?? []),
    ...('value' in (request ?? {}) ? [request?.value] : []),
  ]
  return values.length === 0 || values.some((one) => JSON.stringify(one) === JSON.stringify(value))
}

function invalid(description: string): OAuthError {
  return new OAuthError('invalid_request', description, 'claims_parameter')
}
