import { describe, expect, test } from 'vitest'
import { KINDS } from '../../e2e/support/databases'
import { createTestApplication, db, later, NOW, startStore } from '../../e2e/support/store'
import { portalApi } from '../access/portal-api'
import type { Database } from './database'
import { freshSnapshot } from './fresh-snapshot'
import { bumpPolicyVersion } from './policy-version'
import { loadSnapshot, renewSnapshot } from './snapshot'

const OWN = portalApi('http://localhost:3000')

/** Maps in one order, functions by what they were made from. */
function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_name, member) => {
      if (member instanceof Set) return [...member].sort()
      if (!(member instanceof Map)) return member
      return [...member].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    }),
  )
}

/** What every database must do; the same suite for each. */

describe.each(KINDS)('the snapshot on %s', (kind) => {
  startStore(kind)

  describe('the snapshot', () => {
    test('carries what was written, and its version', async () => {
      await seedPolicy(db)
      const { credentials, policy, version } = await loadSnapshot(db, OWN)
      expect(version).toBe((await db.policyVersion.findFirstOrThrow()).version)
      expect(credentials.get('app_1')?.secrets).toEqual([
        { id: 'sec_1', hash: 'hash', expiresAt: later(1_000).getTime() },
      ])
      expect(credentials.get('ak_1')).toMatchObject({
        application: { id: 'app_1' },
        accessKey: { id: 'ak_1', scopes: ['orders:read'], tokenSeconds: 60 },
      })
      expect(policy.items.get('orders:read')?.api.audience).toBe('https://orders.test')
      const held = policy.applications.get('app_1')?.grants.patterns ?? []
      expect(held.map(({ pattern }) => pattern)).toEqual(['orders:*'])
      const assignments = policy.users.get('usr_1')?.assignments ?? []
      const roles = assignments.map(({ roleId }) => policy.roles.get(roleId))
      const parentOf = (id = '') => policy.roles.get(id)?.key
      expect(roles.map((role) => [role?.key, parentOf(role?.parentIds[0])]).sort()).toEqual([
        ['child', 'parent'],
        ['parent', undefined],
      ])
      expect(policy.items.has('roles:read')).toBe(true)
    })

    test('is renewed by what changed, and is then what a whole reading gives', async () => {
      const before = await loadSnapshot(db, OWN)
      const stamps = { createdAt: NOW, updatedAt: NOW }
      await db.$transaction(async (tx) => {
        await tx.assignment.deleteMany({ where: { userId: 'usr_1' } })
        await tx.user.update({ where: { id: 'usr_1' }, data: { attributes: { level: 3 } } })
        await bumpPolicyVersion(tx, [{ kind: 'user', id: 'usr_1' }])
      })
      await db.$transaction(async (tx) => {
        await tx.grant.create({
          data: {
            ...{ id: 'grn_more', applicationId: 'app_1', pattern: 'orders:read', ...stamps },
            ...{ effect: 'deny', condition: 'request.ip == "10.0.0.1"' },
            ...{ validFrom: NOW, validUntil: later(1_000) },
          },
        })
        await tx.application.update({
          where: { id: 'app_1' },
          data: {
            ...{ requirePkce: false, strictScopes: true, disabledAt: NOW, idTokenAlg: 'ES256' },
            ...{ jwks: { keys: [{ kty: 'EC', kid: 'one' }] }, jwksUri: 'https://app.test/jwks' },
            ...{ redirectUris: ['https://app.test/a?b="c"', 'https://app.test/é'] },
          },
        })
        await tx.accessKey.delete({ where: { id: 'ak_1' } })
        await bumpPolicyVersion(tx, [{ kind: 'application', id: 'app_1' }])
      })
      await db.$transaction(async (tx) => {
        await tx.role.updateMany({ where: { key: 'parent' }, data: { key: 'elder' } })
        await bumpPolicyVersion(tx, [{ kind: 'model' }])
      })
      const renewed = await renewSnapshot(db, OWN, before)
      expect(comparable(renewed)).toEqual(comparable(await loadSnapshot(db, OWN)))
      expect(renewed.policy.users.get('usr_1')?.attributes).toEqual({ level: 3 })
      const { application } = renewed.credentials.get('app_1') ?? {}
      expect(application).toMatchObject({ requirePkce: false, strictScopes: true, enabled: false })
      expect(application?.jwks?.keys[0]?.kid).toBe('one')
      expect(application?.redirectUris[1]).toBe('https://app.test/é')
      expect(renewed.credentials.has('ak_1')).toBe(false)
      expect(before.credentials.has('ak_1')).toBe(true)
    })

    test('leaves out an application it cannot read, and keeps the others', async () => {
      await db.application.update({ where: { id: 'app_1' }, data: { kind: 'hologram' } })
      expect((await loadSnapshot(db, OWN)).credentials.has('app_1')).toBe(false)
      await db.application.update({
        where: { id: 'app_1' },
        data: { kind: 'machine', authMethods: ['client_secret_post', 'telepathy'] },
      })
      const { credentials } = await loadSnapshot(db, OWN)
      expect(credentials.get('app_1')?.application.authMethods).toEqual(['client_secret_post'])
    })

    test('A18: leaves out a client whose id could be a person’s', async () => {
      await createTestApplication(db, 'usr_1')
      await createTestApplication(db, 'app_of_key')
      const key = { name: 'one', secretHash: 'hash', hint: 'hash', createdAt: NOW }
      await db.accessKey.create({ data: { id: 'usr_2', applicationId: 'app_of_key', ...key } })
      const { credentials } = await loadSnapshot(db, OWN)
      expect([...credentials.keys()].filter((id) => id.startsWith('usr_'))).toEqual([])
      await db.application.delete({ where: { id: 'usr_1' } })
      await db.accessKey.delete({ where: { id: 'usr_2' } })
    })

    test('N26: what is deleted takes its grants and assignments along', async () => {
      await db.role.delete({ where: { id: 'rol_c' } })
      await db.user.delete({ where: { id: 'usr_1' } })
      await db.application.delete({ where: { id: 'app_1' } })
      expect(await db.grant.count({ where: { applicationId: 'app_1' } })).toBe(0)
      expect(
        await db.assignment.count({ where: { OR: [{ userId: 'usr_1' }, { roleId: 'rol_c' }] } }),
      ).toBe(0)
    })

    test('shows a change of this process at once, of another within a second', async () => {
      const snapshot = freshSnapshot(db, OWN)
      const { version } = await snapshot.get()
      await db.$transaction((tx) => bumpPolicyVersion(tx))
      snapshot.invalidate()
      expect((await snapshot.get()).version).toBe(version + 1)
      await db.$transaction((tx) => bumpPolicyVersion(tx))
      await new Promise((resolve) => setTimeout(resolve, 1_001))
      expect((await snapshot.get()).version).toBe(version + 2)
    })
  })
})

