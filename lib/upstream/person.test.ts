import { describe, expect, test } from 'vitest'
import type { ProviderKind, UpstreamProvider } from '../settings/providers'
import { personOf } from './person'

const provider = (kind: ProviderKind): UpstreamProvider => ({
  id: kind,
  kind,
  name: kind,
  issuer: `https://${kind}.example`,
  clientId: 'x',
  clientSecret: 'x',
  domains: [],
  idTokenAlgorithm: null,
})
const email = 'ann@example.org'

describe('M30: an address is verified only where the provider says so', () => {
  test.each<[ProviderKind, Record<string, unknown>, boolean]>([
    ['oidc', { email, email_verified: true }, true],
    ['oidc', { email, email_verified: 'true' }, false],
    ['oidc', { email, email_verified: false }, false],
    ['oidc', { email }, false],
    ['oidc', { email, xms_edov: true }, false],
    ['oidc', { email: 'not an address', email_verified: true }, false],
    ['oidc', { email_verified: true }, false],
    ['google', { email, email_verified: true, hd: 'example.org' }, true],
    ['google', { email, email_verified: false }, false],
    ['microsoft', { email, preferred_username: email, tid: 'x' }, false],
    ['microsoft', { email, xms_edov: false }, false],
    ['microsoft', { email, xms_edov: '0' }, false],
    ['microsoft', { email, xms_edov: true }, true],
    ['microsoft', { email, xms_edov: '1' }, true],
  ])('%s %j -> %s', (kind, claims, verified) => {
    const person = personOf(provider(kind), { sub: 'abc', ...claims })
    expect(person).toMatchObject({ issuer: `https://${kind}.example`, subject: 'abc' })
    expect(person.emailVerified).toBe(verified)
    expect(person.email === null).toBe(claims.email !== email)
  })

  const github = (emails: unknown[]) =>
    personOf(provider('github'), { id: 583231, login: 'octocat', name: null, email, emails })
  test.each<[string, unknown[], string | null, boolean]>([
    ['the primary one', [{ email, primary: true, verified: true }], email, true],
    ['the primary one, unverified', [{ email, primary: true, verified: false }], email, false],
    ['none but a secondary', [{ email, primary: false, verified: true }], null, false],
    ['none', [], null, false],
  ])('GitHub: %s', (_what, emails, address, verified) => {
    expect(github(emails)).toMatchObject({
      subject: '583231',
      name: 'octocat',
      username: 'octocat',
      email: address,
      emailVerified: verified,
    })
  })
})

test('names are kept as text that can be shown, and nothing but names is kept', () => {
  const claims = {
    sub: 'abc',
    name: '  Ann\u202e\u0000 Lee ',
    given_name: 'x'.repeat(300),
    family_name: 7,
    nickname: '\u200b',
    adminRole: 'owner',
    picture: 'https://evil.example/x.png',
    auth_time: 1_700_000_000,
  }
  expect(personOf(provider('oidc'), claims)).toEqual({
    issuer: 'https://oidc.example',
    subject: 'abc',
    email: null,
    emailVerified: false,
    name: 'Ann Lee',
    username: null,
    profile: { given_name: 'x'.repeat(100) },
    authTime: new Date(1_700_000_000_000),
  })
})

test.each([undefined, '', 7, null, 'a\u0000b', 'x'.repeat(256), 'ü'])(
  'M32: the subject %j is nobody',
  (sub) => {
    expect(() => personOf(provider('oidc'), { sub, email, email_verified: true })).toThrow()
  },
)

test.each([undefined, '583231', 0, -1, 1.5])('M32: the GitHub id %j is nobody', (id) => {
  expect(() => personOf(provider('github'), { id, login: 'octocat' })).toThrow()
})
