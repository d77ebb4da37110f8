import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../e2e/support/databases'
import { temporaryFolder } from '../../e2e/support/folder'
import { MAX_ASSIGNMENTS } from '../api/authority/room'
import { type Operator, operator } from '../api/configuration/operator'
import { type Position, passOver, progressOf, START } from '../api/decision/pass'
import { previewImpact } from '../api/impact/routes'
import { createAssignments } from '../api/permissions/assignments'
import { addGroupMember, createGroup } from '../api/permissions/groups'
import { createPermission } from '../api/permissions/permissions'
import { createResource } from '../api/permissions/resources'
import { replaceRolePermissions } from '../api/permissions/role-permissions'
import { createRole } from '../api/permissions/roles'
import { createSpace } from '../api/permissions/spaces'
import { createUser } from '../api/users/users'
import { createOp, type OpenOp } from '../op'
import { readConfig } from '../settings/config'
import type { Source } from '../store/permissions/assignments'

const HOLDERS = 205

describe.each(KINDS)('everybody who holds something, in parts, on %s', (kind) => {
  let op: OpenOp
  let admin: Operator
  const users: string[] = []
  let clerk = ''
  let chief = ''
  let group = ''
  const space = { space: 'shop' }

  async function newRole(key: string, parents: string[]): Promise<string> {
    const body = { key, name: key, parents }
    return (await admin.send('role', createRole, { params: space, body })).id
  }

  async function assign(pairs: [role: string, type: string, id: string][]): Promise<void> {
    const assignments = pairs.map(([role, type, id]) => ({ role, subject: { type, id } }))
    for (let at = 0; at < assignments.length; at += 50) {
      const body = { assignments: assignments.slice(at, at + 50) }
      await admin.send('assignments', createAssignments, { params: space, body })
    }
  }

  beforeAll(async () => {
    const DATABASE_URL = await freshDatabase[kind]()
    const env = { DATABASE_URL, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }
    op = await createOp(readConfig(env))
    await op.inOneTransaction(async (inside) => {
      admin = operator(inside)
      await admin.send('space', createSpace, { body: { key: 'shop', name: 'Shop' } })
      const api = { audience: 'https://orders.test', prefix: 'orders', name: 'Orders' }
      await admin.send('api', createResource, { params: space, body: api })
      const item = { key: 'orders:read', resource: 'orders', descriptions: { en: 'See orders' } }
      await admin.send('permission', createPermission, { params: space, body: item })
      clerk = await newRole('clerk', [])
      chief = await newRole('chief', ['clerk'])
      for (let at = 0; at <= HOLDERS; at += 1) {
        const body = { username: `user${at}` }
        users.push((await admin.send('user', createUser, { body })).id)
      }
      const body = { key: 'team', name: 'Team' }
      group = (await admin.send('group', createGroup, { body })).id
      // Two are in the group and hold the role as well; the last one is only in the group.
      for (const user of [...users.slice(0, 2), ...users.slice(-1)]) {
        await admin.send('member', addGroupMember, { params: { group, user } })
      }
      await assign(users.slice(0, HOLDERS).map((id) => ['clerk', 'user', id]))
      await assign([
        ['chief', 'user', users[0] ?? ''],
        ['chief', 'group', group],
      ])
    })
    admin = operator(op)
  })
  afterAll(() => op.close())

  test('each is looked at once, however many ways lead to them', async () => {
    const sources: Source[] = [
      { of: 'users', role: clerk },
      { of: 'users', role: chief },
      { of: 'users', group },
    ]
    const seen: string[] = []
    const progress: number[] = []
    let parts = 0
    for (let at: Position | null = START; at !== null; parts += 1) {
      at = await passOver(op, sources, at, async (_policy, subjects) => {
        seen.push(...subjects.map(({ id }) => id))
        return true // one batch at a time
      })
      progress.push(progressOf(sources, at))
    }
    expect(parts).toBeGreaterThan(3)
    expect(seen.sort()).toEqual([...users].sort())
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
    expect(progress.at(-1)).toBe(1)
  })

  test('a preview counts everybody whom a change of a role concerns', async () => {
    const change = { kind: 'role_permissions', role: 'clerk', permissions: [] as object[] }
    const preview = (permissions: object[]) =>
      admin.send('preview', previewImpact, {
        params: space,
        body: { change: { ...change, permissions } },
      })
    const gained = await preview([{ pattern: 'orders:read' }])
    expect(gained).toMatchObject({ total: users.length, next: null, progress: 1 })
    expect(gained.affected[0]?.gains).toEqual(['orders:read'])
    await admin.send('permissions', replaceRolePermissions, {
      params: { ...space, role: 'clerk' },
      body: { permissions: [{ pattern: 'orders:read' }] },
    })
    expect(await preview([])).toMatchObject({ total: users.length })
    expect(await preview([{ pattern: 'orders:read' }])).toMatchObject({ total: 0, affected: [] })
  })

  test('a position of another preview is refused', async () => {
    const change = { kind: 'delete_role', role: 'clerk' }
    await expect(
      admin.send('preview', previewImpact, { params: space, body: { change, after: 'x.y' } }),
    ).rejects.toThrow('/after')
  })

  test('409 with the limit for a subject that would hold too many', async () => {
    const [user = ''] = users
    const now = op.now()
    // As many as are allowed: through the API this would take minutes.
    await op.db.$executeRaw`
      WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_ASSIGNMENTS})
      INSERT INTO "Assignment" ("id", "roleId", "userId", "instance", "createdAt", "updatedAt")
      SELECT 'asg_many_' || i, ${clerk}, ${user}, 'order-' || i, ${now}, ${now} FROM n`
    await expect(assign([['clerk', 'user', user]])).rejects.toThrow(
      `can hold at most ${MAX_ASSIGNMENTS} assignments`,
    )
  })
})
