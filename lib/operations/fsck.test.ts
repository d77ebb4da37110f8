import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../e2e/support/databases'
import { temporaryFolder } from '../../e2e/support/folder'
import { createOp, type OpenOp } from '../op'
import { readConfig } from '../settings/config'
import type { Database } from '../store/database/database'
import { fsck, fsckLines } from './fsck'

/** Each rule is broken by hand, around whatever would refuse it, and says so; alone. */

const NOW = new Date('2026-11-15T12:00:00Z')
const LATER = new Date('2026-12-15T12:00:00Z')

describe.each(KINDS)('npm run fsck on %s', (kind) => {
  let portal: OpenOp
  let url: string

  beforeAll(async () => {
    url = await freshDatabase[kind]()
    const env = { DATABASE_URL: url, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }
    portal = await createOp(readConfig(env))
    await portal.signingKey('ES256')
    await fill(portal.db)
    await portal.changePolicy(async (_tx, audit) => {
      for (const event of ['user.created', 'user.changed', 'user.deleted'] as const) {
        audit({ event, result: 'success', actorKind: 'system', actorId: null, detail: {} })
      }
    })
  })
  afterAll(() => portal.close())

  const sql = (text: string) => portal.db.$executeRawUnsafe(text)
  const broken = async () =>
    (await fsck(url, NOW)).filter(({ ids }) => ids.length > 0).map(({ rule, ids }) => [rule, ids])

  /** As somebody does who has the database and no scruples. */
  async function unguarded(text: string): Promise<void> {
    if (kind === 'postgres') {
      await portal.db.$transaction([
        portal.db.$executeRawUnsafe('SET LOCAL session_replication_role = replica'),
        portal.db.$executeRawUnsafe(text),
      ])
      return
    }
    await portal.db.$queryRawUnsafe('PRAGMA foreign_keys=OFF')
    await sql(text)
    await portal.db.$queryRawUnsafe('PRAGMA foreign_keys=ON')
  }

  const at = (date: Date) =>
    kind === 'sqlite' ? String(date.getTime()) : `'${date.toISOString().replace('Z', '')}'`

  test('what nobody has touched is sound', async () => {
    expect(await broken()).toEqual([])
    expect(fsckLines(await fsck(url, NOW)).at(-1)).toBe('all 18 rules hold')
  })

  /** What is done, what is found, how it is mended. */
  type Wrong = [rule: string, wrong: () => string, found: string[], mend: () => string]
  const wrongs: Wrong[] = [
    [
      'a used code has its token grant, and an unused code has none',
      () => `UPDATE "AuthorizationCode" SET "tokenGrantId" = NULL WHERE "codeHash" = 'c1'`,
      ['c1'],
      () => `UPDATE "AuthorizationCode" SET "tokenGrantId" = 'g1' WHERE "codeHash" = 'c1'`,
    ],
    [
      'a used code has its token grant, and an unused code has none',
      () => `UPDATE "AuthorizationCode" SET "usedAt" = NULL WHERE "codeHash" = 'c1'`,
      ['c1'],
      () => `UPDATE "AuthorizationCode" SET "usedAt" = ${at(NOW)} WHERE "codeHash" = 'c1'`,
    ],
    [
      'a used device code was approved and has its token grant, and an unused one has none',
      () => `UPDATE "DeviceAuthorization" SET "tokenGrantId" = NULL WHERE "id" = 'd1'`,
      ['d1'],
      () => `UPDATE "DeviceAuthorization" SET "tokenGrantId" = 'g2' WHERE "id" = 'd1'`,
    ],
    [
      'a used device code was approved and has its token grant, and an unused one has none',
      () => `UPDATE "DeviceAuthorization" SET "approvedAt" = NULL WHERE "id" = 'd1'`,
      ['d1'],
      () => `UPDATE "DeviceAuthorization" SET "approvedAt" = ${at(NOW)} WHERE "id" = 'd1'`,
    ],
    [
      'a token grant with offline access has its refresh tokens',
      () => `UPDATE "TokenGrant" SET "offline" = true WHERE "id" = 'g2'`,
      ['g2'],
      () => `UPDATE "TokenGrant" SET "offline" = false WHERE "id" = 'g2'`,
    ],
    [
      'only used refresh tokens were repeated',
      () => `UPDATE "RefreshToken" SET "repeats" = 1 WHERE "tokenHash" = 't2'`,
      ['f1'],
      () => `UPDATE "RefreshToken" SET "repeats" = 0 WHERE "tokenHash" = 't2'`,
    ],
    [
      'a revoked token grant has no valid refresh family',
      () => `UPDATE "TokenGrant" SET "revokedAt" = ${at(NOW)} WHERE "id" = 'g1'`,
      ['f1'],
      () => `UPDATE "TokenGrant" SET "revokedAt" = NULL WHERE "id" = 'g1'`,
    ],
    [
      'users who are disabled or about to be deleted have no valid token grant or code',
      () => `UPDATE "User" SET "deleteAfter" = ${at(NOW)} WHERE "id" = 'u1'`,
      ['c2', 'g1', 'g2'],
      () => `UPDATE "User" SET "deleteAfter" = NULL WHERE "id" = 'u1'`,
    ],
    [
      'disabled users have no open session',
      () => `UPDATE "User" SET "disabledAt" = ${at(NOW)} WHERE "id" = 'u2'`,
      ['s2'],
      () => `UPDATE "User" SET "disabledAt" = NULL WHERE "id" = 'u2'`,
    ],
    [
      'nothing in the outbox is stuck',
      () => `UPDATE "OutboxMessage" SET "deliveredAt" = NULL WHERE "id" = 'o1'`,
      ['o1'],
      () => `UPDATE "OutboxMessage" SET "deliveredAt" = ${at(NOW)} WHERE "id" = 'o1'`,
    ],
    [
      'each algorithm has exactly one active signing key',
      () =>
        `UPDATE "SigningKey" SET "state" = 'retiring', "activeSlot" = NULL WHERE "alg" = 'ES256'`,
      ['ES256'],
      () =>
        `UPDATE "SigningKey" SET "state" = 'active', "activeSlot" = 'ES256' WHERE "alg" = 'ES256'`,
    ],
    [
      'the policy has one version, which equals its last recorded change',
      () => `UPDATE "PolicyVersion" SET "version" = "version" + 1`,
      ['version 3, recorded up to 2'],
      () => `UPDATE "PolicyVersion" SET "version" = "version" - 1`,
    ],
    ...['u', 'a'].map((whose): Wrong => {
      const requestId = (value: string) =>
        `UPDATE "Grant" SET "requestId" = ${value} WHERE "id" = 'given to ${whose}1'`
      return [
        'an approved access request that has not ended has the grants that it gave',
        () => requestId('NULL'),
        ['r1'],
        () => requestId("'r1'"),
      ]
    }),
    [
      'a grant that an access request gave ends with it, and the request was approved',
      () => `UPDATE "AccessRequest" SET "approvedUntil" = ${at(NOW)} WHERE "id" = 'r1'`,
      ['given to a1', 'given to u1'],
      () => `UPDATE "AccessRequest" SET "approvedUntil" = ${at(LATER)} WHERE "id" = 'r1'`,
    ],
    [
      'a grant that an access request gave ends with it, and the request was approved',
      () => `UPDATE "Grant" SET "validUntil" = NULL WHERE "id" = 'given to u1'`,
      ['given to u1'],
      () => `UPDATE "Grant" SET "validUntil" = ${at(LATER)} WHERE "id" = 'given to u1'`,
    ],
    [
      'a grant that an access request gave ends with it, and the request was approved',
      () => `UPDATE "AccessRequest" SET "status" = 'cancelled' WHERE "id" = 'r1'`,
      ['given to a1', 'given to u1'],
      () => `UPDATE "AccessRequest" SET "status" = 'approved' WHERE "id" = 'r1'`,
    ],
    [
      'an access request is pending until it is decided, and not after that',
      () => `UPDATE "AccessRequest" SET "decidedAt" = ${at(NOW)} WHERE "id" = 'r2'`,
      ['r2'],
      () => `UPDATE "AccessRequest" SET "decidedAt" = NULL WHERE "id" = 'r2'`,
    ],
    [
      'an access request is pending until it is decided, and not after that',
      () => `UPDATE "AccessVote" SET "approved" = false WHERE "requestId" = 'r2'`,
      ['r2'],
      () => `UPDATE "AccessVote" SET "approved" = true WHERE "requestId" = 'r2'`,
    ],
  ]

  test.each(wrongs)('%s', async (rule, wrong, found, mend) => {
    await sql(wrong())
    expect(await broken()).toEqual([[rule, found]])
    await sql(mend())
    expect(await broken()).toEqual([])
  })

  test('a grant of a request that is not there', async () => {
    await sql(`UPDATE "Grant" SET "requestId" = 'gone' WHERE "id" = 'given to u1'`)
    expect((await broken()).map(([, ids]) => ids)).toEqual([['r1'], ['given to u1']])
    await sql(`UPDATE "Grant" SET "requestId" = 'r1' WHERE "id" = 'given to u1'`)
    expect(await broken()).toEqual([])
  })

  test('two live heads of a refresh family, or none', async () => {
    const heads = 'a refresh family has exactly one unused token'
    const path = 'the generations of a refresh family form one chain'
    await sql(`UPDATE "RefreshToken" SET "usedAt" = NULL, "successorEncrypted" = NULL
      WHERE "tokenHash" = 't1'`)
    expect(await broken()).toEqual([
      [heads, ['f1']],
      [path, ['f1']],
    ])
    await sql(`UPDATE "RefreshToken" SET "usedAt" = ${at(NOW)}, "successorEncrypted" = 'x'`)
    expect(await broken()).toEqual([
      [heads, ['f1']],
      [path, ['f1']],
    ])
    await sql(`UPDATE "RefreshToken" SET "usedAt" = NULL, "successorEncrypted" = NULL
      WHERE "tokenHash" = 't2'`)
    await sql(`UPDATE "RefreshToken" SET "generation" = 3 WHERE "tokenHash" = 't2'`)
    expect(await broken()).toEqual([[path, ['f1']]])
    await sql(`UPDATE "RefreshToken" SET "generation" = 2 WHERE "tokenHash" = 't2'`)
    expect(await broken()).toEqual([])
  })

  test('a row that refers to one that is not there', async () => {
    await unguarded(`UPDATE "RefreshFamily" SET "tokenGrantId" = 'gone' WHERE "id" = 'f1'`)
    const [orphan, ...others] = (await broken()).filter(([rule]) => /reference/.test(String(rule)))
    expect([orphan?.[0], others]).toEqual(['every reference points to an existing row', []])
    expect(String(orphan?.[1])).toMatch(/RefreshFamily.* of .*TokenGrant/)
    await unguarded(`UPDATE "RefreshFamily" SET "tokenGrantId" = 'g1' WHERE "id" = 'f1'`)
    expect(await broken()).toEqual([])
  })

  test('a migration that was not finished is all that is said', async () => {
    const [{ name }] = (await portal.db.$queryRaw`
      SELECT MAX(migration_name) AS "name" FROM "_prisma_migrations"`) as [{ name: string }]
    await sql(`UPDATE "_prisma_migrations" SET finished_at = NULL WHERE migration_name = '${name}'`)
    expect(await broken()).toEqual([['the tables match this version', [name]]])
    await sql(`UPDATE "_prisma_migrations" SET finished_at = ${at(NOW)} WHERE finished_at IS NULL`)
    expect(await broken()).toEqual([])
  })

  // Last: what was logged cannot be put back as it was.
  test('an entry of the audit log that was changed, and a head that is gone', async () => {
    const rule = 'the audit log is one chain, and no entry was changed'
    if (kind === 'sqlite') {
      const triggers = (await portal.db.$queryRaw`
        SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'AuditEntry'`) as {
        name: string
      }[]
      for (const { name } of triggers) await sql(`DROP TRIGGER "${name}"`)
    }
    await unguarded(`UPDATE "AuditEntry" SET "event" = 'none' WHERE "seq" = 2`)
    expect(await broken()).toEqual([[rule, ['entry 2: changed']]])
    await sql(`DELETE FROM "AuditHead"`)
    expect(await broken()).toEqual([[rule, ['the head is missing']]])
  })
})

