import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import { mistakeIn, problemIn } from '../../../e2e/support/problem-in'
import { shop } from '../../../e2e/support/shop'
import { decidePermission } from '../../access/check'
import type { Policy } from '../../access/policy'
import { changeSchema, type ImpactChange, previewOf } from './change'

/** What the policy would be after a change; the policy in use stays as it is. */

describe('a change', () => {
  test.each<[object, string]>([
    [{ kind: 'delete_role', role: 'clerk' }, 'none'],
    [{ kind: 'delete_role' }, 'required'],
    [{ kind: 'delete_everything' }, 'one_of'],
    [{ kind: 'role_parents', role: 'clerk', parents: 'chief' }, 'list_needed'],
    [{ kind: 'assign', role: 'clerk', subject: { type: 'role', id: 'x' } }, 'one_of'],
    [{ kind: 'adjust_role', role: 'clerk', add: [{ pattern: '*' }] }, 'pattern_shape'],
    [{ kind: 'unassign', assignment: 'asg_1', role: 'clerk' }, 'unrecognized_keys'],
  ])('%j: %s', (change, mistake) => {
    expect(mistakeIn(changeSchema, change)).toBe(mistake)
  })
})

describe.each(usually('sqlite'))('the policy after a change, on %s', (kind) => {
  let portal: Operations
  let spaceId = ''
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    const role = (key: string, pattern: string, parents: string[] = []) => ({
      key,
      name: key,
      parents,
      permissions: [{ pattern }],
    })
    const holds = (role: string, type: string, id: string, instance: string | null = null) => ({
      space: 'shop',
      role,
      subject: { type, id },
      instance,
    })
    portal = await openOperations(kind, {
      users: ['ada', 'ben', 'cleo'].map((username) => ({ username })),
      groups: [{ key: 'crew', name: 'Crew', members: ['cleo'] }],
      spaces: [
        shop(
          [{ key: 'orders:read' }, { key: 'orders:refund' }],
          [role('reader', 'orders:read'), role('clerk', 'orders:refund', ['reader'])],
        ),
        { key: 'other', name: 'Other', roles: [{ key: 'far', name: 'Far' }] },
      ],
      applications: [{ id: 'bot', kind: 'machine', name: 'Bot', grants: ['orders:read'] }],
      assignments: [holds('clerk', 'user', 'ada'), holds('reader', 'group', 'crew')],
    })
    for (const name of ['ada', 'ben', 'cleo']) ids[name] = await portal.idOf(name)
    spaceId = (await portal.op.db.space.findUniqueOrThrow({ where: { key: 'shop' } })).id
    ids.crew = (await portal.op.db.group.findUniqueOrThrow({ where: { key: 'crew' } })).id
    const held = await portal.op.db.assignment.findFirst({ where: { userId: ids.ada ?? '' } })
    ids.assignment = held?.id ?? ''
  })
  afterAll(() => portal.close())

  const world = async () => {
    const users = ['ada', 'ben', 'cleo'].map((name) => ids[name] ?? '')
    return (await portal.op.latestSnapshot({ users, clients: ['bot'] })).policy
  }
  const holding = (policy: Policy) =>
    ['ada', 'ben', 'cleo', 'bot'].flatMap((name) =>
      ['orders:read', 'orders:refund'].flatMap((permission) => {
        const subject =
          name === 'bot'
            ? ({ kind: 'client', id: name } as const)
            : ({ kind: 'user', id: ids[name] ?? '' } as const)
        const context = {
          request: { time: portal.op.now() },
          ...{ client: {}, resource: {}, user: {}, auth: {}, subject: {}, action: {} },
        }
        const check = { subject, permission, instance: null, context }
        return decidePermission(policy, check).allowed ? [`${name} ${permission.slice(7)}`] : []
      }),
    )
  const NOW = ['ada read', 'ada refund', 'cleo read', 'bot read']

  async function after(change: ImpactChange): Promise<string[]> {
    const before = await world()
    const preview = await previewOf(portal.op, spaceId, changeSchema.parse(change))
    const made = holding(preview.after(before))
    expect(holding(before)).toEqual(NOW)
    return made
  }
  const subject = (type: 'user' | 'client' | 'group', name: string) => ({
    type,
    id: ids[name] ?? name,
  })

  test.each<[string, () => ImpactChange, string[]]>([
    [
      'other permissions of a role: also for those who hold a role below it',
      () => ({ kind: 'role_permissions', role: 'reader', permissions: [] }),
      ['ada refund', 'bot read'],
    ],
    [
      'one more, and one less',
      () => ({
        kind: 'adjust_role',
        role: 'reader',
        add: [{ pattern: 'orders:refund' }],
        remove: ['orders:read'],
      }),
      ['ada refund', 'cleo refund', 'bot read'],
    ],
    [
      'no parents',
      () => ({ kind: 'role_parents', role: 'clerk', parents: [] }),
      ['ada refund', 'cleo read', 'bot read'],
    ],
    ['no role', () => ({ kind: 'delete_role', role: 'clerk' }), ['cleo read', 'bot read']],
    [
      'a role for a user',
      () => ({ kind: 'assign', role: 'clerk', subject: subject('user', 'ben') }),
      ['ada read', 'ada refund', 'ben read', 'ben refund', 'cleo read', 'bot read'],
    ],
    [
      'a role for an application',
      () => ({ kind: 'assign', role: 'clerk', subject: subject('client', 'bot') }),
      [...NOW, 'bot refund'],
    ],
    [
      'a role that denies',
      () => ({ kind: 'assign', role: 'reader', subject: subject('user', 'ada'), effect: 'deny' }),
      ['ada refund', 'cleo read', 'bot read'],
    ],
    [
      'a role that begins later',
      () => ({
        kind: 'assign',
        role: 'clerk',
        subject: subject('user', 'ben'),
        validFrom: '2090-01-01T00:00:00Z',
      }),
      NOW,
    ],
    [
      'an assignment that goes',
      () => ({ kind: 'unassign', assignment: ids.assignment ?? '' }),
      ['cleo read', 'bot read'],
    ],
    [
      'an assignment that is over',
      () => ({
        kind: 'change_assignment',
        assignment: ids.assignment ?? '',
        validUntil: '2000-01-01T00:00:00Z',
      }),
      ['cleo read', 'bot read'],
    ],
    ['one that is not there', () => ({ kind: 'unassign', assignment: 'asg_gone' }), NOW],
    [
      'other grants of an application',
      () => ({
        kind: 'application_grants',
        application: 'bot',
        grants: [{ pattern: 'orders:refund' }],
      }),
      ['ada read', 'ada refund', 'cleo read', 'bot refund'],
    ],
    [
      'one more grant',
      () => ({
        kind: 'adjust_application',
        application: 'bot',
        add: [{ pattern: 'orders:*' }],
        remove: [],
      }),
      [...NOW, 'bot refund'],
    ],
  ])('%s', async (_what, change, holds) => {
    expect((await after(change())).sort()).toEqual([...holds].sort())
  })

  test.each<[string, ImpactChange, string]>([
    [
      'a role of another space',
      { kind: 'delete_role', role: 'far' },
      'invalid /change/role unknown_role',
    ],
    [
      'a parent of another space',
      { kind: 'role_parents', role: 'clerk', parents: ['far'] },
      'invalid /change/role unknown_role',
    ],
    [
      'a circle',
      { kind: 'role_parents', role: 'reader', parents: ['clerk'] },
      'conflict /parents cycle',
    ],
    [
      'a permission that is not there',
      { kind: 'role_permissions', role: 'clerk', permissions: [{ pattern: 'orders:none' }] },
      'invalid /change/permissions/0 unknown_permission',
    ],
    [
      'a permission of the portal for a role',
      { kind: 'adjust_role', role: 'clerk', add: [{ pattern: 'users:write' }] },
      'invalid /change/add/0 unknown_permission',
    ],
  ])('%s is refused as the change itself would be', async (_what, change, told) => {
    const step = () => previewOf(portal.op, spaceId, changeSchema.parse(change))
    expect(await problemIn(step)).toBe(told)
  })
})
