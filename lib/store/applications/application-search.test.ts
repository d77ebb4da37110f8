import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { type Database, openDatabase } from '../database/database'
import { indexApplications } from './application-search'
import {
  findApplication,
  listApplicationPage,
  removeApplication,
  updateApplication,
} from './applications'
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
    await db.watermark.deleteMany()
    await indexApplications(db, kind)
  })
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

  test('finds those of another kind, though their names are the last of many', async () => {
    await db.application.updateMany({ where: { id: { gte: 'app_20300' } }, data: { kind: 'spa' } })
    const counted = { ...ask, mostCounted: 10_000, databaseKind: kind }
    const few = await listApplicationPage(db, { seenBy: null, kind: 'spa' }, counted)
    expect([few.rows[0]?.name, few.total]).toEqual(['Robot 20300', 201])
    const many = await listApplicationPage(db, { seenBy: null, enabled: true }, counted)
    expect([many.rows[0]?.name, many.total]).toEqual(['Robot 10000', 10_000])
  })

  test('one that was interrupted is indexed to the end, also beside others who write', async () => {
    await db.watermark.deleteMany()
    await db.applicationSearchKey.deleteMany({ where: { applicationId: { gte: 'app_20' } } })
    await db.applicationSearchKey.deleteMany({ where: { applicationId: 'app_10700' } })
    const renamed = async (id: string) => {
      const before = await findApplication(db, id, null)
      if (before) await db.$transaction((tx) => updateApplication(tx, before, { name: 'Tin' }, NOW))
    }
    const removed = (id: string) =>
      db.$transaction((tx) => removeApplication(tx, { id, version: 1 }, NOW))
    await Promise.all([
      indexApplications(db, kind),
      ...['app_20100', 'app_10700', 'app_10001'].map(renamed),
      ...['app_20200', 'app_20001'].map(removed),
    ])
    const keysOf = async (applicationId: string) =>
      (await db.applicationSearchKey.findMany({ where: { applicationId } }))
        .map(({ key }) => key)
        .sort()
    expect(await keysOf('app_20300')).toEqual(['20300', 'app_20300', 'robot 20300'])
    for (const id of ['app_20100', 'app_10700', 'app_10001']) {
      expect(await keysOf(id)).toEqual([id.slice(4), id, 'tin'])
    }
    expect(await keysOf('app_20200')).toEqual([])
    expect(await db.watermark.count()).toBe(1)
  })
})
