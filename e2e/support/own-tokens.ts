import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { type Claims, type JwtType, signJwt } from '../../lib/crypto/jwt'
import type { Provider } from '../../lib/oidc/provider'

/** Tokens as the portal signs them, for steps that read one. */

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const KEY = { kid: 'test', alg: 'ES256', privateKey } as const
const JWK = { ...createPublicKey(privateKey).export({ format: 'jwk' }), kid: 'test', alg: 'ES256' }

export function sign(claims: Claims, type: JwtType = 'at+jwt'): Promise<string> {
  return signJwt(KEY, type, { iss: 'https://id.test', ...claims })
}

export const signedHere: Pick<Provider, 'publishedKeys'> = { publishedKeys: async () => [JWK] }
