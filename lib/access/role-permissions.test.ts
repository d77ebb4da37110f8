import { describe, expect, test } from 'vitest'
import { compileCondition } from './condition'
import { type Grant, grantSet, type Policy, type Role } from './policy'
import { rolePermissions } from './role-permissions'

const NOW = new Date('2026-06-01T12:00:00Z')
const api = { id: 'api', spaceId: 'spc', audience: 'a', prefix: 'o', enabled: true }
const GOVERNED = { owners: [], openToAppManagers: false, introspectors: [], published: null }
const item = (scope: string) => ({
  scope,
  api: {
    ...api,
    ...GOVERNED,
    subpaths: false,
    tokenSeconds: 60,
    tokenAlg: null,
    tokenType: 'at+jwt' as const,
  },
  userBound: false,
  needsRole: false,
  sensitive: false,
})

function grant(pattern: string, terms: Partial<Grant> = {}): Grant {
  const plain = { effect: 'allow' as const, condition: null, validFrom: null, validUntil: null }
  return { id: `grn_${pattern}`, pattern, ...plain, ...terms }
}

function role(id: string, parentIds: string[], ...grants: Grant[]): Role {
  return { id, key: id, spaceId: 'spc', parentIds, grants: grantSet(grants) }
}

function gives(...roles: [Role, ...Role[]]) {
  const policy: Policy = {
    items: new Map(['o:read', 'o:write'].map((scope) => [scope, item(scope)])),
    apisByAudience: new Map(),
    roles: new Map(roles.map((one) => [one.id, one])),
    applications: new Map(),
    accessKeyGrants: new Map(),
    users: new Map(),
  }
  const all = rolePermissions(policy, roles[0], NOW)
  return Object.fromEntries(all.map(({ permission, gives: state }) => [permission, state]))
}

describe('what a role gives', () => {
  const condition = compileCondition('auth.age < 300.0')
  const past = NOW.getTime() - 1

  test.each([
    ['by name and by pattern', [grant('o:*')], { 'o:read': 'held', 'o:write': 'held' }],
    ['nothing that is not registered', [grant('o:gone')], {}],
    [
      'a deny overrides',
      [grant('o:read'), grant('o:*', { effect: 'deny' })],
      {
        'o:read': 'denied',
        'o:write': 'denied',
      },
    ],
    ['a condition leaves it open', [grant('o:read', { condition })], { 'o:read': 'depends' }],
    [
      'also a deny with a condition',
      [grant('o:read'), grant('o:read', { effect: 'deny', condition })],
      { 'o:read': 'depends' },
    ],
    ['what has ended', [grant('o:read', { validUntil: past })], { 'o:read': 'not_now' }],
    [
      'a deny that has ended',
      [grant('o:read'), grant('o:read', { effect: 'deny', validUntil: past })],
      { 'o:read': 'held' },
    ],
  ])('%s', (_title, grants, expected) => {
    expect(gives(role('a', [], ...grants))).toEqual(expected)
  })

  test('through roles above, with the way there', () => {
    const top = role('top', [], grant('o:read'))
    const middle = role('middle', ['top'])
    expect(gives(role('low', ['middle']), middle, top)).toEqual({ 'o:read': 'held' })
  })
})
