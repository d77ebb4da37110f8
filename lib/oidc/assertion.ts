import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  exportJWK,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import { type Application, ASSERTION_ALGORITHMS, assertionRules } from './client'
import { nameIn } from './params'
import { paths } from './paths'
import type { Provider } from './provider'
import { shown, shownText } from './refusal'
import type { ReasonOf, Refusal } from './refusal-reasons'

/**
 * private_key_jwt (RFC 7523 §3): a client assertion names the client and the portal, is valid for a
 * short time and is used once.
 */

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

const MAX_ASSERTION_LENGTH = 8 * 1024
const MAX_ID_LENGTH = 256
const SKEW_SECONDS = 10
const EARLIEST_SECONDS = 60

/**
 * The client that an assertion claims to come from, before it is verified. Null if it is not a JWT.
 */
export function claimedClient(assertion: string): string | null {
  if (assertion.length > MAX_ASSERTION_LENGTH) return null
  try {
    return nameIn(decodeJwt(assertion).sub) || null
  } catch {
    return null
  }
}

type Called = { assertion: string; endpoint: string }
type AssertionFault = Refusal<'invalid_client'>

/** The key of the client that signed it; `kid` as the client wrote it. */
export type AssertionKey = { thumbprint: string; kid: string | null }

/** The key that signed a valid assertion, at its first use; otherwise what is wrong with it. */
export async function proofByAssertion(
  op: Provider,
  application: Application,
  { assertion, endpoint }: Called,
): Promise<{ key: AssertionKey } | AssertionFault> {
  const keys = keysOf(op, application)
  if (!keys) return { reason: 'assertion_keys_missing' }
  const verified = await verify(op, application, assertion, keys)
  if ('reason' in verified) return verified
  const { claims, key } = verified
  const fault =
    audienceFault(op, application, endpoint, claims) ??
    timeFault(op, application, claims) ??
    (await idFault(op, application, claims))
  return fault ?? { key }
}

async function verify(
  op: Provider,
  application: Application,
  assertion: string,
  keys: JWTVerifyGetKey,
): Promise<{ claims: JWTPayload; key: AssertionKey } | AssertionFault> {
  const { assertionAlg } = application
  try {
    const { payload, protectedHeader, key } = await jwtVerify(assertion, keys, {
      algorithms: assertionAlg === null ? [...ASSERTION_ALGORITHMS] : [assertionAlg],
      issuer: application.id,
      subject: application.id,
      clockTolerance: EARLIEST_SECONDS, // timeFault is stricter and knows both directions
      currentDate: op.now(),
      requiredClaims: ['exp', 'jti', 'aud'],
    })
    const thumbprint = await calculateJwkThumbprint(await exportJWK(key))
    const { kid } = protectedHeader
    return { claims: payload, key: { thumbprint, kid: kid === undefined ? null : shownText(kid) } }
  } catch (error) {
    return faultOf(error, assertion)
  }
}

const FAULTS: Readonly<Record<string, ReasonOf<'invalid_client'>>> = {
  [errors.JOSEAlgNotAllowed.code]: 'assertion_algorithm',
  [errors.JWKSNoMatchingKey.code]: 'assertion_key_unknown',
  [errors.JWKSMultipleMatchingKeys.code]: 'assertion_key_unknown',
  [errors.JWSSignatureVerificationFailed.code]: 'assertion_signature',
  [errors.JWTExpired.code]: 'assertion_expired',
  [errors.JWSInvalid.code]: 'assertion_malformed',
  [errors.JWTInvalid.code]: 'assertion_malformed',
}
const CLAIM_FAULTS: Readonly<Record<string, ReasonOf<'invalid_client'>>> = {
  iss: 'assertion_issuer',
  sub: 'assertion_issuer',
  aud: 'assertion_audience',
  nbf: 'assertion_early',
  jti: 'assertion_id',
  exp: 'assertion_life',
}

/** Anything else comes from the request for its keys. */
function faultOf(error: unknown, assertion: string): AssertionFault {
  if (error instanceof errors.JWTClaimValidationFailed) {
    return { reason: CLAIM_FAULTS[error.claim] ?? 'assertion_malformed' }
  }
  const known = error instanceof errors.JOSEError ? FAULTS[error.code] : undefined
  if (!known) return { reason: 'assertion_keys_unreachable' }
  return { reason: known, facts: headerFacts(assertion) }
}

function headerFacts(assertion: string): Record<string, unknown> {
  try {
    const { alg, kid } = decodeProtectedHeader(assertion)
    return { ...(alg && { alg: shown(alg) }), ...(kid && { kid: shown(kid) }) }
  } catch {
    return {}
  }
}

function keysOf(
  op: Provider,
  { jwks, jwksUri, registration }: Application,
): JWTVerifyGetKey | null {
  if (jwks) return createLocalJWKSet(jwks)
  return jwksUri === null ? null : op.remoteKeys(jwksUri, registration)
}

/**
 * One string, the issuer, unless the application is set to more: with lists or other endpoints,
 * another server could pass on what was meant for it (RFC 7523bis §4).
 */
function audienceFault(
  op: Provider,
  application: Application,
  endpoint: string,
  { aud }: JWTPayload,
): AssertionFault | null {
  const { audience, list } = assertionRules(application)
  const accepted = {
    issuer: [op.issuer],
    token_endpoint: [op.issuer, op.origin + paths.token],
    endpoint: [op.issuer, op.origin + paths.token, endpoint],
  }[audience]
  const [only] = list && Array.isArray(aud) && aud.length === 1 ? aud : [aud]
  if (accepted.some((one) => one === only)) return null
  return { reason: 'assertion_audience', facts: { given: shown(aud), accepted, endpoint } }
}

function timeFault(
  op: Provider,
  application: Application,
  { exp = 0, iat, nbf }: JWTPayload,
): AssertionFault | null {
  const { seconds: longest } = assertionRules(application)
  const now = op.now().getTime() / 1000
  if (exp + SKEW_SECONDS <= now) return { reason: 'assertion_expired' }
  if (exp > now + longest + SKEW_SECONDS) {
    const seconds = Math.ceil(exp - now)
    return { reason: 'assertion_life', facts: { seconds, longest } }
  }
  const latest = now + EARLIEST_SECONDS
  return (iat ?? now) <= latest && (nbf ?? now) <= latest ? null : { reason: 'assertion_early' }
}

/** Single use (RFC 7523 §3). */
async function idFault(
  op: Provider,
  { id }: Application,
  { jti, exp = 0 }: JWTPayload,
): Promise<AssertionFault | null> {
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_ID_LENGTH) {
    return { reason: 'assertion_id' }
  }
  const isFirst = await op.assertions.consume(id, jti, new Date((exp + SKEW_SECONDS) * 1000))
  return isFirst ? null : { reason: 'assertion_replayed' }
}
