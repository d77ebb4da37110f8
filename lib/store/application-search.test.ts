import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../e2e/support/databases'
import { indexApplications } from './application-search'
import { listApplicationPage } from './applications'
import { type Database, openDatabase } from './database'
import { searchNames } from './search'

const NOW = new Date('2026-11-17T12:00:00.000Z')
const LISTS = { authMethods: [], grantTypes: [], redirectUris: [], postLogoutRedirectUris: [] }
const MORE_LISTS = { origins: [], requiredScopes: [], defaultScopes: [], branding: {} }
const FIRST = { id: 'app_10000', name: 'Robot 10000', kind: 'web', createdAt: NOW, updatedAt: NOW }

/** So many that a search does not name them all. */
const LAST = 20_500

/** By the database itself: one row after the other would take a minute. */
async function copyFirst(db: Database, last: number): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "Application" ("id", "name", "kind", "createdAt", "updatedAt", "branding", "origins",
      "authMethods", "grantTypes", "redirectUris", "postLogoutRedirectUris", "requiredScopes",
      "defaultScopes")
    WITH RECURSIVE "numbers" ("i") AS (
      SELECT 10001 UNION ALL SELECT "i" + 1 FROM "numbers" WHERE "i" < ${last})
    SELECT 'app_' || "i", 'Robot ' || "i", "kind", "createdAt", "updatedAt", "branding", "origins",
      "authMethods", "grantTypes", "redirectUris", "postLogoutRedirectUris", "requiredScopes",
      "defaultScopes"
    FROM "Application", "numbers"`
}

describe.each(KINDS)('a word that very many applications have on %s', (kind) => {
  let db: Database

  beforeAll(async () => {
    db = await openDatabase(await freshDatabase[kind]())
    await db.application.create({ data: { ...FIRST, ...LISTS, ...MORE_LISTS } })
    await copyFirst(db, LAST)
    const own = { where: { id: `app_${LAST}` }, data: { ownerId: 'usr_dev' } }
    await db.application.update(own)
    await indexApplications(db)
  }, 60_000)
  afterAll(() => db.$disconnect())

  const ask = { limit: 3, sort: 'name', after: null, q: 'robot' } as const

  test('is listed and counted', async () => {
    const counted = { ...ask, mostCounted: 10_000, databaseKind: kind }
    const { rows, total } = await listApplicationPage(db, { seenBy: null }, counted)
    expect(rows.map(({ name }) => name)).toEqual(['Robot 10000', 'Robot 10001', 'Robot 10002'])
    expect(total).toBe(10_000)
  })

  test('finds the one of a developer who sees only their own', async () => {
    const counted = { ...ask, mostCounted: 10_000, databaseKind: kind }
    const { rows, total } = await listApplicationPage(db, { seenBy: 'usr_dev' }, counted)
    expect([rows.map(({ name }) => name), total]).toEqual([[`Robot ${LAST}`], 1])
    const asked = { q: 'robot', limit: 5, kinds: ['application'], databaseKind: kind } as const
    expect(await searchNames(db, { ...asked, ownerId: 'usr_dev' })).toMatchObject([
      { name: `Robot ${LAST}` },
    ])
    expect(await searchNames(db, { ...asked, ownerId: 'usr_other' })).toEqual([])
  })

  test('was indexed once, for applications that are older than the index', async () => {
    const { length } = await db.applicationSearchKey.findMany({ where: { key: 'robot 10700' } })
    expect(length).toBe(1)
    await db.applicationSearchKey.deleteMany({ where: { applicationId: 'app_10700' } })
    await indexApplications(db)
    expect(await db.applicationSearchKey.count({ where: { applicationId: 'app_10700' } })).toBe(0)
    await db.applicationSearchKey.deleteMany({ where: { applicationId: 'app_10000' } })
    await indexApplications(db)
    expect(await db.applicationSearchKey.count({ where: { applicationId: 'app_10700' } })).toBe(3)
  })
})
