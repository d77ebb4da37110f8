import { describe, expect, test } from 'vitest'
import {
  all,
  answer,
  ask,
  assigned,
  broken,
  elsewhere,
  grant,
  inOffice,
  NOW,
  needsAgent,
  policy,
  role,
  roles,
  signedInWith,
  type World,
  withFactorElsewhere,
  withSecondFactor,
} from '../../e2e/support/policy'
import { HOUR_MS } from '../base/time'
import { decidePermission } from './check'
import { compileCondition } from './condition'
import type { Question } from './decide-scopes'
import { explainScope } from './explain'
import { conditionForInstance, conditionForUser } from './request-rules'

describe('the rules, in their order (RFC 6749 §3.3)', () => {
  test.each<[string, string, World, Partial<Question>]>([
    ['granted', 'the application holds it', all, {}],
    ['unknown_scope', 'no such item is registered', all, { scopes: ['orders:fly'] }],
    ['unknown_scope', 'its resource is disabled', all, { scopes: ['closed:read'] }],
    ['user_required', 'an OpenID scope without a user', all, { scopes: ['openid'] }],
    ['user_required', 'a user-bound item without a user', all, { scopes: ['orders:mine'] }],
    ['granted', 'a user-bound item with a user', all, { scopes: ['orders:mine'], userId: 'usr' }],
    ['granted', 'an OpenID scope with a user', all, { scopes: ['openid'], userId: 'usr' }],
    [
      'client_not_granted',
      'offline_access for an application that may not refresh',
      all,
      { scopes: ['offline_access'], userId: 'usr', mayRefresh: false },
    ],
    [
      'client_not_granted',
      'it holds it, but it is not in its limit',
      all,
      { scopeLimit: ['openid'] },
    ],
    [
      'client_not_granted',
      'an OpenID scope that is not in its limit',
      all,
      { scopes: ['email'], userId: 'usr', scopeLimit: ['openid'] },
    ],
    ['granted', 'it is in its limit', all, { scopeLimit: ['orders:read'] }],
    ['client_not_granted', 'a limit gives nothing', {}, { scopeLimit: ['orders:read'] }],
    ['resource_mismatch', 'resource names another API', all, { audiences: ['https://else.test'] }],
    ['granted', 'resource names its API', all, { audiences: ['https://orders.test'] }],
    ['client_not_granted', 'the application holds nothing', {}, {}],
    ['client_not_granted', 'it holds another item', { application: [grant('orders:write')] }, {}],
    [
      'client_not_granted',
      'a deny overrides an allow',
      { application: [grant('orders:*'), grant('orders:read', { effect: 'deny' })] },
      {},
    ],
    [
      'granted',
      'a deny whose condition does not hold does nothing',
      {
        application: [
          grant('orders:*'),
          grant('orders:*', { effect: 'deny', condition: elsewhere }),
        ],
      },
      {},
    ],
    [
      'client_not_granted',
      'a deny whose condition cannot be answered denies',
      {
        application: [
          grant('orders:*'),
          grant('orders:*', { effect: 'deny', condition: needsAgent }),
        ],
      },
      {},
    ],
    [
      'client_not_granted',
      'a deny whose condition breaks denies',
      {
        application: [grant('orders:*'), grant('orders:*', { effect: 'deny', condition: broken })],
      },
      {},
    ],
    [
      'condition_failed',
      'an allow whose condition breaks refuses',
      { application: [grant('orders:*', { condition: broken })] },
      {},
    ],
    ['granted', 'a key as wide as its application', all, { accessKey: { id: 'ak', scopes: null } }],
    [
      'key_restricted',
      'a key narrower than its application',
      all,
      { accessKey: { id: 'ak', scopes: ['orders:write'] } },
    ],
    [
      'granted',
      'a key restricted by a pattern that covers it',
      all,
      { accessKey: { id: 'ak', scopes: ['orders:*'] } },
    ],
    [
      'granted',
      'a grant of its own widens a narrow key, within its application',
      { ...all, key: [grant('orders:read')] },
      { accessKey: { id: 'ak', scopes: ['orders:write'] } },
    ],
    [
      'granted',
      'a grant of its own never narrows a wide key',
      { ...all, key: [grant('billing:*', { effect: 'deny' }), grant('orders:write')] },
      { accessKey: { id: 'ak', scopes: null } },
    ],
    [
      'key_restricted',
      'a deny of its own',
      { ...all, key: [grant('orders:*', { effect: 'deny' })] },
      { accessKey: { id: 'ak', scopes: null } },
    ],
    [
      'client_not_granted',
      'a key is never wider than its application',
      {},
      { accessKey: { id: 'ak', scopes: ['orders:read'] } },
    ],
    [
      'user_not_permitted',
      'no role of the user gives it',
      all,
      { scopes: ['orders:refund'], userId: 'usr' },
    ],
    [
      'granted',
      'a parent of a role of the user gives it',
      { ...all, user: [assigned(role('child', [], [role('parent', [grant('orders:refund')])]))] },
      { scopes: ['orders:refund'], userId: 'usr' },
    ],
    [
      'user_not_permitted',
      'a denied role overrides an allowed one',
      {
        ...all,
        user: [
          assigned(role('a', [grant('orders:*')])),
          assigned(role('b', [grant('orders:refund')]), { effect: 'deny' }),
        ],
      },
      { scopes: ['orders:refund'], userId: 'usr' },
    ],
    [
      'granted',
      'a role with a deny whose assignment is over denies nothing',
      {
        ...all,
        user: [
          assigned(role('a', [grant('orders:*')])),
          assigned(role('blocked', [grant('orders:*', { effect: 'deny' })]), { validUntil: 0 }),
        ],
      },
      { scopes: ['orders:refund'], userId: 'usr' },
    ],
    [
      'user_not_permitted',
      'a role with a deny',
      {
        ...all,
        user: [
          assigned(role('a', [grant('orders:*')])),
          assigned(role('blocked', [grant('orders:*', { effect: 'deny' })])),
        ],
      },
      { scopes: ['orders:refund'], userId: 'usr' },
    ],
    [
      'grant_expired',
      'the grant is over',
      { application: [grant('orders:read', { validUntil: NOW.getTime() })] },
      {},
    ],
    [
      'grant_expired',
      'the grant has not begun',
      { application: [grant('orders:read', { validFrom: NOW.getTime() + 1 })] },
      {},
    ],
    [
      'grant_expired',
      'the assignment is over',
      {
        ...all,
        user: [assigned(role('a', [grant('orders:*')]), { validUntil: NOW.getTime() - HOUR_MS })],
      },
      { scopes: ['orders:refund'], userId: 'usr' },
    ],
    [
      'granted',
      'its condition holds',
      { application: [grant('orders:*', { condition: inOffice })] },
      {},
    ],
    [
      'condition_failed',
      'its condition does not hold',
      { application: [grant('orders:read', { condition: elsewhere })] },
      {},
    ],
    [
      'context_missing',
      'its condition asks for what is not there',
      { application: [grant('orders:read', { condition: needsAgent })] },
      {},
    ],
    [
      'granted',
      'another grant gives it without the condition',
      { application: [grant('orders:read', { condition: elsewhere }), grant('orders:*')] },
      {},
    ],
    [
      'granted',
      'a role that was given to the application',
      { service: [assigned(role('robot', [grant('orders:read')]))] },
      {},
    ],
    [
      'mfa_required',
      'a second factor would satisfy the condition',
      { application: [grant('orders:read', { condition: withSecondFactor })] },
      signedInWith('pwd'),
    ],
    [
      'granted',
      'the second factor was there',
      { application: [grant('orders:read', { condition: withSecondFactor })] },
      signedInWith('mfa'),
    ],
    [
      'granted',
      'something stronger was there',
      { application: [grant('orders:read', { condition: withSecondFactor })] },
      signedInWith('phr'),
    ],
    [
      'condition_failed',
      'a second factor alone would not help',
      { application: [grant('orders:read', { condition: withFactorElsewhere })] },
      signedInWith('pwd'),
    ],
    [
      'context_missing',
      'nobody signed in, so no login can be stronger',
      { application: [grant('orders:read', { condition: withSecondFactor })] },
      {},
    ],
    [
      'consent_withheld',
      'the resource owner unticked it',
      all,
      { userId: 'usr', withheld: new Set(['orders:read']) },
    ],
  ])('%s: %s', (expected, _why, world, question) => {
    expect(answer(world, question)).toBe(expected)
  })
})

