import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { APP, application, NOW, opOf } from '../../e2e/support/protocol'
import { proofByAssertion } from './assertion'
import type { Application } from './client'

/** RFC 7523 §3: each fault of a client assertion has its reason. */

const NOW_SECONDS = NOW / 1000
const endpoint = 'https://id.test/oidc/token'
let keys: Awaited<ReturnType<typeof generateKeyPair>>
let others: Awaited<ReturnType<typeof generateKeyPair>>
let jwks: NonNullable<Application['jwks']>

beforeAll(async () => {
  keys = await generateKeyPair('ES256')
  others = await generateKeyPair('ES256')
  const { kty = '', ...jwk } = await exportJWK(keys.publicKey)
  jwks = { keys: [{ ...jwk, kty, kid: 'k1', alg: 'ES256' }] }
})

const CLAIMS = {
  iss: APP,
  sub: APP,
  aud: 'https://id.test',
  exp: NOW_SECONDS + 60,
  jti: 'one',
}

function signed(
  more: Record<string, unknown> = {},
  kid = 'k1',
  key = keys.privateKey,
): Promise<string> {
  return new SignJWT({ ...CLAIMS, ...more }).setProtectedHeader({ alg: 'ES256', kid }).sign(key)
}

async function reasonFor(
  assertion: string,
  more: Partial<Application> = { jwks },
  op: Parameters<typeof opOf>[0] = {},
): Promise<string> {
  const assertions = { consume: async (_client: string, jti: string) => jti !== 'used' }
  const provider = opOf({ ...op, op: { assertions, ...op?.op } })
  const proof = await proofByAssertion(provider, application(more), { assertion, endpoint })
  return 'reason' in proof ? proof.reason : 'none'
}

describe('the algorithm that the application is set to (OpenID Connect Registration 1.0 §2)', () => {
  test.each<[Application['assertionAlg'], string]>([
    ['ES256', 'none'],
    ['RS256', 'assertion_algorithm'],
    [null, 'none'],
  ])('%s', async (assertionAlg, expected) => {
    expect(await reasonFor(await signed(), { jwks, assertionAlg })).toBe(expected)
  })
})

describe('D30: the setting for older libraries', () => {
  const HOUR = { exp: NOW_SECONDS + 3_600 }
  const TOKEN = 'https://id.test/oidc/token'
  const compatible = { assertionAudience: 'compatible', assertionSeconds: 60 } as const
  test.each<[string, Record<string, unknown>, string]>([
    ['the issuer', {}, 'none'],
    ['the token endpoint, for an hour', { aud: TOKEN, ...HOUR }, 'none'],
    ['a list with one entry', { aud: [TOKEN], ...HOUR }, 'none'],
    ['longer than an hour', { aud: TOKEN, exp: NOW_SECONDS + 3_700 }, 'assertion_life'],
    ['a list with two entries', { aud: [TOKEN, 'https://x.test'] }, 'assertion_audience'],
    ['an empty list', { aud: [] }, 'assertion_audience'],
    ['another endpoint', { aud: 'https://id.test/oidc/token/revocation' }, 'assertion_audience'],
    ['another server', { aud: 'https://x.test/oidc/token' }, 'assertion_audience'],
    ['a second use', { aud: TOKEN, jti: 'used' }, 'assertion_replayed'],
  ])('%s: %#', async (_what, more, reason) => {
    expect(await reasonFor(await signed(more), { jwks, ...compatible })).toBe(reason)
  })

  test('without it, what was set one by one means what it meant', async () => {
    const both = { aud: TOKEN, ...HOUR }
    const audience = { jwks, assertionAudience: 'token_endpoint' } as const
    expect(await reasonFor(await signed(both), audience)).toBe('assertion_life')
    const longer = { ...audience, assertionSeconds: 3_600 }
    expect(await reasonFor(await signed(both), longer)).toBe('none')
    const list = { ...both, aud: [TOKEN] }
    expect(await reasonFor(await signed(list), longer)).toBe('assertion_audience')
  })
})

describe('D20, D21: why a client assertion is refused', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['none', {}, 'none'],
    ['the issuer is another', { iss: 'x' }, 'assertion_issuer'],
    ['the subject is another', { sub: 'x' }, 'assertion_issuer'],
    ['the audience is another', { aud: 'https://other.test' }, 'assertion_audience'],
    ['a list of audiences', { aud: ['https://id.test'] }, 'assertion_audience'],
    ['it has expired', { exp: NOW_SECONDS - 11 }, 'assertion_expired'],
    ['it expired long ago', { exp: 1 }, 'assertion_expired'],
    ['it lives too long', { exp: NOW_SECONDS + 3_600 }, 'assertion_life'],
    ['it never ends', { exp: undefined }, 'assertion_life'],
    ['it is from the future', { iat: NOW_SECONDS + 120 }, 'assertion_early'],
    ['it has no ID', { jti: undefined }, 'assertion_id'],
    ['its ID is too long', { jti: 'x'.repeat(257) }, 'assertion_id'],
    ['it was used before', { jti: 'used' }, 'assertion_replayed'],
  ])('%s', async (_what, more, reason) => {
    expect(await reasonFor(await signed(more))).toBe(reason)
  })

  test('another key, another kid, another algorithm, no JWT', async () => {
    expect(await reasonFor(await signed({}, 'k1', others.privateKey))).toBe('assertion_signature')
    expect(await reasonFor(await signed({}, 'k2'))).toBe('assertion_key_unknown')
    const secret = new TextEncoder().encode('x'.repeat(32))
    const shared = new SignJWT(CLAIMS).setProtectedHeader({ alg: 'HS256', kid: 'k1' })
    expect(await reasonFor(await shared.sign(secret))).toBe('assertion_algorithm')
    expect(await reasonFor('x')).toBe('assertion_malformed')
  })

  test('no keys, and keys that cannot be fetched (D22)', async () => {
    const assertion = await signed()
    expect(await reasonFor(assertion, {})).toBe('assertion_keys_missing')
    const away = { jwksUri: 'https://rp.test/keys' }
    const remoteKeys = () => async () => {
      throw new Error('away')
    }
    expect(await reasonFor(assertion, away, { op: { remoteKeys } })).toBe(
      'assertion_keys_unreachable',
    )
    const reached = { op: { remoteKeys: () => createLocalJWKSet(jwks) } }
    expect(await reasonFor(assertion, away, reached)).toBe('none')
  })
})
