import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../e2e/support/folder'
import { ConfigError, readConfig } from './config'
import { findProvider, providerFor } from './providers'

const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const acme = {
  id: 'acme',
  kind: 'oidc',
  name: 'Acme',
  issuer: 'https://id.acme.example',
  clientId: 'portal',
  clientSecret: 'env:ACME_SECRET',
  domains: ['acme.example'],
}

function read(written: unknown, env: Record<string, string> = {}) {
  const text = typeof written === 'string' ? written : JSON.stringify(written)
  const secret = { ACME_SECRET: 'very-secret-indeed' }
  return readConfig({ DATA_DIR: temporaryFolder(), UPSTREAM_PROVIDERS: text, ...secret, ...env })
}

describe('M32: a list that is wrong stops the start and says where', () => {
  const { clientSecret: _secret, ...withoutSecret } = acme
  test.each<[string, unknown, RegExp]>([
    ['no JSON', '[{', /^UPSTREAM_PROVIDERS: is not JSON/],
    ['no list', acme, /UPSTREAM_PROVIDERS: the list: Send a list/],
    ['an unknown kind', [{ ...acme, kind: 'saml' }], /0\.kind: /],
    ['an unknown field', [{ ...acme, isuer: 'x' }], /This field does not exist\. \(isuer\)/],
    ['no secret', [withoutSecret], /0\.clientSecret: /],
    ['a secret in plain sight', [{ ...acme, clientSecret: 'hush' }], /0\.clientSecret: Name an/],
    [
      'a secret that is not set',
      [{ ...acme, clientSecret: 'env:NOPE' }],
      /acme: its secret NOPE is not set/,
    ],
    ['an id for no URL', [{ ...acme, id: '../x' }], /0\.id: Use 1 to 32/],
    ['two of one id', [acme, acme], /Two providers have the same ID/],
    [
      'an issuer with a query',
      [{ ...acme, issuer: 'https://x.example?a' }],
      /0\.issuer: Enter an address/,
    ],
    ['plain http', [{ ...acme, issuer: 'http://id.acme.example' }], /acme: .*OUTBOUND_HOSTS/],
    ['a private address', [{ ...acme, issuer: 'https://10.0.0.1' }], /acme: .*OUTBOUND_HOSTS/],
    [
      'a domain with an @',
      [{ ...acme, domains: ['@acme.example'] }],
      /0\.domains\.0: Enter domains/,
    ],
    [
      'anybody’s directory',
      [
        {
          id: 'ms',
          kind: 'microsoft',
          tenant: 'common',
          clientId: 'x',
          clientSecret: 'env:ACME_SECRET',
        },
      ],
      /0\.tenant: Enter the ID of one directory/,
    ],
  ])('%s', (_what, written, message) => {
    expect(() => read(written)).toThrow(ConfigError)
    expect(() => read(written)).toThrow(message)
    expect(() => read(written)).not.toThrow(/very-secret-indeed|hush/)
  })
})

test('every kind has its issuer, its name and its secret', () => {
  const common = { clientId: 'portal', clientSecret: 'env:ACME_SECRET' }
  const { upstreamProviders } = read(
    [
      acme,
      { ...common, id: 'local', kind: 'oidc', name: 'Local', issuer: 'http://localhost:9' },
      { ...common, id: 'github', kind: 'github' },
      { ...common, id: 'ghes', kind: 'github', url: 'https://git.acme.example/', name: 'Acme Git' },
      { ...common, id: 'google', kind: 'google' },
      { ...common, id: 'entra', kind: 'microsoft', tenant: TENANT.toUpperCase() },
    ],
    { OUTBOUND_HOSTS: 'localhost:9' },
  )
  expect(upstreamProviders.map(({ id, name, issuer }) => [id, name, issuer])).toEqual([
    ['acme', 'Acme', 'https://id.acme.example'],
    ['local', 'Local', 'http://localhost:9'],
    ['github', 'GitHub', 'https://github.com/login/oauth'],
    ['ghes', 'Acme Git', 'https://git.acme.example/login/oauth'],
    ['google', 'Google', 'https://accounts.google.com'],
    ['entra', 'Microsoft', `https://login.microsoftonline.com/${TENANT}/v2.0`],
  ])
  expect(upstreamProviders.every((one) => one.clientSecret === 'very-secret-indeed')).toBe(true)
})

test('an address leads to the provider of its domain, and nothing else does', async () => {
  const { upstreamProviders: providers } = read([acme])
  const op = { settings: { current: async () => ({ providers }) } }
  expect((await findProvider(op, 'acme'))?.name).toBe('Acme')
  expect(await findProvider(op, '__proto__')).toBeNull()
  for (const identifier of ['ann@acme.example', ' Ann@ACME.example ', 'a@b@acme.example'])
    expect((await providerFor(op, identifier))?.id).toBe('acme')
  for (const identifier of [
    'ann',
    'acme.example',
    'ann@x.acme.example',
    'ann@acme.example.org',
    '@',
  ])
    expect(await providerFor(op, identifier)).toBeNull()
})
