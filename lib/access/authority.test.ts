import { describe, expect, test } from 'vitest'
import {
  ADMIN_ROLES,
  type AdminRole,
  ALWAYS,
  type Authority,
  type GovernedApi,
  type HeldLimits,
  heldThrough,
  isWithin,
  type Limits,
  missingFor,
  type Privilege,
  roleHolds,
  type ScopePrivilege,
} from './authority'
import { type Condition, type Grant, grantSet, type Policy } from './policy'

const SCOPES = [
  'users:read',
  'users:write',
  'admin-roles:write',
  'applications:read',
  'applications:write',
  'resources:read',
  'resources:write',
  'spaces:read',
  'permissions:read',
  'scopes:decide',
  'assignments:write',
  'settings:write',
  'sign-in:write',
  'outbox:read',
  'audit:read',
]

const scopesOf = (role: AdminRole) => SCOPES.filter((scope) => roleHolds(role, scope))

function person(adminRole: AdminRole | null, more: Partial<Authority> = {}): Authority {
  const held = new Set(adminRole === null ? [] : scopesOf(adminRole))
  const holds = (scope: string): HeldLimits | null => (held.has(scope) ? [] : null)
  const who = { kind: 'user', id: 'usr_me', inPerson: true } as const
  return { ...who, adminRole, holds, ownsApis: new Set(), ...more }
}

function machine(...scopes: string[]): Authority {
  const holds = (scope: string): HeldLimits | null => (scopes.includes(scope) ? [[ALWAYS]] : null)
  const who = { kind: 'client', id: 'app_me', inPerson: false } as const
  return { ...who, adminRole: null, holds, ownsApis: new Set() }
}

const OPERATOR: Authority = { ...machine(), kind: 'system' }

const orders: GovernedApi = { id: 'api_orders', prefix: 'orders', openToAppManagers: false }
const open: GovernedApi = { ...orders, openToAppManagers: true }

function given(scope: string, more: Partial<ScopePrivilege> = {}): ScopePrivilege {
  return { ...ALWAYS, scope, api: null, ordinary: false, at: null, ...more }
}

const what = (authority: Authority, ...privileges: Privilege[]) =>
  missingFor(authority, privileges).map((missing) => missing.what)

describe('an admin role', () => {
  const role = (of: AdminRole): Privilege => ({ gives: 'admin_role', scopes: scopesOf(of) })
  const table: [string, Authority, AdminRole[]][] = [
    ['an owner', person('owner'), [...ADMIN_ROLES]],
    ['an admin', person('admin'), ['admin', 'auditor', 'app_manager']],
    ['an auditor', person('auditor'), []],
    ['an app manager', person('app_manager'), []],
    ['a plain user', person(null), []],
    ['a machine with users:write', machine('users:write'), []],
    ['a machine with admin-roles:write', machine('users:write', 'admin-roles:write'), []],
    ['a machine with all of it', machine(...SCOPES), [...ADMIN_ROLES]],
    ['the operator', OPERATOR, [...ADMIN_ROLES]],
  ]
  test.each(table)('is given by %s as far as they hold it', (_who, authority, roles) => {
    const may = ADMIN_ROLES.filter((one) => missingFor(authority, [role(one)]).length === 0)
    expect(may).toEqual(roles)
  })

  test('that is held only under a condition cannot be given', () => {
    const limited: Limits = { ...ALWAYS, condition: 'request.ip == "10.0.0.1"' }
    const authority = { ...machine(), holds: () => [[limited]] }
    expect(what(authority, role('auditor'))).toContain('audit:read')
  })
})

describe('somebody’s account', () => {
  const account = (of: AdminRole | null, apis: GovernedApi[] = []): Privilege => ({
    gives: 'account',
    scopes: of === null ? [] : scopesOf(of),
    apis,
  })

  test('of a plain person is anybody’s who may change users', () => {
    expect(what(machine('users:write'), account(null))).toEqual([])
  })
  test('of an owner is not an admin’s', () => {
    expect(what(person('admin'), account('owner'))).toEqual(['sign-in:write', 'outbox:read'])
    expect(what(person('owner'), account('owner'))).toEqual([])
  })
  test('of whoever owns an API is for those who govern it', () => {
    expect(what(machine('users:write'), account(null, [orders]))).toEqual(['orders:*'])
    expect(what(machine('users:write', 'resources:write'), account(null, [orders]))).toEqual([])
  })
})

describe('a grant to an application', () => {
  const grants = (...all: ScopePrivilege[]): Privilege => ({ gives: 'grants', grants: all })
  const item = (more: Partial<ScopePrivilege>) => given('orders:read', { api: orders, ...more })

  test('of the portal’s own: what the caller holds', () => {
    expect(what(machine('users:read'), grants(given('users:read')))).toEqual([])
    expect(what(machine('users:read'), grants(given('users:write')))).toEqual(['users:write'])
  })
  test('of the portal’s own: never by an app manager', () => {
    const privilege = grants(given('applications:write'))
    expect(missingFor(person('app_manager'), [privilege])).toEqual([
      { what: 'applications:write', at: null, from: [{ role: 'owner' }, { role: 'admin' }] },
    ])
  })
  test('of an API: by those who govern it', () => {
    const privilege = grants(item({ ordinary: true }))
    expect(what(person('admin'), privilege)).toEqual([])
    expect(what(person('app_manager', { ownsApis: new Set(['api_orders']) }), privilege)).toEqual(
      [],
    )
    expect(what(machine('applications:write'), privilege)).toEqual(['orders:read'])
    expect(missingFor(person('app_manager'), [privilege])).toEqual([
      { what: 'orders:read', at: null, from: [{ apiOwner: 'orders' }, { role: 'admin' }] },
    ])
  })
  test('of an open API: ordinary items are taken, others are given', () => {
    expect(what(person('app_manager'), grants(item({ api: open, ordinary: true })))).toEqual([])
    expect(what(person('app_manager'), grants(item({ api: open })))).toEqual(['orders:read'])
  })
})