/** Two people; what one of them holds: a code that was exchanged, one that was not, a family of two. */
async function fill(db: Database): Promise<void> {
  const stamps = { createdAt: NOW, updatedAt: NOW }
  const lists = { branding: {}, redirectUris: [], postLogoutRedirectUris: [], origins: [] }
  const more = { grantTypes: [], authMethods: [], requiredScopes: [], defaultScopes: [] }
  const person = { profile: {}, attributes: {}, ...stamps }
  await db.user.createMany({ data: ['u1', 'u2'].map((id) => ({ id, ...person })) })
  await db.application.create({
    data: { id: 'a1', kind: 'web', name: 'X', ...lists, ...more, ...stamps },
  })
  const seen = { authTime: NOW, acr: 'pwd', amr: [], createdAt: NOW }
  const session = {
    ...seen,
    userAgent: '',
    lastSeenAt: NOW,
    idleExpiresAt: LATER,
    expiresAt: LATER,
  }
  await db.session.create({ data: { id: 's2', secretHash: 's2', userId: 'u2', ...session } })
  const authorization = { applicationId: 'a1', userId: 'u1', scopes: [], resources: [], ...seen }
  await db.tokenGrant.createMany({
    data: [
      { id: 'g1', ...authorization, offline: true, expiresAt: LATER },
      { id: 'g2', ...authorization, offline: false, expiresAt: LATER },
    ],
  })
  const code = { ...authorization, sessionId: 's1', redirectUri: 'x', expiresAt: LATER }
  await db.authorizationCode.createMany({
    data: [
      { codeHash: 'c1', ...code, usedAt: NOW, tokenGrantId: 'g1' },
      { codeHash: 'c2', ...code },
      { codeHash: 'guessed', ...code, usedAt: NOW, attempts: 5 },
    ],
  })
  const waiting = { applicationId: 'a1', scopes: [], resources: [], acrValues: [], createdAt: NOW }
  const device = { ...waiting, intervalSeconds: 5, expiresAt: LATER }
  const answer = { userId: 'u1', sessionId: 's1', authTime: NOW, acr: 'pwd', amr: [] }
  const used = { approvedAt: NOW, usedAt: NOW, tokenGrantId: 'g2' }
  await db.deviceAuthorization.createMany({
    data: [
      { id: 'd1', deviceCodeHash: 'd1', userCodeHash: 'd1', ...device, ...answer, ...used },
      { id: 'd2', deviceCodeHash: 'd2', userCodeHash: 'd2', ...device },
    ],
  })
  await db.refreshFamily.create({
    data: { id: 'f1', tokenGrantId: 'g1', createdAt: NOW, expiresAt: LATER },
  })
  const token = { familyId: 'f1', createdAt: NOW, expiresAt: LATER }
  await db.refreshToken.createMany({
    data: [
      { tokenHash: 't1', ...token, generation: 1, usedAt: NOW, successorEncrypted: 'x' },
      { tokenHash: 't2', ...token, generation: 2 },
    ],
  })
  await fillRequests(db)
  const message = { kind: 'mail', payloadEncrypted: '', nextAttemptAt: new Date(0), createdAt: NOW }
  await db.outboxMessage.create({ data: { id: 'o1', ...message, deliveredAt: NOW } })
}

