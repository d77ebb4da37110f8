import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
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

export class UnsoundKey extends Error {}

export async function openKey(encryptionKey: Buffer, stored: StoredKey): Promise<SigningKey> {
  const { kid, alg } = stored
  const privateKey = createPrivateKey(unseal(encryptionKey, kid, stored.privateSealed))
  if (!fits(alg, privateKey)) throw new UnsoundKey(`the key ${kid} is too weak or not for ${alg}`)
  // The id is the key's own thumbprint, so no key signs under two names, and no name stands for two.
  const thumbprint = await calculateJwkThumbprint(await exportJWK(createPublicKey(privateKey)))
  if (thumbprint !== kid) throw new UnsoundKey(`the key ${kid} is another one than its id says`)
  return { kid, alg, privateKey }
}

function fits(alg: SigningAlgorithm, { asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  if (alg === 'ES256') return asymmetricKeyDetails?.namedCurve === 'prime256v1'
  return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS
}
