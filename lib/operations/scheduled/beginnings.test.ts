import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { freshConfig } from '../../../e2e/support/fresh-config'
import { incoming } from '../../../e2e/support/protocol'
import { shop } from '../../../e2e/support/shop'
import { isPortalScope } from '../../access/portal-api'
import { replaceApplicationGrants } from '../../api/applications/grants'
import { applyConfiguration } from '../../api/configuration/apply'
import { operator } from '../../api/configuration/operator'
import { configurationSchema } from '../../api/configuration/schema'
import { type Caller, userCaller } from '../../api/http/caller'
import { createAssignment } from '../../api/permissions/assignments'
import { HOUR_MS, MINUTE_MS } from '../../base/time'
import { createOp, type OpenOp } from '../../op'
import { announcePeriods } from './periods'

describe.each(usually('sqlite'))('the beginnings of grants and assignments on %s', (kind) => {
  let one: OpenOp
  let other: OpenOp
  let time = Date.now()
  const inHours = (hours: number) => new Date(time + hours * HOUR_MS).toISOString()

  beforeAll(async () => {
    const config = await freshConfig(kind)
    const clock = () => new Date(time)
    one = await createOp(config, clock)
    other = await createOp(config, clock)
    const users = Array.from({ length: 12 }, (_, at) => ({ username: `user-${at}` }))
    const admins = ['anna', 'ben'].map((username) => ({ username, adminRole: 'admin' }))
    await apply({
      spaces: [
        shop(
          [{ key: 'orders:read' }, { key: 'orders:write' }],
          [{ key: 'clerk', name: 'Clerk', permissions: [{ pattern: 'orders:read' }] }],
        ),
      ],
      users: [...users, ...admins],
      applications: [{ id: 'robot', kind: 'machine', name: 'Robot' }, HAND],
    })
    await both()
  })

  afterAll(async () => {
    await one.close()
    await other.close()
  })

  const HAND = {
    id: 'hand',
    kind: 'machine',
    name: 'Hand',
    grants: [
      'assignments:read',
      'assignments:write',
      'spaces:read',
      'roles:read',
      'users:read',
    ].map((pattern) => ({
      pattern,
    })),
  }
  const apply = (more: object, caller?: Caller) =>
    applyConfiguration(one, configurationSchema.parse({ version: 1, ...more }), {
      env: {},
      dryRun: false,
      ...(caller && { by: { caller, incoming: incoming() } }),
    })
  const both = () => Promise.all([one, other].map((op) => announcePeriods(op, () => true)))
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
  const assign = (id: string, more: object = {}) => ({
    assignments: [
      {
        space: 'shop',
        role: 'clerk',
        subject: { type: 'user', id },
        validFrom: inHours(1),
        ...more,
      },
    ],
  })
  const idOf = async (username: string) => (await one.users.idOf(username)) ?? ''
  const admin = async (username: string) => userCaller(await idOf(username), 'admin')
  const told = async (event: string, targetId: string) =>
    one.db.auditEntry.findMany({ where: { event, targetId }, orderBy: { seq: 'asc' } })
  const assigned = async (username: string) =>
    one.db.assignment.count({ where: { userId: await idOf(username) } })

  test('a beginning is announced once, by whichever server process comes first', async () => {
    await apply(assign('user-0', { validUntil: inHours(3) }))
    expect(sum(await both())).toBe(0)
    time += 2 * HOUR_MS
    expect(sum(await both())).toBe(1)
    expect(sum(await both())).toBe(0)
    const [entry, ...more] = await told('assignment.began', await idOf('user-0'))
    expect(more).toEqual([])
    expect(entry).toMatchObject({ actorKind: 'system', targetKind: 'user' })
    expect(entry?.detail).toMatchObject({ effect: 'allow', from: expect.any(String) })
  })

  test('what begins and ends between two looks is announced in this order', async () => {
    await apply(assign('user-1', { validUntil: inHours(2) }))
    time += 3 * HOUR_MS
    await both()
    const [began] = await told('assignment.began', await idOf('user-1'))
    const [ended] = await told('assignment.ended', await idOf('user-1'))
    expect(began?.seq).toBeLessThan(Number(ended?.seq))
  })

  test('what an admin gave begins if they may still give it', async () => {
    await apply(assign('user-2'), await admin('anna'))
    time += 2 * HOUR_MS
    await both()
    const [entry] = await told('assignment.began', await idOf('user-2'))
    expect(entry?.detail).toMatchObject({ given_by: `user:${await idOf('anna')}` })
    expect(await assigned('user-2')).toBe(1)
  })

  test.each([
    ['is no longer an admin', { adminRole: null }],
    ['is disabled', { enabled: false }],
  ])('it does not begin if whoever gave it %s', async (_what, lost) => {
    await apply(assign('user-3'), await admin('anna'))
    await apply(assign('user-4'))
    await apply({ users: [{ username: 'anna', ...lost }] })
    const userId = await idOf('user-3')
    const before = (await told('assignment.not_begun', userId)).length
    expect(await assigned('user-3')).toBe(1)
    time += HOUR_MS - MINUTE_MS / 2
    await both()
    // Removed before it begins, so it gives nothing even for a moment.
    expect(await assigned('user-3')).toBe(0)
    time += MINUTE_MS
    await both()
    expect((await told('assignment.not_begun', userId)).length).toBe(before + 1)
    expect(await told('assignment.began', userId)).toEqual([])
    expect(await assigned('user-4')).toBeGreaterThan(0)
    await apply({ users: [{ username: 'anna', adminRole: 'admin', enabled: true }] })
  })

  test('what an application gave does not begin without its grants', async () => {
    const credential = (await one.snapshot({ clients: ['hand'] })).credentials.get('hand')
    const hand: Caller = {
      kind: 'client',
      id: 'hand',
      adminRole: null,
      ownOnly: false,
      lost: new Set(),
      scopes: new Set(HAND.grants.map(({ pattern }) => pattern).filter(isPortalScope)),
      through: credential ?? null,
    }
    const give = async (username: string) =>
      operator(one, { caller: hand, incoming: incoming() }).send('the role', createAssignment, {
        params: { space: 'shop' },
        body: {
          role: 'clerk',
          subject: { type: 'user', id: await idOf(username) },
          validFrom: inHours(1),
        },
      })
    await give('user-5')
    time += 2 * HOUR_MS
    await both()
    expect(await told('assignment.began', await idOf('user-5'))).toHaveLength(1)
    await give('user-6')
    await apply({ applications: [{ ...HAND, grants: [] }] })
    time += 2 * HOUR_MS
    await both()
    expect(await told('assignment.began', await idOf('user-6'))).toEqual([])
    expect(await assigned('user-6')).toBe(0)
  })

  test('a deny begins in any case: it gives nothing', async () => {
    await apply(assign('user-7', { effect: 'deny' }), await admin('anna'))
    await apply({ users: [{ username: 'anna', adminRole: null }] })
    time += 2 * HOUR_MS
    await both()
    expect(await told('assignment.began', await idOf('user-7'))).toHaveLength(1)
    await apply({ users: [{ username: 'anna', adminRole: 'admin' }] })
  })

  test('a disabled account keeps it, and the event says so', async () => {
    await apply(assign('user-8'))
    await apply({ users: [{ username: 'user-8', enabled: false }] })
    time += 2 * HOUR_MS
    await both()
    const [entry] = await told('assignment.began', await idOf('user-8'))
    expect(entry?.detail).toMatchObject({ disabled: true })
  })

  test('in a set of grants that somebody else replaces, each keeps its giver', async () => {
    const replace = async (username: string, grants: object[]) =>
      operator(one, { caller: await admin(username), incoming: incoming() }).send(
        'the grants',
        replaceApplicationGrants,
        { params: { id: 'robot' }, body: { grants } },
      )
    const reads = { pattern: 'orders:read', validFrom: inHours(1) }
    const writes = { pattern: 'orders:write', validFrom: inHours(1) }
    await replace('anna', [reads])
    await replace('ben', [reads, writes])
    await apply({ users: [{ username: 'anna', adminRole: null }] })
    time += 2 * HOUR_MS
    await both()
    const detail = async (event: string) => (await told(event, 'robot')).map(({ detail }) => detail)
    expect(await detail('grant.not_begun')).toMatchObject([{ permission: 'orders:read' }])
    expect(await detail('grant.began')).toMatchObject([{ permission: 'orders:write' }])
    const left = await one.db.grant.findMany({ where: { applicationId: 'robot' } })
    expect(left.map(({ pattern }) => pattern)).toEqual(['orders:write'])
    await apply({ users: [{ username: 'anna', adminRole: 'admin' }] })
  })

  test('a permission of a role, too', async () => {
    const permissions = [
      { pattern: 'orders:read' },
      { pattern: 'orders:write', validFrom: inHours(1) },
    ]
    const spaces = [
      { key: 'shop', name: 'Shop', roles: [{ key: 'clerk', name: 'Clerk', permissions }] },
    ]
    await apply({ spaces }, await admin('anna'))
    await apply({ users: [{ username: 'anna', adminRole: null }] })
    time += 2 * HOUR_MS
    await both()
    const role = await one.db.role.findFirst({ where: { key: 'clerk' } })
    expect(await told('grant.not_begun', role?.id ?? '')).toHaveLength(1)
    const left = await one.db.grant.findMany({ where: { roleId: role?.id ?? '' } })
    expect(left.map(({ pattern }) => pattern)).toEqual(['orders:read'])
  })
})
