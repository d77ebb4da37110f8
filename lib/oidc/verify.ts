import type { JWK } from 'jose'
import { forgetOldest } from '../base/forget-oldest'
import { jsonObject } from '../base/json-text'
import { onceFor } from '../base/once-for'
import { type JwtType, jwtVerifier } from '../crypto/jwt'
import { OAuthError } from './errors'
import type { Form } from './params'
import type { Provider } from './provider'

/**
 * Tokens that come back to the portal: signed by one of its keys, of the right kind, from this
 * issuer.
 */

export type VerifiedClaims = Record<string, unknown>

export const MAX_TOKEN_LENGTH = 8 * 1024

type TokenUse = 'access_token' | 'id_token' | 'logout_token'
type OwnToken = { use: TokenUse; claims: VerifiedClaims }

export async function verifyOwn(
  op: Provider,
  use: TokenUse,
  token: string,
): Promise<VerifiedClaims | null> {
  const own = await readOwn(op, token)
  return own?.use === use ? own.claims : null
}

/** Null for everything else. Does not check expiry. */
export async function readOwn(op: Provider, token: string): Promise<OwnToken | null> {
  if (token.length > MAX_TOKEN_LENGTH) return null
  const keys = await op.publishedKeys()
  const verified = seenOf(keys).get(token) ?? verifySigned(keys, token)
  return verified?.claims.iss === op.issuer ? verified : null
}

/**
 * Some applications have access tokens of the type `JWT`, like ID tokens. Only access tokens name
 * their client (RFC 9068 §2.2); no claim of an ID token can have this name.
 */
function usageOf(typ: JwtType, claims: VerifiedClaims): TokenUse {
  if (typ === 'logout+jwt') return 'logout_token'
  return typ === 'at+jwt' || Object.hasOwn(claims, 'client_id') ? 'access_token' : 'id_token'
}

/**
 * Null unless one of these keys signed it and the portal serialised it. On this thread: handing a
 * signature to another one takes longer than waiting for it.
 */
function verifySigned(keys: JWK[], token: string): OwnToken | null {
  const signed = verifierOf(keys)(token)
  const claims = signed && parseOwn(signed.payload)
  if (!claims) return null
  const verified = { use: usageOf(signed.typ, claims), claims: Object.freeze(claims) }
  remember(seenOf(keys), token, verified)
  return verified
}

/**
 * Verified signatures are cached until the signing keys change. Whether the token is still valid is
 * checked every time.
 */
const seenOf = onceFor((_keys: JWK[]) => new Map<string, OwnToken>())
const MAX_SEEN = 2_000

function remember(known: Map<string, OwnToken>, token: string, verified: OwnToken): void {
  known.set(token, verified)
  if (known.size > MAX_SEEN) forgetOldest(known)
}

/** Keys are imported once, not for every token. */
const verifierOf = onceFor((keys: JWK[]) => jwtVerifier(keys))

/**
 * The portal signs what JSON.stringify writes. Other JSON could contain a member twice, which
 * readers understand differently.
 */
function parseOwn(text: string): VerifiedClaims | null {
  const value = jsonObject(text)
  return value && JSON.stringify(value) === text ? value : null
}

/** A valid access token of this portal that has not expired. */
export async function verifyAccessToken(
  op: Provider,
  token: string,
): Promise<VerifiedClaims | null> {
  const claims = await verifyOwn(op, 'access_token', token)
  const expiresAt = claims?.exp
  return typeof expiresAt === 'number' && expiresAt * 1000 > op.now().getTime() ? claims : null
}

/** Why `verifyAccessToken` returned null. */
export async function whyNoAccessToken(
  op: Provider,
  token: string,
): Promise<'access_token_invalid' | 'access_token_expired'> {
  const claims = await verifyOwn(op, 'access_token', token)
  return claims ? 'access_token_expired' : 'access_token_invalid'
}

/** OpenID Connect Core §3.1.2.1: an expired hint still names its user. */
export async function readIdTokenHint(
  op: Provider,
  applicationId: string,
  form: Form,
): Promise<string | null> {
  const hint = form.get('id_token_hint')
  if (hint === undefined) return null
  const claims = await verifyOwn(op, 'id_token', hint)
  // The audience is a client_id: the application's, or that of one of its access keys.
  const clientId = String(claims?.aud)
  const { credentials } = await op.snapshot({ clients: [clientId] })
  const audience = credentials.get(clientId)?.application.id
  if (audience !== applicationId || typeof claims?.sub !== 'string') {
    throw new OAuthError(
      'invalid_request',
      'id_token_hint was not issued by this portal for the application',
      'id_token_hint',
    )
  }
  return claims.sub
}
