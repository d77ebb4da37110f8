import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { insertUser, type UserFields } from '../accounts/users'
import { type AppPerson, listPeoplePage } from '../applications/people'
import { type Database, openDatabase } from './database'
import type { Page, PageAsk, Position } from './page'

const NOW = new Date('2026-11-16T12:00:00.000Z')
const LISTS = { authMethods: [], grantTypes: [], redirectUris: [], postLogoutRedirectUris: [] }
const MORE_LISTS = { origins: [], requiredScopes: [], defaultScopes: [], branding: {} }
const NAMES = ['Cy', null, 'Ann', null, 'Bo', null]

describe.each(KINDS)('pages of a list on %s', (kind) => {
  let db: Database

  beforeAll(async () => {
    db = await openDatabase(await freshDatabase[kind]())
    const stamps = { createdAt: NOW, updatedAt: NOW }
    const application = { id: 'app', name: 'App', kind: 'web', ...stamps }
    await db.application.create({ data: { ...application, ...LISTS, ...MORE_LISTS } })
    for (const [at, name] of NAMES.entries()) await agreed(`usr_${at}`, name)
  })
  afterAll(() => db.$disconnect())

  async function agreed(userId: string, name: string | null): Promise<void> {
    const nothing = { email: null, emailVerified: false, locale: null, adminRole: null }
    const empty = { profile: {}, attributes: {}, disabledAt: null }
    const fields: UserFields = { name, username: userId, ...nothing, ...empty }
    await db.$transaction((tx) => insertUser(tx, userId, fields, NOW))
    const said = { applicationId: 'app', scope: 'openid', granted: true, decidedAt: NOW }
    await db.consent.create({ data: { userId, ...said } })
  }

  type Sort = PageAsk<'name' | 'email'>['sort']

  function page(sort: Sort, after: Position | null): Promise<Page<AppPerson>> {
    const ask = { limit: 2, sort, after, q: null, mostCounted: 100, databaseKind: kind }
    return listPeoplePage(db, { applicationId: 'app' }, ask, NOW)
  }

  test.each([
    ['name', ['Ann', 'Bo', 'Cy', null, null, null]],
    ['-name', ['Cy', 'Bo', 'Ann', null, null, null]],
  ] as const)('by %s, those without one come last, and nobody is missed', async (sort, names) => {
    const first = await page(sort, null)
    const second = await page(sort, first.next)
    const third = await page(sort, second.next)
    const all = [first, second, third].flatMap(({ rows }) => rows)
    expect(all.map(({ name }) => name)).toEqual(names)
    expect(new Set(all.map(({ id }) => id)).size).toBe(NAMES.length)
    expect([first.previous, third.next, first.total]).toEqual([null, null, NAMES.length])
    expect((await page(sort, third.previous)).rows).toEqual(second.rows)
    expect((await page(sort, second.previous)).rows).toEqual(first.rows)
  })
})

/** More rows than are read for the count, if each user counted only twice. */
const PEOPLE = 5_200

test.each(KINDS)(
  'all users of an application are listed, however many scopes each agreed to, on %s',
  async (kind) => {
    const db = await openDatabase(await freshDatabase[kind]())
    const application = { id: 'app', name: 'App', kind: 'web', createdAt: NOW, updatedAt: NOW }
    await db.application.create({ data: { ...application, ...LISTS, ...MORE_LISTS } })
    const first = { id: 'usr_10000', name: 'Ann', profile: {}, attributes: {} }
    await db.user.create({ data: { ...first, createdAt: NOW, updatedAt: NOW } })
    await db.$executeRaw`
    INSERT INTO "User" ("id", "name", "profile", "attributes", "createdAt", "updatedAt")
    WITH RECURSIVE "numbers" ("i") AS (
      SELECT 10001 UNION ALL SELECT "i" + 1 FROM "numbers" WHERE "i" < ${9_999 + PEOPLE})
    SELECT 'usr_' || "i", "name", "profile", "attributes", "createdAt", "updatedAt"
    FROM "User", "numbers"`
    for (const scope of ['openid', 'profile', 'email', 'phone']) {
      await db.$executeRaw`
      INSERT INTO "Consent" ("userId", "applicationId", "scope", "granted", "decidedAt")
      SELECT "id", 'app', ${scope}, true, "createdAt" FROM "User"`
    }
    const ask = { limit: 2, sort: 'name', after: null, q: null, mostCounted: 10_000 } as const
    const { total } = await listPeoplePage(
      db,
      { applicationId: 'app' },
      { ...ask, databaseKind: kind },
      NOW,
    )
    expect(total).toBe(PEOPLE)
    await db.$disconnect()
  },
  30_000,
)
