import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { conditionForUser } from '../../access/request-rules'
import { createUser, removeUser } from '../accounts/users'
import { type Database, openDatabase } from '../database/database'
import { cleanUp } from '../operations/clean-up'
import { insertAssignments } from '../permissions/assignments'
import { listGrants, listHeld, removeGrants, replaceGrants } from '../permissions/grants'
import { addMember, insertGroup } from '../permissions/groups'
import { insertRole } from '../permissions/roles'
import { insertSpace } from '../permissions/spaces'
import { insertApprovedGrants } from './approved-access'
import { listDeciders } from './approvers'

const NOW = new Date('2026-11-15T12:00:00.000Z')
const inDays = (count: number) => new Date(NOW.getTime() + count * 24 * 60 * 60 * 1000)
const TERMS = { condition: null, validFrom: null, validUntil: null }

describe.each(KINDS)('what approved requests gave, on %s', (kind) => {
  let db: Database
  const user = (name: string) => {
    const person = { name, emailVerified: true, adminRole: null, passwordHash: 'h' }
    return db.$transaction((tx) => createUser(tx, { ...person, email: `${name}@x.org` }, NOW))
  }

  beforeAll(async () => {
    db = await openDatabase(await freshDatabase[kind]())
    const lists = { authMethods: [], grantTypes: [], redirectUris: [], postLogoutRedirectUris: [] }
    const scopes = { origins: [], requiredScopes: [], defaultScopes: [], branding: {} }
    const stamps = { createdAt: NOW, updatedAt: NOW }
    await db.application.create({
      data: { id: 'app', name: 'App', kind: 'web', ...lists, ...scopes, ...stamps },
    })
  })
  afterAll(() => db.$disconnect())

  const give = (id: string, userId: string, validUntil: Date) => {
    const whose = { applicationId: 'app', requestId: `req ${id}` }
    const terms = { pattern: 'orders:read', condition: conditionForUser(userId), validUntil }
    return db.$transaction((tx) => insertApprovedGrants(tx, [{ id, ...whose, ...terms }], NOW))
  }
  const held = async () =>
    (await db.grant.findMany({ where: { applicationId: 'app' } })).map(({ id }) => id)

  test('Q43: replacing or cleaning up the grants of an application neither shows nor removes it', async () => {
    await give('grn_a', 'usr_a', inDays(1))
    const plain = {
      pattern: 'orders:write',
      exchangeFrom: null,
      effect: 'allow',
      ...TERMS,
    } as const
    for (const grants of [[plain], []]) {
      await db.$transaction((tx) => replaceGrants(tx, 'app', grants, NOW))
      expect(await listGrants(db, 'app')).toHaveLength(grants.length)
    }
    expect(await held()).toEqual(['grn_a'])
    // The clean-up of what is not used takes only what was written.
    const holder = { applicationId: 'app' }
    expect(await listHeld(db, holder)).toEqual([])
    expect(await db.$transaction((tx) => removeGrants(tx, holder, ['grn_a']))).toBe(0)
    expect(await held()).toEqual(['grn_a'])
  })

  test('it goes a week after its end, and with its user', async () => {
    const id = await user('bob')
    await give('grn_b', id, inDays(1))
    await give('grn_c', 'usr_a', inDays(-6))
    await give('grn_d', 'usr_a', inDays(-8))
    await cleanUp(db, kind, NOW)
    expect((await held()).sort()).toEqual(['grn_a', 'grn_b', 'grn_c'])
    await db.$transaction((tx) => removeUser(tx, { id, version: 1 }))
    expect((await held()).sort()).toEqual(['grn_a', 'grn_c'])
  })

  test('Q44: a deny through any group takes the role of an approver', async () => {
    const [direct, grouped, free] = [
      await user('direct'),
      await user('grouped'),
      await user('free'),
    ]
    await db.$transaction(async (tx) => {
      await insertSpace(tx, { id: 'spc', key: 'spc', name: 'Space' }, NOW)
      const role = { id: 'rol', spaceId: 'spc', key: 'approver', name: 'Approver' }
      await insertRole(tx, { ...role, description: null, type: 'user' }, NOW)
      for (const key of ['allowed', 'denied'])
        await insertGroup(tx, { id: key, key, name: key }, NOW)
      for (const id of [grouped, free]) await addMember(tx, 'allowed', id, NOW)
      for (const id of [direct, grouped]) await addMember(tx, 'denied', id, NOW)
      const given = (id: string, type: 'user' | 'group', to: string, effect: string) => ({
        id,
        roleId: 'rol',
        instance: null,
        ...TERMS,
        effect,
        subject: { type, id: to },
      })
      const all = [
        given('asg_1', 'user', direct, 'allow'),
        given('asg_2', 'group', 'allowed', 'allow'),
        given('asg_3', 'group', 'denied', 'deny'),
      ]
      await insertAssignments(tx, all, NOW)
    })
    const among = { users: [], groups: [], roles: ['rol'] }
    const deciders = (at: Date) => listDeciders(db, among, at, { most: 10 })
    expect(await deciders(NOW)).toEqual([free])
    // Out of its time it takes nothing.
    const period = { validFrom: NOW, validUntil: inDays(1) }
    await db.assignment.update({ where: { id: 'asg_3' }, data: period })
    expect(await deciders(NOW)).toEqual([free])
    const all = [direct, grouped, free].sort()
    expect([await deciders(inDays(-1)), await deciders(inDays(1))]).toEqual([all, all])
  })
})
