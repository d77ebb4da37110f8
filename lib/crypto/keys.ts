import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose'
import { seal, unseal } from './seal'

/** Signing keys: generated here, stored encrypted, decrypted once per process. */

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
  /** When it began or will begin to sign. */
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

export class UnsoundKey extends Error {}

export async function openKey(encryptionKey: Buffer, stored: StoredKey): Promise<SigningKey> {
  const { kid, alg } = stored
  const privateKey = createPrivateKey(unseal(encryptionKey, kid, stored.privateSealed))
  if (!fits(alg, privateKey)) throw new UnsoundKey(`the key ${kid} is too weak or not for ${alg}`)
  // The kid is the thumbprint of the key, so a key has one kid and a kid has one key.
  const thumbprint = await calculateJwkThumbprint(await exportJWK(createPublicKey(privateKey)))
  if (thumbprint !== kid) throw new UnsoundKey(`the key ${kid} does not match its kid`)
  return { kid, alg, privateKey }
}

function fits(alg: SigningAlgorithm, { asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  if (alg === 'ES256') return asymmetricKeyDetails?.namedCurve === 'prime256v1'
  return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS
}
