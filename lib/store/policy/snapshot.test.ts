import { describe, expect, test } from 'vitest'
import { KINDS, type Kind } from '../../../e2e/support/databases'
import { createTestApplication, db, later, NOW, startStore } from '../../../e2e/support/store'
import { portalApi } from '../../access/portal-api'
import type { WantedSubjects } from '../../oidc/provider'
import type { Database } from '../database/database'
import { freshSnapshot } from './fresh-snapshot'
import { bumpPolicyVersion, type ChangedSubject } from './policy-version'
import type { PortalSnapshot } from './snapshot'

const OWN = portalApi('http://localhost:3000')
const CACHE = 1024 * 1024
const EVERYBODY: WantedSubjects = {
  clients: ['app_1', 'ak_1', 'app_none'],
  users: ['usr_1', 'usr_none'],
}

function snapshots(kind: Kind, bytes = CACHE) {
  return freshSnapshot({ db, kind, own: OWN }, bytes)
}

/** What a process answers that has just been started. */
function readAnew(kind: Kind, wanted: WantedSubjects = EVERYBODY): Promise<PortalSnapshot> {
  return snapshots(kind).get(wanted)
}

/** As plain data, in one order. */
function comparable({ version, policy, credentials, settings }: PortalSnapshot): unknown {
  const { clients = [], users = [] } = EVERYBODY
  const sorted = (map: ReadonlyMap<string, unknown>) =>
    [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.parse(
    JSON.stringify(
      {
        version,
        settings,
        items: sorted(policy.items),
        apis: sorted(policy.apisByAudience),
        roles: sorted(policy.roles),
        credentials: clients.map((id) => credentials.get(id) ?? null),
        holders: clients.map((id) => policy.applications.get(id) ?? null),
        users: users.map((id) => policy.users.get(id) ?? null),
      },
      (_name, member) => (member instanceof Map ? sorted(member) : member),
    ),
  )
}

function change(
  work: (tx: Database) => Promise<unknown>,
  touched?: ChangedSubject[],
): Promise<void> {
  return db.$transaction(async (tx) => {
    await work(tx as unknown as Database)
    await bumpPolicyVersion(tx, touched)
  })
}

/** What every database must do; the same suite for each. */

describe.each(KINDS)('the snapshot on %s', (kind) => {
  startStore(kind)

  test('carries what was written, and its version', async () => {
    await seedPolicy(db)
    const { credentials, policy, version } = await readAnew(kind)
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

  test('refuses to answer about a subject that was not read', async () => {
    const { policy, credentials } = await readAnew(kind, { users: ['usr_1'] })
    expect(() => policy.users.get('usr_2')).toThrow('usr_2 was not read')
    expect(() => credentials.get('app_1')).toThrow('app_1 was not read')
    expect(() => policy.applications.get('app_1')).toThrow('app_1 was not read')
  })

  test('an ID that does not exist is known not to exist', async () => {
    const { policy, credentials } = await readAnew(kind)
    expect(policy.users.get('usr_none')).toBeUndefined()
    expect(credentials.get('app_none')).toBeUndefined()
    expect(policy.applications.get('app_none')).toBeUndefined()
  })

  test('is renewed by what changed, and is then what a whole reading gives', async () => {
    const process = snapshots(kind)
    const before = await process.get(EVERYBODY)
    const stamps = { createdAt: NOW, updatedAt: NOW }
    await change(
      async (tx) => {
        await tx.assignment.deleteMany({ where: { userId: 'usr_1' } })
        await tx.user.update({ where: { id: 'usr_1' }, data: { attributes: { level: 3 } } })
      },
      [{ kind: 'user', id: 'usr_1' }],
    )
    await change(
      async (tx) => {
        await tx.grant.create({
          data: {
            id: 'grn_more',
            applicationId: 'app_1',
            pattern: 'orders:read',
            ...stamps,
            effect: 'deny',
            condition: 'request.ip == "10.0.0.1"',
            validFrom: NOW,
            validUntil: later(1_000),
          },
        })
        await tx.application.update({
          where: { id: 'app_1' },
          data: {
            requirePkce: false,
            strictScopes: true,
            disabledAt: NOW,
            idTokenAlg: 'ES256',
            jwks: { keys: [{ kty: 'EC', kid: 'one' }] },
            jwksUri: 'https://app.test/jwks',
            redirectUris: ['https://app.test/a?b="c"', 'https://app.test/é'],
          },
        })
        await tx.accessKey.delete({ where: { id: 'ak_1' } })
      },
      [{ kind: 'application', id: 'app_1' }],
    )
    await change(
      (tx) => tx.role.updateMany({ where: { key: 'parent' }, data: { key: 'elder' } }),
      [{ kind: 'model', role: 'rol_p' }],
    )
    await change(
      async (tx) => {
        const { id: apiId } = await tx.api.update({
          where: { prefix: 'orders' },
          data: { audience: 'https://moved.test' },
        })
        const more = { descriptions: {}, ...stamps }
        await tx.permissionItem.create({
          data: { id: 'itm_more', apiId, key: 'orders:more', ...more },
        })
      },
      [{ kind: 'model', api: 'api_1' }],
    )
    process.invalidate()
    const renewed = await process.get(EVERYBODY)
    expect(comparable(renewed)).toEqual(comparable(await readAnew(kind)))
    expect(renewed.policy.users.get('usr_1')?.attributes).toEqual({ level: 3 })
    const { application } = renewed.credentials.get('app_1') ?? {}
    expect(application).toMatchObject({ pkce: 'not_required', strictScopes: true, enabled: false })
    expect(application?.jwks?.keys[0]?.kid).toBe('one')
    expect(application?.redirectUris[1]).toBe('https://app.test/é')
    expect(renewed.policy.apisByAudience.has('https://orders.test')).toBe(false)
    expect(renewed.policy.items.has('orders:more')).toBe(true)
    expect(renewed.credentials.get('ak_1')).toBeUndefined()
    expect(before.credentials.get('ak_1')).toBeDefined()
  })

  test('a group concerns its members, and whoever joins it', async () => {
    const stamps = { createdAt: NOW, updatedAt: NOW }
    const process = snapshots(kind)
    const heldIn = async () => {
      process.invalidate()
      const { policy } = await process.get({ users: ['usr_1'] })
      const groups = policy.users.get('usr_1')?.assignments.map(({ groupId }) => groupId)
      return groups?.filter((id) => id === 'grp_2')
    }
    expect(await heldIn()).toEqual([])
    await change(
      async (tx) => {
        await tx.group.create({ data: { id: 'grp_2', key: 'clerks', name: 'Clerks', ...stamps } })
        await tx.groupMember.create({
          data: { groupId: 'grp_2', userId: 'usr_1', createdAt: NOW },
        })
      },
      [{ kind: 'user', id: 'usr_1' }],
    )
    expect(await heldIn()).toEqual([])
    await change(
      (tx) =>
        tx.assignment.create({
          data: { id: 'asg_g', roleId: 'rol_p', groupId: 'grp_2', ...stamps },
        }),
      [{ kind: 'group', id: 'grp_2' }],
    )
    expect(await heldIn()).toEqual(['grp_2'])
    await change(
      (tx) => tx.group.delete({ where: { id: 'grp_2' } }),
      [{ kind: 'group', id: 'grp_2' }],
    )
    expect(await heldIn()).toEqual([])
  })

  test('a change of a kind that a newer release writes makes everything be read again', async () => {
    const process = snapshots(kind)
    await process.get(EVERYBODY)
    await db.user.update({ where: { id: 'usr_1' }, data: { attributes: { level: 4 } } })
    await db.$transaction(async (tx) => {
      await bumpPolicyVersion(tx, [])
      await tx.policyChange.updateMany({ where: { kind: 'none' }, data: { kind: 'hologram' } })
    })
    process.invalidate()
    const { policy } = await process.get(EVERYBODY)
    expect(policy.users.get('usr_1')?.attributes).toEqual({ level: 4 })
  })

  test('what was just read is as new as the model beside it', async () => {
    const process = snapshots(kind)
    await process.get()
    await change(
      (tx) => tx.role.update({ where: { id: 'rol_p' }, data: { key: 'newest' } }),
      [
        { kind: 'model', role: 'rol_p' },
        { kind: 'user', id: 'usr_1' },
      ],
    )
    // Within the second in which the old model is not checked again.
    const { policy, version } = await process.get({ users: ['usr_1'] })
    expect(policy.roles.get('rol_p')?.key).toBe('newest')
    expect(version).toBe((await db.policyVersion.findFirstOrThrow()).version)
  })

  test('what many want at the same time is read once', async () => {
    const process = snapshots(kind)
    await process.get()
    const wanted = Array.from({ length: 100 }, (_, at) => ({ users: [`usr_${at % 10}`] }))
    await Promise.all(wanted.map((one) => process.get(one)))
    await Promise.all(wanted.map((one) => process.get(one)))
    expect(process.cached().reads).toBe(1)
  })

  test('an entry that does not fit into the cache is read each time', async () => {
    const process = snapshots(kind, 1)
    const { policy } = await process.get(EVERYBODY)
    expect(policy.users.get('usr_1')?.enabled).toBe(true)
    expect(process.cached().entries).toBe(3) // those that do not exist
  })

  test('ten thousand IDs that do not exist leave a limited trace and push nobody out', async () => {
    const process = snapshots(kind)
    await process.get({ users: ['usr_1'] })
    for (let part = 0; part < 20; part += 1) {
      const clients = Array.from({ length: 500 }, (_, at) => `app_unknown_${part}_${at}`)
      await process.get({ clients })
    }
    const { entries, bytes } = process.cached()
    expect(bytes).toBeLessThan(2.5 * 1024 * 1024)
    expect(entries).toBeLessThan(5_000)
  })

  test('leaves out an application it cannot read, and keeps the others', async () => {
    await db.application.update({ where: { id: 'app_1' }, data: { kind: 'hologram' } })
    const unreadable = await readAnew(kind)
    expect(unreadable.credentials.get('app_1')).toBeUndefined()
    expect(unreadable.policy.applications.get('app_1')).toBeDefined()
    await db.application.update({
      where: { id: 'app_1' },
      data: { kind: 'machine', authMethods: ['client_secret_post', 'telepathy'] },
    })
    const { credentials } = await readAnew(kind)
    expect(credentials.get('app_1')?.application.authMethods).toEqual(['client_secret_post'])
  })

  test('A18: leaves out a client whose id could be a person’s', async () => {
    await createTestApplication(db, 'usr_1')
    await createTestApplication(db, 'app_of_key')
    const key = { name: 'one', secretHash: 'hash', hint: 'hash', createdAt: NOW }
    await db.accessKey.create({ data: { id: 'usr_2', applicationId: 'app_of_key', ...key } })
    const { credentials } = await readAnew(kind, { clients: ['usr_1', 'usr_2', 'app_of_key'] })
    expect(credentials.get('usr_1')).toBeUndefined()
    expect(credentials.get('usr_2')).toBeUndefined()
    expect(credentials.get('app_of_key')).toBeDefined()
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
    const snapshot = snapshots(kind)
    const { version } = await snapshot.get()
    await db.$transaction((tx) => bumpPolicyVersion(tx))
    snapshot.invalidate()
    expect((await snapshot.get()).version).toBe(version + 1)
    await db.$transaction((tx) => bumpPolicyVersion(tx))
    await new Promise((resolve) => setTimeout(resolve, 1_001))
    expect((await snapshot.get()).version).toBe(version + 2)
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
