import { earliest } from '../access/held-until'
import type { Api, Item, Policy } from '../access/policy'
import { audienceOf } from '../access/resource'
import { signJwt } from '../crypto/jwt'
import type { SigningAlgorithm } from '../crypto/keys'
import type { Client } from './client'
import type { Provider } from './provider'

const DEFAULT_ACCESS_TOKEN_SECONDS = 3600

type AccessTokenInput = {
  client: Pick<Client, 'id' | 'application' | 'accessKey'>
  subject: string
  scopes: readonly string[]
  policy: Policy
  /** What the request named with `resource` (RFC 8707); absent or empty for any. */
  audiences?: readonly string[]
  tokenId: string
  /** When what the token rests on ends by itself; null for never. */
  until: number | null
  /** Claims beyond RFC 9068: the token grant and the session of a user's token. */
  claims?: Record<string, unknown>
  /** It expires no later than this, in seconds. */
  notAfter?: number
}

type IssuedAccessToken = { token: string; expiresIn: number }

/** A JWT access token (RFC 9068). */
export async function issueAccessToken(
  op: Provider,
  input: AccessTokenInput,
): Promise<IssuedAccessToken> {
  const claims = accessTokenClaims(op, input)
  const { alg, typ } = headerFor(input)
  const token = await signJwt(await op.signingKey(alg), typ, claims)
  return { token, expiresIn: claims.exp - claims.iat }
}

type Header = { alg: SigningAlgorithm; typ: 'at+jwt' | 'JWT' }

/**
 * The algorithm that the API sets; otherwise that of the application. The type `JWT` if one of the
 * APIs or the application needs it.
 */
function headerFor({ client: { application }, policy, scopes }: AccessTokenInput): Header {
  const apis = apisOf(policy, scopes)
  const wanted = apis.find(({ tokenAlg }) => tokenAlg !== null)?.tokenAlg
  const isPlain = apis.some(({ tokenType }) => tokenType === 'JWT')
  return {
    alg: wanted ?? application.accessTokenAlg,
    typ: isPlain ? 'JWT' : application.accessTokenType,
  }
}

/** The claims of the token. A dry run shows them without signing. */
export function accessTokenClaims(
  op: Provider,
  { client, subject, scopes, policy, tokenId, until, claims, ...input }: AccessTokenInput,
) {
  const apis = apisOf(policy, scopes)
  const iat = Math.floor(op.now().getTime() / 1000)
  return {
    iss: op.issuer,
    sub: subject,
    aud: audOf(
      op,
      apis.map((api) => audienceOf(policy, api, input.audiences ?? [])),
    ),
    client_id: client.id,
    scope: scopes.join(' '),
    jti: tokenId,
    iat,
    exp: Math.min(
      endOfToken(iat, lifetimeOf(client, apis), earliest([until, endOfKey(client)])),
      input.notAfter ?? Infinity,
    ),
    ...claims,
  }
}

function apisOf(policy: Policy, scopes: readonly string[]): Api[] {
  const items = scopes.map((scope) => policy.items.get(scope))
  return [
    ...new Set(items.filter((item): item is Item => item !== undefined).map(({ api }) => api)),
  ]
}

/** One API: its audience as a string. Several: a list. None: the portal itself. */
function audOf(op: Provider, audiences: string[]): string | string[] {
  return audiences.length > 1 ? audiences : (audiences[0] ?? op.issuer)
}

/** The shortest lifetime that the APIs and the access key allow. */
function lifetimeOf({ accessKey }: Pick<Client, 'accessKey'>, apis: Api[]): number {
  const limits = [...apis.map((api) => api.tokenSeconds), accessKey?.tokenSeconds ?? []].flat()
  return limits.length > 0 ? Math.min(...limits) : DEFAULT_ACCESS_TOKEN_SECONDS
}

/** A token that was issued to an access key ends with the key. */
function endOfKey({ accessKey }: Pick<Client, 'accessKey'>): number | null {
  return accessKey?.expiresAt ?? null
}

/** At least a second, as a token is good for whole seconds. */
function endOfToken(iat: number, seconds: number, until: number | null): number {
  const end = iat + seconds
  return until === null ? end : Math.min(end, Math.max(iat + 1, Math.floor(until / 1000)))
}
