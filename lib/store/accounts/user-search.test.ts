import { describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { openDatabase } from '../database/database'
import { foldedKey } from '../database/folded-key'
import { migrate } from '../operations/migrations'
import { userKeysOf } from './user-search'

/** As the index is asked: by the beginning of a key. */
function isFoundBy(names: Parameters<typeof userKeysOf>[0], q: string): boolean {
  return userKeysOf(names).some((key) => key.startsWith(foldedKey(q)))
}

const ada = { name: 'Ada de Winter', email: 'Ada.Admin@Gatehouse.example', username: 'awinter' }

describe('a user is found', () => {
  test.each([
    'ada',
    'ADA',
    'winter',
    'de winter',
    'admin@gate',
    'gatehouse',
    'ada.admin@gatehouse.example',
    'awin',
  ])('by %j', (q) => expect(isFoundBy(ada, q)).toBe(true))

  test.each(['dmin', 'winter ada', '%', '_', 'inter', 'x'])('not by %j (N15)', (q) =>
    expect(isFoundBy(ada, q)).toBe(false),
  )

  test('by a part of a name that begins with a capital letter', () => {
    const names = { name: 'GitHub robot', email: null, username: 'ordersAPIv2' }
    for (const q of ['hub', 'github', 'hub robot', 'api']) expect(isFoundBy(names, q)).toBe(true)
    for (const q of ['ithub', 'pi']) expect(isFoundBy(names, q)).toBe(false)
  })

  test('by any character of a Chinese name', () => {
    const names = { name: '王小明', email: null, username: null }
    for (const q of ['王', '小明', '明']) expect(isFoundBy(names, q)).toBe(true)
    expect(isFoundBy(names, '王明')).toBe(false)
  })
})

test('however long a name is, its keys are few and short', () => {
  const keys = userKeysOf({ name: 'a '.repeat(5_000), email: null, username: null })
  expect(keys.length).toBeLessThanOrEqual(20)
  expect(Math.max(...keys.map((key) => key.length))).toBeLessThanOrEqual(64)
})

test.each(KINDS)('users from before the index existed get their keys once, on %s', async (kind) => {
  const url = await freshDatabase[kind]()
  const db = await openDatabase(url)
  const old = { profile: {}, attributes: {}, createdAt: new Date(), updatedAt: new Date() }
  const ids = Array.from({ length: 1_200 }, (_, at) => `usr_${String(at).padStart(4, '0')}`)
  await db.user.createMany({ data: ids.map((id) => ({ id, name: 'Olda', ...old })) })
  const indexed = () => db.userSearchKey.count()
  const start = () => migrate(url)
  // As an older version left it.
  await db.watermark.deleteMany()
  await start()
  expect(await indexed()).toBe(ids.length)
  // A start that was interrupted: the first users by ID come last, and no mark was left.
  await db.watermark.deleteMany()
  await db.userSearchKey.deleteMany({ where: { userId: { lt: 'usr_0700' } } })
  await start()
  expect(await indexed()).toBe(ids.length)
  // Later starts look at the mark, and not at the users.
  await db.userSearchKey.deleteMany({ where: { userId: { lt: 'usr_0700' } } })
  await start()
  expect(await indexed()).toBe(ids.length - 700)
  await db.$disconnect()
})
