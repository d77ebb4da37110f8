import { sign as signBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { SigningKey } from './keys'

/**
 * Compact JWS (RFC 7515). node:crypto's asynchronous sign costs two thirds of jose's SignJWT on the
 * token path, which is why this one function is ours; verification stays with jose.
 */

export type JwtType = 'at+jwt' | 'JWT' | 'logout+jwt'
export type Claims = Record<string, unknown>

const sign = promisify(signBytes) as (
  digest: string,
  data: Buffer,
  key: { key: SigningKey['privateKey']; dsaEncoding: 'ieee-p1363' },
) => Promise<Buffer>

export async function signJwt(key: SigningKey, typ: JwtType, claims: Claims): Promise<string> {
  const header = headerOf(key, typ)
  const body = Buffer.from(JSON.stringify(claims)).toString('base64url')
  const input = `${header}.${body}`
  const signature = await sign('sha256', Buffer.from(input), {
    key: key.privateKey,
    dsaEncoding: 'ieee-p1363', // RFC 7518 §3.4; ignored for RSA
  })
  return `${input}.${signature.toString('base64url')}`
}

const headers = new WeakMap<SigningKey, Map<JwtType, string>>()

function headerOf(key: SigningKey, typ: JwtType): string {
  const known = headers.get(key) ?? new Map<JwtType, string>()
  headers.set(key, known)
  const encoded = known.get(typ) ?? encodeHeader(key, typ)
  known.set(typ, encoded)
  return encoded
}

function encodeHeader({ alg, kid }: SigningKey, typ: JwtType): string {
  return Buffer.from(JSON.stringify({ alg, typ, kid })).toString('base64url')
}
