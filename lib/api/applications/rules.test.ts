import { describe, expect, test } from 'vitest'
import { applicationRecord } from '../../../e2e/support/application-record'
import { problemIn } from '../../../e2e/support/problem-in'
import type { Op } from '../../context/op'
import type { ApplicationRecord } from '../../store/applications/applications'
import { BY_KIND, opensIt, requireRegistrable, requireTakesSecrets, takesSecrets } from './rules'

const app = applicationRecord()

describe('a change lets somebody act as the application', () => {
  const KEY = { keys: [{ kty: 'EC' }] }
  test.each<[string, Partial<ApplicationRecord>]>([
    ['a redirect URI', { redirectUris: ['https://rp.example/cb', 'https://evil.example/cb'] }],
    ['an origin', { origins: ['https://evil.example'] }],
    ['a grant type', { grantTypes: ['authorization_code', 'client_credentials'] }],
    ['a way to authenticate', { authMethods: ['none'] }],
    ['keys', { jwks: KEY }],
    ['the address of keys', { jwksUri: 'https://evil.example/keys' }],
    ['the audience of assertions', { assertionAudience: 'endpoint' }],
    ['a list of audiences', { assertionAudienceList: true }],
    ['longer assertions', { assertionSeconds: 3600 }],
    ['another type of tokens', { accessTokenType: 'JWT' }],
    ['codes without PKCE', { pkce: 'not_required' }],
    ['no limit of scopes', { scopeLimit: ['openid'] }],
    ['another owner', { ownerId: 'usr_2' }],
  ])('by %s', (_what, change) => {
    expect(opensIt(app, { ...app, ...change })).toBe(true)
  })

  test('by enabling it again, and not by disabling it', () => {
    const disabled = { ...app, disabledAt: new Date() }
    expect([opensIt(disabled, app), opensIt(app, disabled)]).toEqual([true, false])
    expect(opensIt(disabled, { ...disabled, disabledAt: new Date(0) })).toBe(false)
  })

  test.each<[string, Partial<ApplicationRecord>]>([
    ['its name', { name: 'Other' }],
    ['its logo', { logoUri: 'https://cdn.example/l.png' }],
    ['where it leads after signing out', { postLogoutRedirectUris: ['https://rp.example/bye'] }],
    ['where it is told of a logout', { backchannelLogoutUri: 'https://rp.example/logout' }],
    ['what it requires', { requiredScopes: ['orders:read'] }],
  ])('not by %s', (_what, change) => {
    expect(opensIt(app, { ...app, ...change })).toBe(false)
  })
})

describe('N19: an address that the portal would call', () => {
  const portal = (...hosts: string[]) =>
    ({ config: { outboundHosts: new Set(hosts) } }) as unknown as Op
  const told = (change: Partial<ApplicationRecord>, ...hosts: string[]) =>
    problemIn(() => requireRegistrable(portal(...hosts), { ...app, ...change }))

  test.each([
    'https://127.0.0.1/logout',
    'https://[::1]/logout',
    'https://10.0.0.7/logout',
    'https://169.254.169.254/latest',
    'https://localhost/logout',
    'https://x.localhost/logout',
    'https://[::ffff:192.168.0.1]/logout',
  ])('is not %s', async (uri) => {
    expect(await told({ backchannelLogoutUri: uri })).toBe(
      'invalid /backchannelLogoutUri address_not_public',
    )
    expect(await told({ jwksUri: uri, authMethods: ['private_key_jwt'] })).toBe(
      'invalid /jwksUri address_not_public',
    )
  })

  test('may be one that the operator named, with its port', async () => {
    const backchannelLogoutUri = 'https://10.0.0.7:8443/logout'
    expect(await told({ backchannelLogoutUri }, '10.0.0.7:8443')).toBe('not refused')
    expect(await told({ backchannelLogoutUri }, '10.0.0.7')).toMatch(/address_not_public$/)
  })

  test('is named together with everything else that is wrong', async () => {
    const change = {
      redirectUris: ['https://*.example'],
      backchannelLogoutUri: 'https://127.0.0.1/logout',
    }
    expect(await told(change)).toBe(
      'invalid /redirectUris/0 uri_wildcard, /backchannelLogoutUri address_not_public',
    )
  })
})

test('only a confidential client that does not sign assertions has a secret', async () => {
  const takes = (...authMethods: ApplicationRecord['authMethods']) => takesSecrets({ authMethods })
  expect([
    takes('client_secret_basic'),
    takes('private_key_jwt', 'client_secret_post'),
    takes('private_key_jwt'),
    takes('none'),
  ]).toEqual([true, true, false, false])
  const told = (authMethods: ApplicationRecord['authMethods']) =>
    problemIn(() => requireTakesSecrets({ ...app, authMethods }))
  expect(await told(['none'])).toBe('conflict secret_not_possible')
  expect(await told(['client_secret_post'])).toBe('not refused')
})

test.each(Object.entries(BY_KIND))(
  'a new application of the kind %s is sound',
  async (kind, made) => {
    const signsIn = (made.grantTypes as readonly string[]).includes('authorization_code')
    const record = applicationRecord({
      kind: kind as ApplicationRecord['kind'],
      grantTypes: made.grantTypes,
      authMethods: made.authMethods,
      redirectUris: signsIn ? ['https://rp.example/cb'] : [],
    })
    const op = { config: { outboundHosts: new Set() } } as unknown as Op
    expect(await problemIn(() => requireRegistrable(op, record))).toBe('not refused')
  },
)
