import {
  createPublicKey,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'jose'
import type { SigningKey } from './keys'

/**
 * Compact JWS (RFC 7515) of the portal's own tokens, signed and verified with node:crypto: a
 * signature takes two thirds of the time of jose's SignJWT, and verifying one two thirds of jose's
 * compactVerify. What others sign is left to jose.
 */

const JWT_TYPES = ['at+jwt', 'JWT', 'logout+jwt'] as const
export type JwtType = (typeof JWT_TYPES)[number]
export type Claims = Record<string, unknown>

type SignOptions = { key: SigningKey['privateKey']; dsaEncoding: 'ieee-p1363' }

const signElsewhere = promisify(signBytes) as (
  digest: string,
  data: Buffer,
  key: SignOptions,
) => Promise<Buffer>

/** Without a type, it is never accepted here as one of the portal's own tokens: see `jwtVerifier`. */
export async function signJwt(
  key: SigningKey,
  typ: JwtType | null,
  claims: Claims,
): Promise<string> {
  const header = headerOf(key, typ)
  const body = Buffer.from(JSON.stringify(claims)).toString('base64url')
  const input = `${header}.${body}`
  const signature = await sign(key, Buffer.from(input))
  return `${input}.${signature.toString('base64url')}`
}

/** ES256 takes less time than a switch to another thread; RS256 would block other requests. */
function sign({ alg, privateKey }: SigningKey, input: Buffer): Buffer | Promise<Buffer> {
  const options: SignOptions = { key: privateKey, dsaEncoding: 'ieee-p1363' } // RFC 7518 §3.4; ignored for RSA
  return alg === 'ES256'
    ? signBytes('sha256', input, options)
    : signElsewhere('sha256', input, options)
}

const headers = new WeakMap<SigningKey, Map<JwtType | null, string>>()

function headerOf(key: SigningKey, typ: JwtType | null): string {
  const known = headers.get(key) ?? new Map<JwtType | null, string>()
  headers.set(key, known)
  const encoded = known.get(typ) ?? encodeHeader(key, typ)
  known.set(typ, encoded)
  return encoded
}

function encodeHeader({ alg, kid }: Pick<JWK, 'alg' | 'kid'>, typ: JwtType | null): string {
  return Buffer.from(JSON.stringify({ alg, ...(typ && { typ }), kid })).toString('base64url')
}

/** The payload of a token that one of these keys signed, as text; null for everything else. */
export type VerifyJwt = (token: string) => { typ: JwtType; payload: string } | null

/**
 * The header must be, byte for byte, one that the portal writes for one of these keys. So a token
 * cannot choose an algorithm or a key in any other way, and no header has to be parsed.
 */
export function jwtVerifier(keys: readonly JWK[]): VerifyJwt {
  const known = new Map<string, { typ: JwtType; key: KeyObject }>()
  for (const jwk of keys) {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    for (const typ of JWT_TYPES) known.set(encodeHeader(jwk, typ), { typ, key })
  }
  return (token) => {
    const [header = '', body = '', signature = '', ...more] = token.split('.')
    const signer = known.get(header)
    if (!signer || more.length > 0) return null
    const isSigned = isSignedBy(signer.key, `${header}.${body}`, signature)
    return isSigned ? { typ: signer.typ, payload: Buffer.from(body, 'base64url').toString() } : null
  }
}

function isSignedBy(key: KeyObject, input: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64url')
  // Node also decodes other spellings of the same bytes; a token has one (RFC 7515 §2).
  if (bytes.toString('base64url') !== signature) return false
  return verifyBytes('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }, bytes)
}