test('each item is decided on its own, in the order of the request', () => {
  const decisions = ask(all, { scopes: ['orders:write', 'nope', 'orders:read'] })
  expect(decisions.map(({ scope, granted }) => [scope, granted])).toEqual([
    ['orders:write', true],
    ['nope', false],
    ['orders:read', true],
  ])
})

test('the path names the grant that decided', () => {
  const [decision] = ask({ application: [grant('orders:read', { id: 'grn_x' })] })
  const [rule] = decision?.rules ?? []
  expect([rule?.rule, rule?.ways[0]?.grant.id, rule?.ways[0]?.outcome]).toEqual([
    'application',
    'grn_x',
    'met',
  ])
})

test('a cycle of roles ends', () => {
  const a = role('a', [])
  const b = role('b', [grant('orders:refund')], [a])
  roles.set(a.id, { ...a, parentIds: [b.id] })
  const question = { scopes: ['orders:refund'], userId: 'usr' }
  expect(answer({ ...all, user: [assigned(a)] }, question)).toBe('granted')
})

describe('what others were given is as if it did not exist', () => {
  const of = (source: string, more: object = {}) =>
    grant('orders:read', { condition: compileCondition(source), ...more })
  const own = of(conditionForUser('usr'))
  const others = of(conditionForUser('usr_bob'))
  const over = { validUntil: NOW.getTime() - HOUR_MS }
  const asUsr = { ...signedInWith('pwd') }
  const user = { ...asUsr, context: contextWith({ user: { id: 'usr' } }) }

  function contextWith(more: object) {
    const { context } = signedInWith('pwd')
    if (!context) throw new Error('no context')
    return { ...context, ...more }
  }

  test.each<[string, string, World, Partial<Question>, number]>([
    ['client_not_granted', 'another user’s', { application: [others] }, user, 0],
    ['client_not_granted', 'a user’s, to a machine', { application: [own] }, {}, 0],
    [
      'client_not_granted',
      'one instance’s',
      { application: [of(conditionForInstance('a'))] },
      user,
      0,
    ],
    [
      'client_not_granted',
      'another user’s that is over',
      { application: [of(conditionForUser('usr_bob'), over)] },
      user,
      0,
    ],
    [
      'grant_expired',
      'one’s own that is over',
      { application: [of(conditionForUser('usr'), over)] },
      user,
      1,
    ],
    ['granted', 'one’s own beside another’s', { application: [others, own] }, user, 1],
    [
      'condition_failed',
      'a condition that somebody wrote',
      { application: [of('user.id == "x" || false')] },
      user,
      1,
    ],
    [
      'client_not_granted',
      'a deny for all beside another’s',
      { application: [others, grant('orders:*', { effect: 'deny' })] },
      user,
      1,
    ],
    [
      'granted',
      'another’s deny',
      { application: [grant('orders:*'), of(conditionForUser('usr_bob'), { effect: 'deny' })] },
      user,
      1,
    ],
    [
      'client_not_granted',
      'one’s own deny',
      { application: [grant('orders:*'), of(conditionForUser('usr'), { effect: 'deny' })] },
      user,
      2,
    ],
  ])('Q105: %s: %s', (code, _what, world, more, ways) => {
    expect(answer(world, more)).toBe(code)
    const [decision] = ask(world, more)
    expect(decision?.rules[0]?.ways).toHaveLength(ways)
  })

  test('Q105: an explanation names nobody else', () => {
    const world = { application: [others, grant('orders:read', over)] }
    const [decision] = ask(world, user)
    if (!decision) throw new Error('no decision')
    const { nearMisses } = explainScope(policy(world), decision, { ...user, withheld: null })
    expect(nearMisses.map(({ condition }) => condition)).toEqual([undefined])
  })

  test.each([
    ['not_permitted', conditionForInstance('b')],
    ['allowed', conditionForInstance('a')],
    ['condition_failed', 'resource.id == "b" && true'],
  ])('Q105: a check says %s for %s', (code, source) => {
    const world = policy({ application: [of(source)] })
    const subject = { kind: 'client', id: 'app' } as const
    const context = contextWith({ resource: { id: 'a' } })
    const check = { subject, permission: 'orders:read', instance: 'a', context }
    const decision = decidePermission(world, check)
    expect(decision.allowed ? 'allowed' : decision.code).toBe(code)
  })
})
