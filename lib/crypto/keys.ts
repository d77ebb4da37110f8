import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose'
import { seal, unseal } from './seal'

/** Signing keys: made here, sealed at rest, opened once per process. */

export const SIGNING_ALGORITHMS = ['ES256', 'RS256'] as const
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number]

const RSA_BITS = 2048

export type KeyState = 'staged' | 'active' | 'retiring' | 'revoked'

/** A key as it is stored. */
export type StoredKey = {
  kid: string
  alg: SigningAlgorithm
  state: KeyState
  publicJwk: JWK
  privateSealed: string
  /** When it began to sign, or will. */
  activatesAt: Date
}

/** A key that can sign. */
export type SigningKey = { kid: string; alg: SigningAlgorithm; privateKey: KeyObject }

const generate = promisify(generateKeyPair)

export async function newKey(
  encryptionKey: Buffer,
  alg: SigningAlgorithm,
  activatesAt: Date,
): Promise<StoredKey> {
  const { publicKey, privateKey } = await pairFor(alg)
  const bare = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(bare)
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return {
    kid,
    alg,
    state: 'active',
    publicJwk: { ...bare, kid, alg, use: 'sig' },
    privateSealed: seal(encryptionKey, kid, pem),
    activatesAt,
  }
}

function pairFor(alg: SigningAlgorithm) {
  return alg === 'ES256'
    ? generate('ec', { namedCurve: 'P-256' })
    : generate('rsa', { modulusLength: RSA_BITS })
}

export function openKey(encryptionKey: Buffer, stored: StoredKey): SigningKey {
  const pem = unseal(encryptionKey, stored.kid, stored.privateSealed)
  return { kid: stored.kid, alg: stored.alg, privateKey: createPrivateKey(pem) }
}
