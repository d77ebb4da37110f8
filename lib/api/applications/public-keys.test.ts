import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { mistakeIn } from '../../../e2e/support/problem-in'
import { publicKeysSchema } from './public-keys'

/** RFC 7517: public keys of an application. A private key must not even be stored by mistake. */

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
const okp = generateKeyPairSync('ed25519')
const publicOf = (pair: typeof ec) => pair.publicKey.export({ format: 'jwk' })

const told = (...keys: unknown[]) => mistakeIn(publicKeysSchema, { keys })

describe('N9: a private key', () => {
  test.each([
    ['EC', ec],
    ['RSA', rsa],
    ['OKP', okp],
  ] as const)('of type %s is refused, and its value is not repeated', (_type, pair) => {
    const key = pair.privateKey.export({ format: 'jwk' })
    const parsed = publicKeysSchema.safeParse({ keys: [publicOf(ec), key] })
    const paths = parsed.error?.issues.map(({ path }) => path.join('/')) ?? []
    expect(paths).toContain('keys/1/d')
    expect(parsed.error?.message).toContain('keys_private')
    expect(parsed.error?.message).not.toContain(key.d)
  })

  test('of a shared secret is none of these types', () => {
    expect(told({ kty: 'oct', k: 'c2VjcmV0' })).toBe('one_of')
  })
})

describe('a public key', () => {
  test.each([
    ['EC', ec],
    ['RSA', rsa],
    ['OKP', okp],
  ] as const)('of type %s is taken with what else a key may say', (_type, pair) => {
    const key = { ...publicOf(pair), kid: 'k1', use: 'sig', alg: 'any', key_ops: ['verify'] }
    expect(told(key)).toBe('none')
  })

  test('is long enough', () => {
    expect(told(publicOf(short))).toBe('keys_short')
  })

  test('is a key', () => {
    expect(told({ kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' })).toBe('keys_not_public')
    expect(told({ kty: 'EC', crv: 'secp256k9', x: 'AAAA', y: 'AAAA' })).toBe('keys_not_public')
    expect(told({ kty: 'RSA' })).toBe('keys_not_public')
  })

  test('has a name that is a text, and not an endless one', () => {
    expect(told({ ...publicOf(ec), kid: 7 })).toBe('keys_kid')
    expect(told({ ...publicOf(ec), kid: 'k'.repeat(255) })).toBe('none')
    expect(told({ ...publicOf(ec), kid: 'k'.repeat(256) })).toBe('keys_kid')
  })

  test('says nothing that no key says', () => {
    expect(told({ ...publicOf(ec), admin: true })).toBe('unrecognized_keys')
  })
})

test('there are one to twenty of them', () => {
  expect(told()).toBe('choose')
  expect(told(...Array.from({ length: 20 }, () => publicOf(ec)))).toBe('none')
  expect(told(...Array.from({ length: 21 }, () => publicOf(ec)))).toBe('too_many')
  expect(mistakeIn(publicKeysSchema, { keys: [publicOf(ec)], more: 1 })).toBe('unrecognized_keys')
})
