import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import { shop } from '../../../e2e/support/shop'
import { changeApplication } from '../applications/applications'
import { OPERATOR, userCaller } from '../http/caller'
import { changeUser } from '../users/users'
import { callerNow, grantorOf, mayStillGrant, withGrantors } from './grantor'

/** Who answers for what begins later. */

const LATER = new Date('2030-01-01T00:00:00Z')
const owner = userCaller('usr_1', 'owner')

test('only what begins later has a giver, and the operator is none', () => {
  expect(grantorOf(owner, LATER)).toBe('user:usr_1')
  expect(grantorOf({ ...owner, kind: 'client', id: 'app_1' }, LATER)).toBe('client:app_1')
  expect(grantorOf(owner, null)).toBeNull()
  expect(grantorOf(OPERATOR, LATER)).toBeNull()
})

test('in a set that is replaced, what stays keeps its giver, and what changes gets another', () => {
  const row = { pattern: 'orders:read', effect: 'allow', condition: null, validUntil: null }
  const before = [
    { ...row, validFrom: LATER, givenBy: 'user:usr_9' },
    // Given before givers were known.
    { ...row, pattern: 'orders:write', validFrom: LATER, givenBy: null },
  ]
  const after = [
    { ...row, validFrom: new Date(LATER) },
    { ...row, pattern: 'orders:write', validFrom: LATER },
    { ...row, validFrom: LATER, condition: 'true' },
    { ...row, pattern: 'orders:refund', validFrom: null },
  ]
  expect(withGrantors(owner, before, after).map(({ givenBy }) => givenBy)).toEqual([
    'user:usr_9',
    null,
    'user:usr_1',
    null,
  ])
})

describe.each(usually('sqlite'))('when it begins, on %s', (kind) => {
  let portal: Operations
  let roleId = ''

  beforeAll(async () => {
    portal = await openOperations(kind, {
      users: [
        { username: 'root', adminRole: 'owner' },
        { username: 'adam', adminRole: 'admin' },
        { username: 'audrey', adminRole: 'auditor' },
        { username: 'mia', adminRole: 'app_manager' },
        { username: 'ada' },
      ],
      groups: [{ key: 'crew', name: 'Crew', members: ['adam'] }],
      spaces: [
        shop(
          [{ key: 'orders:read' }, { key: 'orders:refund', sensitive: true }],
          [{ key: 'clerk', name: 'Clerk', permissions: [{ pattern: 'orders:read' }] }],
          { openToAppManagers: true },
        ),
      ],
      applications: [
        { id: 'bot', kind: 'machine', name: 'Bot', grants: ['assignments:write'] },
        { id: 'mine', kind: 'machine', name: 'Mine', owner: 'mia' },
        { id: 'theirs', kind: 'machine', name: 'Theirs' },
      ],
    })
    roleId = [...(await portal.op.latestSnapshot()).policy.roles.keys()][0] ?? ''
  })
  afterAll(() => portal.close())

  const giver = async (name: string) => `user:${await portal.idOf(name)}`
  const roleTo = (id: string, type: 'user' | 'group' | 'client' = 'user') =>
    ({ gives: 'role', roleId, subject: { type, id } }) as const
  const permission = (pattern: string, id: string) => {
    const terms = { effect: 'allow', condition: null, validFrom: LATER, validUntil: null }
    return { gives: 'permission', to: { kind: 'application', id }, grant: { pattern, ...terms } }
  }
  const may = (by: string, later: unknown) =>
    mayStillGrant(portal.op, by, later as Parameters<typeof mayStillGrant>[2])

  test('the giver may still give it, or it does not begin', async () => {
    const given = roleTo(await portal.idOf('ada'))
    expect(await may(await giver('adam'), given)).toBe(true)
    expect(await may(await giver('audrey'), given)).toBe(false)
    expect(await may(await giver('ada'), given)).toBe(false)
  })

  test('nobody who is gone or unknown gives anything', async () => {
    const given = roleTo(await portal.idOf('ada'))
    for (const by of ['user:usr_gone', 'client:app_gone', 'user:', '', 'system:operator']) {
      expect([by, await may(by, given)]).toEqual([by, false])
      expect(await callerNow(portal.op, by)).toBeNull()
    }
  })

  test('nor does somebody who was disabled or lost their rank in the meantime', async () => {
    const by = await giver('adam')
    const given = roleTo(await portal.idOf('ada'))
    const change = (body: object) =>
      portal.ask(portal.owner, changeUser, { params: { user: 'adam' }, body })
    await change({ enabled: false })
    expect(await may(by, given)).toBe(false)
    await change({ enabled: true, adminRole: 'auditor' })
    expect(await may(by, given)).toBe(false)
    await change({ adminRole: 'admin' })
    expect(await may(by, given)).toBe(true)
  })

  test('an admin gives nothing to themselves; an owner does', async () => {
    for (const [name, expected] of [
      ['adam', false],
      ['root', true],
    ] as const) {
      expect(await may(await giver(name), roleTo(await portal.idOf(name)))).toBe(expected)
    }
  })

  test('whoever joined the group since then did not give it to themselves', async () => {
    const { id } = await portal.op.db.group.findUniqueOrThrow({ where: { key: 'crew' } })
    expect(await may(await giver('adam'), roleTo(id, 'group'))).toBe(true)
  })

  test('an app manager gives ordinary permissions of an open API to their own applications', async () => {
    const by = await giver('mia')
    expect(await may(by, permission('orders:read', 'mine'))).toBe(true)
    expect(await may(by, permission('orders:refund', 'mine'))).toBe(false)
    expect(await may(by, permission('orders:read', 'theirs'))).toBe(false)
    expect(await may(by, roleTo(await portal.idOf('ada')))).toBe(false)
  })

  test('an application gives what it still holds the scope for, until it is disabled', async () => {
    const given = roleTo(await portal.idOf('ada'))
    expect(await may('client:bot', given)).toBe(true)
    // It may give people roles, and applications no permissions.
    expect(await may('client:bot', permission('orders:read', 'mine'))).toBe(false)
    await portal.ask(portal.owner, changeApplication, {
      params: { id: 'bot' },
      body: { enabled: false },
    })
    expect(await may('client:bot', given)).toBe(false)
  })
})
