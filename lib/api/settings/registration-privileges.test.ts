import { describe, expect, test } from 'vitest'
import { item, policy } from '../../../e2e/support/policy'
import { problemIn } from '../../../e2e/support/problem-in'
import {
  type ClientRegistration,
  DEFAULT_CLIENT_REGISTRATION,
} from '../../settings/client-registration'
import {
  privilegesOfInitialToken,
  privilegesOfRegistration,
  requireKnownScopes,
} from './registration-privileges'

/** Who lets unknown clients register gives them what the settings list (attack R26). */

const world = policy({ items: [item('orders:read'), item('orders:refund', { sensitive: true })] })
const OFF: ClientRegistration = {
  ...DEFAULT_CLIENT_REGISTRATION,
  scopes: ['openid', 'orders:read', 'orders:refund'],
}
const OPEN: ClientRegistration = {
  ...OFF,
  mode: 'open',
  redirectHosts: ['a.example', 'b.example'],
  documentDenied: ['evil.example'],
  requireStatement: true,
  softwareIssuers: [{ issuer: 'https://i.example', jwksUri: 'https://i.example/keys' }],
}

function given(before: Partial<ClientRegistration>, after: Partial<ClientRegistration>) {
  const privileges = privilegesOfRegistration(
    world,
    { ...OPEN, ...before },
    { ...OPEN, ...before, ...after },
  )
  return privileges.flatMap((one) =>
    one.gives === 'grants' ? one.grants.map(({ scope }) => scope) : [],
  )
}

const ALL = ['orders:read', 'orders:refund']

describe('R26: a change of the settings gives', () => {
  test.each<[string, Partial<ClientRegistration>, Partial<ClientRegistration>]>([
    ['registration is turned on', { mode: 'off' }, { mode: 'token' }],
    ['a token is not needed any more', { mode: 'token' }, { mode: 'open' }],
    ['documents are accepted', {}, { documents: true }],
    ['documents are accepted, nothing else', { mode: 'off' }, { documents: true }],
    ['a statement is not needed any more', {}, { requireStatement: false }],
    ['another issuer is trusted', {}, { softwareIssuers: [] }],
    [
      'a grant type is added',
      { grantTypes: ['authorization_code'] },
      { grantTypes: ['refresh_token'] },
    ],
    ['a host is added', {}, { redirectHosts: ['a.example', 'c.example'] }],
    ['every host is accepted', {}, { redirectHosts: [] }],
    ['every document is accepted', { documentHosts: ['a.example'] }, { documentHosts: [] }],
    ['a host is no longer denied', {}, { documentDenied: [] }],
  ])('all that is listed if %s', (_what, before, after) => {
    expect(given(before, after)).toEqual(ALL)
  })

  test.each<[string, Partial<ClientRegistration>, Partial<ClientRegistration>]>([
    ['nothing changes', {}, {}],
    ['a token is needed', {}, { mode: 'token' }],
    ['registration is turned off', {}, { mode: 'off' }],
    ['a host goes', {}, { redirectHosts: ['a.example'] }],
    ['hosts are listed where all were accepted', { redirectHosts: [] }, { redirectHosts: ['a.x'] }],
    ['a host is denied', {}, { documentDenied: ['evil.example', 'worse.example'] }],
    ['a grant type goes', {}, { grantTypes: ['authorization_code'] }],
    ['less can be got', {}, { scopes: ['openid'] }],
    ['there may be more of them', {}, { most: 9_000, unusedDays: 365 }],
    ['it is off, whatever is listed', { mode: 'off' }, { scopes: ['orders:refund'] }],
  ])('nothing if %s', (_what, before, after) => {
    expect(given(before, after)).toEqual([])
  })

  test('what is listed anew, while it is on', () => {
    expect(given({ scopes: ['orders:read'] }, { scopes: ALL })).toEqual(['orders:refund'])
  })
})

test('R26: an initial access token gives all that is listed, also while registration is off', () => {
  const [privilege] = privilegesOfInitialToken(world, OFF)
  expect(privilege).toMatchObject({ gives: 'grants', grants: [{ scope: 'orders:read' }, {}] })
})

describe('a listed scope', () => {
  const told = (...scopes: string[]) => problemIn(() => requireKnownScopes(world, scopes))

  test('is one of OpenID Connect or a permission that exists', async () => {
    expect(await told('openid', 'offline_access', 'orders:read')).toBe('not refused')
    expect(await told('openid', 'orders:*')).toBe(
      'invalid /clientRegistration/scopes/1 scope_not_known',
    )
    expect(await problemIn(() => requireKnownScopes(world, undefined))).toBe('not refused')
  })

  test('R4: is never one of the portal', async () => {
    expect(await told('users:read')).toBe('invalid /clientRegistration/scopes/0 scope_of_portal')
  })
})