async function seedPolicy(db: Database): Promise<void> {
  const stamps = { createdAt: NOW, updatedAt: NOW }
  await db.space.create({ data: { id: 'spc_1', key: 'one', name: 'One', ...stamps } })
  await db.api.create({
    data: {
      id: 'api_1',
      spaceId: 'spc_1',
      audience: 'https://orders.test',
      prefix: 'orders',
      name: 'Orders',
      tokenSeconds: 600,
      ...stamps,
    },
  })
  await db.permissionItem.create({
    data: { id: 'itm_1', apiId: 'api_1', key: 'orders:read', descriptions: {}, ...stamps },
  })
  await createTestApplication(db, 'app_1')
  const secret = { applicationId: 'app_1', name: 'one', secretHash: 'hash', hint: 'hash' }
  await db.applicationSecret.createMany({
    data: [
      { id: 'sec_1', ...secret, createdAt: NOW, expiresAt: later(1_000) },
      { id: 'sec_2', ...secret, createdAt: NOW, revokedAt: NOW },
    ],
  })
  await db.accessKey.create({
    data: { id: 'ak_1', ...secret, scopes: ['orders:read'], tokenSeconds: 60, createdAt: NOW },
  })
  await db.grant.create({
    data: { id: 'grn_1', applicationId: 'app_1', pattern: 'orders:*', ...stamps },
  })
  const role = { spaceId: 'spc_1', ...stamps }
  await db.role.create({ data: { id: 'rol_p', key: 'parent', name: 'P', ...role } })
  await db.role.create({ data: { id: 'rol_c', key: 'child', name: 'C', ...role } })
  await db.roleParent.create({ data: { roleId: 'rol_c', parentId: 'rol_p' } })
  await db.user.create({ data: { id: 'usr_1', profile: {}, attributes: {}, ...stamps } })
  await db.group.create({ data: { id: 'grp_1', key: 'g', name: 'G', ...stamps } })
  await db.groupMember.create({ data: { groupId: 'grp_1', userId: 'usr_1', createdAt: NOW } })
  await db.assignment.createMany({
    data: [
      { id: 'asg_1', roleId: 'rol_c', userId: 'usr_1', ...stamps },
      { id: 'asg_2', roleId: 'rol_p', groupId: 'grp_1', ...stamps },
    ],
  })
}
