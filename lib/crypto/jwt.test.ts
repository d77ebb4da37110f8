import { randomBytes } from 'node:crypto'
import { compactVerify, importJWK, SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { jwtVerifier, signJwt, type VerifyJwt } from './jwt'
import { newKey, openKey, type SigningKey, type StoredKey } from './keys'

const encryptionKey = randomBytes(32)

describe.each(['ES256', 'RS256'] as const)('a token signed with %s', (alg) => {
  let stored: StoredKey
  let key: SigningKey
  let verify: VerifyJwt
  let token: string
  const claims = { iss: 'https://id.example.com', sub: 'somebody' }

  beforeAll(async () => {
    stored = await newKey(encryptionKey, alg, new Date())
    key = await openKey(encryptionKey, stored)
    verify = jwtVerifier([stored.publicJwk])
    token = await signJwt(key, 'at+jwt', claims)
  })

  const parts = () => token.split('.') as [string, string, string]
  const encoded = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url')

  test('is verified here and by jose', async () => {
    expect(verify(token)).toEqual({ typ: 'at+jwt', payload: JSON.stringify(claims) })
    await compactVerify(token, await importJWK(stored.publicJwk))
  })

  test('is not verified by the keys of another portal', async () => {
    const other = await newKey(encryptionKey, alg, new Date())
    expect(jwtVerifier([other.publicJwk])(token)).toBeNull()
    expect(jwtVerifier([])(token)).toBeNull()
  })

  test('is refused with another payload', () => {
    const [header, , signature] = parts()
    expect(verify(`${header}.${encoded({ ...claims, sub: 'other' })}.${signature}`)).toBeNull()
  })

  test('is refused with another signature, or another spelling of the same one', () => {
    const [header, body, signature] = parts()
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
    for (const other of [flipped, '', `${signature}=`, `${signature} `, `${signature}.`]) {
      expect(verify(`${header}.${body}.${other}`)).toBeNull()
    }
    const last = signature.at(-1) ?? ''
    const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const next = ALPHABET[ALPHABET.indexOf(last) + 1] ?? ''
    expect(verify(`${header}.${body}.${signature.slice(0, -1)}${next}`)).toBeNull()
  })

  test('is refused if the header is not one that the portal writes, whoever signed it', async () => {
    const { kid } = key
    for (const header of [
      { alg, kid, typ: 'at+jwt' },
      { alg, typ: 'at+jwt', kid, crit: ['b64'], b64: true },
      { alg, typ: 'at+jwt', kid, jwk: stored.publicJwk },
      { alg, typ: 'at+jwt' },
    ]) {
      const signed = await new SignJWT(claims).setProtectedHeader(header).sign(key.privateKey)
      expect(verify(signed)).toBeNull()
    }
    const [, body] = parts()
    expect(verify(`${encoded({ alg: 'none', typ: 'at+jwt', kid })}.${body}.`)).toBeNull()
  })

  test('says of which kind it is', async () => {
    expect(verify(await signJwt(key, 'JWT', claims))?.typ).toBe('JWT')
    expect(verify(await signJwt(key, 'logout+jwt', claims))?.typ).toBe('logout+jwt')
  })
})
