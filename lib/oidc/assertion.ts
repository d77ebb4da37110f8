import {
  createLocalJWKSet,
  decodeJwt,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import type { Application } from './client'
import { paths } from './paths'
import type { Provider } from './provider'

/**
 * private_key_jwt (RFC 7523 §3): a client assertion names the client and the portal, is valid for a
 * short time and is used once.
 */

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
export const ASSERTION_ALGORITHMS = ['ES256', 'PS256', 'EdDSA', 'RS256']

const LONGEST_ASSERTION = 8 * 1024
const LONGEST_ID = 256
const SKEW_SECONDS = 10
const EARLIEST_SECONDS = 60
const LATEST_SECONDS = 5 * 60

/**
 * The client that an assertion claims to come from, before it is verified. Null if it is not a JWT.
 */
export function claimedClient(assertion: string): string | null {
  if (assertion.length > LONGEST_ASSERTION) return null
  try {
    return decodeJwt(assertion).sub ?? null
  } catch {
    return null
  }
}

/** True for the first use of a valid assertion, otherwise false. */
export async function provesByAssertion(
  op: Provider,
  application: Application,
  assertion: string,
): Promise<boolean> {
  const claims = await verified(op, application, assertion)
  if (!claims || !isWellTimed(op, claims)) return false
  const { jti, exp = 0 } = claims
  if (typeof jti !== 'string' || jti === '' || jti.length > LONGEST_ID) return false
  return op.assertions.consume(application.id, jti, new Date((exp + SKEW_SECONDS) * 1000))
}

async function verified(
  op: Provider,
  application: Application,
  assertion: string,
): Promise<JWTPayload | null> {
  const keys = keysOf(op, application)
  if (!keys) return null
  try {
    const { payload } = await jwtVerify(assertion, keys, {
      algorithms: ASSERTION_ALGORITHMS,
      issuer: application.id,
      subject: application.id,
      clockTolerance: EARLIEST_SECONDS, // isWellTimed is stricter and knows both directions
      currentDate: op.now(),
      requiredClaims: ['exp', 'jti', 'aud'],
    })
    return audiences(op, application).includes(payload.aud) ? payload : null
  } catch {
    return null
  }
}

function keysOf(op: Provider, { jwks, jwksUri }: Application): JWTVerifyGetKey | null {
  if (jwks) return createLocalJWKSet(jwks)
  return jwksUri === null ? null : op.remoteKeys(jwksUri)
}

/** One string, the issuer. Lists or other endpoints would allow audience injection. */
function audiences(op: Provider, { assertionAudience }: Application): unknown[] {
  return assertionAudience === 'issuer' ? [op.issuer] : [op.issuer, op.origin + paths.token]
}

function isWellTimed(op: Provider, { exp = 0, iat, nbf }: JWTPayload): boolean {
  const now = op.now().getTime() / 1000
  if (exp + SKEW_SECONDS <= now || exp > now + LATEST_SECONDS + SKEW_SECONDS) return false
  return (iat ?? now) <= now + EARLIEST_SECONDS && (nbf ?? now) <= now + EARLIEST_SECONDS
}