/** One that was approved, with its grants, one that waits for a second vote, and one that was denied. */
async function fillRequests(db: Database): Promise<void> {
  const stamps = { createdAt: NOW, updatedAt: NOW }
  const request = {
    userId: 'u1',
    applicationId: 'a1',
    apiId: 'api',
    scope: 'x:y',
    audience: 'x',
    ...stamps,
    ...{
      contextDigest: '',
      policyVersion: 1,
      ruleId: 'rule',
      terms: {},
      emergency: false,
      stage: 0,
    },
    lacks: ['user', 'application'],
    escalated: false,
    stageDeadline: LATER,
    expiresAt: LATER,
  }
  const approved = { status: 'approved', decidedAt: NOW, approvedUntil: LATER }
  await db.accessRequest.createMany({
    data: [
      { id: 'r1', ...request, ...approved },
      { id: 'r2', ...request, status: 'pending', pendingKey: 'r2' },
      { id: 'r3', ...request, status: 'denied', decidedAt: NOW },
    ],
  })
  await db.accessVote.create({
    data: { requestId: 'r2', stage: 0, approverId: 'u2', approved: true, at: NOW },
  })
  const given = { requestId: 'r1', pattern: 'x:y', validUntil: LATER, ...stamps }
  await db.grant.createMany({
    data: [
      { id: 'given to u1', userId: 'u1', ...given },
      { id: 'given to a1', applicationId: 'a1', ...given },
    ],
  })
}