describe('acting as an application', () => {
  const acting = (ownerId: string | null, ...grants: ScopePrivilege[]): Privilege => ({
    gives: 'application',
    grants,
    ownerId,
  })
  const refund = given('orders:refund', { api: orders })

  test('its owner is trusted with its API items, not with the portal’s scopes', () => {
    const me = person('app_manager')
    expect(what(me, acting('usr_me', refund))).toEqual([])
    expect(what(me, acting('usr_other', refund))).toEqual(['orders:refund'])
    expect(what(me, acting('usr_me', refund, given('users:read')))).toEqual(['users:read'])
  })
  test('a machine cannot become a stronger one', () => {
    const strong = acting(null, given('settings:write'))
    expect(what(machine('applications:write'), strong)).toEqual(['settings:write'])
    expect(what(machine('applications:write', 'settings:write'), strong)).toEqual([])
  })
  test('an id that is the same by chance makes no machine an owner', () => {
    expect(
      what({ ...machine('applications:write'), id: 'usr_me' }, acting('usr_me', refund)),
    ).toEqual(['orders:refund'])
  })
})

test('an application that acts for somebody has nothing of what is theirs as a person', () => {
  const token = person('owner', {
    inPerson: false,
    ownsApis: new Set(['api_orders']),
    holds: () => null,
  })
  const refund = given('orders:refund', { api: orders })
  expect(what(token, { gives: 'grants', grants: [refund] })).toEqual(['orders:refund'])
  expect(what(token, { gives: 'application', grants: [refund], ownerId: 'usr_me' })).toEqual([
    'orders:refund',
  ])
  expect(what(token, { gives: 'own_access' })).toEqual(['own_access'])
})

test('what the caller may do themselves is for somebody else to say, unless nobody is above', () => {
  const own: Privilege = { gives: 'own_access' }
  const refused = ADMIN_ROLES.filter((role) => missingFor(person(role), [own]).length > 0)
  expect(refused).toEqual(['admin', 'auditor', 'app_manager'])
  expect(missingFor(machine(), [own])).toEqual([])
})

describe('terms', () => {
  const limits = (more: Partial<Limits>): Limits => ({ ...ALWAYS, ...more })
  test.each<[string, Partial<Limits>, Partial<Limits>, boolean]>([
    ['none within none', {}, {}, true],
    ['a condition within none', { condition: 'a' }, {}, true],
    ['none within a condition', {}, { condition: 'a' }, false],
    ['the same condition', { condition: 'a' }, { condition: 'a' }, true],
    ['another condition', { condition: 'b' }, { condition: 'a' }, false],
    ['an end within none', { validUntil: 5 }, {}, true],
    ['none within an end', {}, { validUntil: 5 }, false],
    ['a later end', { validUntil: 6 }, { validUntil: 5 }, false],
    ['an earlier beginning', { validFrom: 4 }, { validFrom: 5 }, false],
    ['no beginning', {}, { validFrom: 5 }, false],
    ['a later beginning', { validFrom: 6 }, { validFrom: 5 }, true],
  ])('%s', (_name, inner, outer, expected) => {
    expect(isWithin(limits(inner), limits(outer))).toBe(expected)
  })

  const condition: Condition = { source: 'c', evaluate: () => 'met' }
  const grant = (pattern: string, more: Partial<Grant> = {}): Grant => ({
    id: pattern,
    pattern,
    effect: 'allow',
    condition: null,
    validFrom: null,
    validUntil: null,
    ...more,
  })
  const policyOf = (own: Grant[], key: Grant[] = []): Policy => ({
    items: new Map(),
    apisByAudience: new Map(),
    roles: new Map(),
    applications: new Map([['app', { grants: grantSet(own), assignments: [] }]]),
    accessKeyGrants: new Map([['ak', grantSet(key)]]),
    users: new Map(),
  })
  const through = (
    policy: Policy,
    accessKey: Parameters<typeof heldThrough>[1]['accessKey'] = null,
  ) => heldThrough(policy, { applicationId: 'app', accessKey }, 'users:read')

  test('an application holds on the terms of its grants', () => {
    expect(through(policyOf([grant('users:*', { condition }), grant('users:read')]))).toEqual([
      [limits({}), limits({ condition: 'c' })],
    ])
  })
  test('what is partly denied cannot be given', () => {
    expect(through(policyOf([grant('users:read'), grant('users:*', { effect: 'deny' })]))).toEqual([
      [],
    ])
  })
  test('an access key is a layer of its own, with its end', () => {
    const key = { id: 'ak', scopes: ['orders:read'], expiresAt: 9 }
    const policy = policyOf([grant('users:read')], [grant('users:read', { condition })])
    expect(through(policy, key)).toEqual([
      [limits({})],
      [limits({ validUntil: 9 })],
      [limits({ condition: 'c' })],
    ])
  })
})
