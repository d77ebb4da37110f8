import { describe, expect, test } from 'vitest'
import { beyondConfirmed, beyondExchange, type ExchangeRecord } from './model-agents'
import type { Principal } from './model-facts'
import {
  ADMIN,
  APPS,
  by,
  found,
  gets,
  grant,
  MANAGER,
  machine,
  type Now,
  withApplication,
} from './model-world'

const KEEPER = by('keeper')
const FOR_OWN = { exchangeFrom: 'own' }
const SETTINGS = machine('apps', 'settings:write')
const exchanged = (...scopes: string[]): Now => ({
  reach: { userTokens: [{ application: 'own', from: 'strong', scopes }] },
})
const mayExchange = (pattern: string, more: Now = {}): Now => ({
  ...more,
  reach: gets('own'),
  facts: withApplication('own', {
    grants: [grant('shop:plain'), grant('vault:plain'), grant(pattern, { exchangeFrom: '*' })],
  }),
})
const said = (no: boolean, refused: string[], active: string[]): Now => ({
  reach: {
    userTokens: [{ application: 'own', user: 'plain', scopes: [], active, said: { no, refused } }],
  },
})
const registeredGet = (open: boolean, ...scopes: string[]): Now => ({
  facts: { registration: { open, scopes } },
})

describe('beyond the rule', () => {
  test.each<[string, Principal, Now, string]>([
    [
      'an app manager’s service has an item by exchange',
      MANAGER,
      exchanged('shop:plain'),
      '9 exchange',
    ],
    ['a scope of the portal by exchange', ADMIN, exchanged('users:read'), '9 exchange'],
    ['who the user is by exchange', ADMIN, exchanged('openid'), '9 exchange'],
    [
      'an app manager lets their service exchange for an ordinary item',
      MANAGER,
      mayExchange('shop:plain'),
      '9 exchange',
    ],
    ['an API owner does for another API', KEEPER, mayExchange('shop:plain'), '9 exchange'],
    [
      'a machine acts as a service that may exchange',
      APPS,
      { facts: withApplication('relay', { acting: 'evil' }) },
      '5 act as an application',
    ],
    [
      'an app manager hides that a service acts',
      MANAGER,
      { facts: withApplication('own', { impersonates: true }) },
      '10 impersonation',
    ],
    [
      'settings:write lets anybody register',
      SETTINGS,
      registeredGet(true, 'vault:plain'),
      '11 registration',
    ],
    [
      'settings:write lists another item',
      SETTINGS,
      registeredGet(false, 'vault:secret'),
      '11 registration',
    ],
    [
      'anybody lists a scope of the portal',
      by('owner'),
      registeredGet(false, 'users:read'),
      '11 registration',
    ],
    [
      'a client registered itself without a token',
      by('plain'),
      { reach: { userTokens: [{ application: 'new', scopes: ['vault:plain'] }] } },
      '4 API items',
    ],
    [
      'a token of a paused agent is active',
      ADMIN,
      said(true, [], ['openid']),
      '12 the person said no',
    ],
    [
      'a token has what the person refused',
      ADMIN,
      said(false, ['shop:plain'], ['openid', 'shop:plain']),
      '12 the person said no',
    ],
    [
      'an agent of an app manager has more than they',
      MANAGER,
      { reach: { userTokens: [{ application: 'own', user: 'manager', scopes: ['users:read'] }] } },
      '3 portal scopes',
    ],
  ])('%s', (_what, principal, now, clause) => {
    expect(found(principal, now)).toContain(clause)
  })
})

describe('within the rule', () => {
  test.each<[string, Principal, Now]>([
    ['an admin’s service has an item by exchange', ADMIN, exchanged('vault:secret')],
    ['an API owner lets a service exchange', KEEPER, mayExchange('vault:plain')],
    [
      'a service had the grant in its hands',
      machine('relay'),
      {
        first: gets('relay'),
        reach: { userTokens: [{ application: 'relay', from: 'own', scopes: ['vault:plain'] }] },
      },
    ],
    [
      'the users of an application call a service',
      { ...machine('apps'), calledBy: ['own'] },
      { reach: { userTokens: [{ application: 'own', scopes: ['vault:plain'] }] } },
    ],
    [
      'a client came with an initial access token',
      { ...by('plain'), mayRegister: true },
      { reach: { userTokens: [{ application: 'new', scopes: ['vault:plain'] }] } },
    ],
    ['an admin lets anybody register', ADMIN, registeredGet(true, 'vault:plain')],
    ['settings:write lists less', SETTINGS, registeredGet(false, 'openid')],
    ['the person refused something else', ADMIN, said(false, ['shop:plain'], ['openid'])],
    [
      'an agent of an app manager has what they have',
      MANAGER,
      {
        reach: {
          userTokens: [{ application: 'own', user: 'manager', scopes: ['applications:write'] }],
        },
      },
    ],
  ])('%s', (_what, principal, now) => {
    expect(found(principal, now)).toEqual([])
  })
})

describe('one exchange', () => {
  const GOOD: ExchangeRecord = {
    client: 'relay',
    from: 'own',
    scopes: ['vault:plain'],
    actor: 'relay',
    grants: [grant('vault:*', FOR_OWN)],
    items: [
      { key: 'shop:plain', api: 'shop', ordinary: true, ranked: false },
      { key: 'vault:plain', api: 'vault', ordinary: true, ranked: false },
      { key: 'vault:secret', api: 'vault', ordinary: false, ranked: true },
    ],
    personHolds: new Set(),
    subject: { scopes: ['shop:plain'], ends: 100, isOver: false },
    serves: new Set(['shop:plain']),
    impersonates: false,
    ends: 100,
  }

  test.each<[string, Partial<ExchangeRecord>]>([
    ['as it is granted', {}],
    ['from any application', { grants: [grant('vault:plain', { exchangeFrom: '*' })] }],
    [
      'what a role gives the person',
      { scopes: ['vault:secret'], personHolds: new Set(['vault:secret']) },
    ],
    ['without an actor, where that is allowed', { actor: null, impersonates: true }],
  ])('%s', (_what, more) => {
    expect(beyondExchange({ ...GOOD, ...more })).toEqual([])
  })

  test.each<[string, Partial<ExchangeRecord>]>([
    ['by an ordinary grant', { grants: [grant('vault:*')] }],
    ['from another application', { from: 'other' }],
    [
      'under a condition that is never met',
      { grants: [grant('vault:*', { ...FOR_OWN, condition: 'x' })] },
    ],
    [
      'although it is denied',
      { grants: [...GOOD.grants, grant('vault:plain', { effect: 'deny' })] },
    ],
    ['what only a role gives', { scopes: ['vault:secret'] }],
    ['who the user is', { scopes: ['vault:plain', 'openid'] }],
    ['of a token for somebody else', { serves: new Set(['vault:plain']) }],
    ['of a token that is over', { subject: { ...GOOD.subject, isOver: true } }],
    ['for longer', { ends: 101 }],
    ['without an actor', { actor: null }],
  ])('not %s', (_what, more) => {
    expect(beyondExchange({ ...GOOD, ...more })).toHaveLength(1)
  })
})

test('a change is confirmed', () => {
  expect(beyondConfirmed('give_role', true)).toEqual([])
  expect(beyondConfirmed('give_role', false)).toHaveLength(1)
})
