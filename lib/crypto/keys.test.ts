import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { newKey, openKey, type SigningAlgorithm, type StoredKey, UnsoundKey } from './keys'
import { SealError, seal } from './seal'

const ENCRYPTION_KEY = Buffer.alloc(32, 7)
const NOW = new Date('2026-11-15T12:00:00Z')

type Pair = { publicKey: KeyObject; privateKey: KeyObject }

/** A key as somebody else might have put it into the table. */
async function stored(alg: SigningAlgorithm, pair: Pair, kid?: string): Promise<StoredKey> {
  const publicJwk = await exportJWK(pair.publicKey)
  const id = kid ?? (await calculateJwkThumbprint(publicJwk))
  const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const privateSealed = seal(ENCRYPTION_KEY, id, pem)
  return { kid: id, alg, state: 'active', publicJwk, privateSealed, activatesAt: NOW }
}

const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength })
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })

describe('H17: private keys at rest', () => {
  test('are sealed, and open with the right secret alone', async () => {
    const key = await newKey(ENCRYPTION_KEY, 'ES256', NOW)
    expect(Buffer.from(key.privateSealed, 'base64url').toString('latin1')).not.toContain('PRIVATE')
    expect((await openKey(ENCRYPTION_KEY, key)).privateKey.asymmetricKeyType).toBe('ec')
    await expect(openKey(Buffer.alloc(32, 8), key)).rejects.toThrow(SealError)
  })

  test('cannot be moved to another row', async () => {
    const key = await newKey(ENCRYPTION_KEY, 'ES256', NOW)
    await expect(openKey(ENCRYPTION_KEY, { ...key, kid: 'another' })).rejects.toThrow(SealError)
  })
})

describe('H18: refused at load', () => {
  test.each<[string, SigningAlgorithm, Pair]>([
    ['RSA of 1024 bits', 'RS256', rsa(1024)],
    ['a curve that is not P-256', 'ES256', ec('P-384')],
    ['an RSA key that is to sign as ES256', 'ES256', rsa(2048)],
    ['an EC key that is to sign as RS256', 'RS256', ec('P-256')],
  ])('%s', async (_what, alg, pair) => {
    await expect(openKey(ENCRYPTION_KEY, await stored(alg, pair))).rejects.toThrow(UnsoundKey)
  })

  // One key for two purposes needs a second row with a second id: a kid is its key's thumbprint.
  test('a key under an id that is not its thumbprint', async () => {
    const again = await stored('ES256', ec('P-256'), 'a-second-name')
    await expect(openKey(ENCRYPTION_KEY, again)).rejects.toThrow(UnsoundKey)
  })

  test('but not RSA of 2048 bits', async () => {
    await expect(openKey(ENCRYPTION_KEY, await stored('RS256', rsa(2048)))).resolves.toBeDefined()
  })
})
