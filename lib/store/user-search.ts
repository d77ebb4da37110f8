import type { DatabaseKind, Reader, Transaction } from './connection'
import { type Prisma, prisma } from './database'
import { foldedKey } from './folded-key'

/**
 * Users are found by the beginning of a word in their names or addresses: `ada`, `admin@gate`,
 * `小明`. Each word is a row of an index, so a search costs the same for few and for many users.
 */

type Names = { name: string | null; email: string | null; username: string | null }

const LONGEST_KEY = 64
const MOST_KEYS = 20
const WORD_START = /(?<![\p{L}\p{N}])[\p{L}\p{N}]|\p{Script=Han}/gu
const LAST_CHARACTER = '\u{10FFFF}'

export function searchKeysOf({ name, email, username }: Names): string[] {
  const keys = [name, email, username].flatMap((text) => (text ? suffixesOf(foldedKey(text)) : []))
  return [...new Set(keys)]
}

function suffixesOf(text: string): string[] {
  const starts = [0, ...[...text.matchAll(WORD_START)].map(({ index }) => index)]
  return starts.slice(0, MOST_KEYS).map((start) => text.slice(start, start + LONGEST_KEY))
}

function askedKey(q: string): string {
  return foldedKey(q).slice(0, LONGEST_KEY)
}

/** SQLite takes 999 values in a statement; PostgreSQL gets as many as a list counts. */
const MOST_NAMED = { sqlite: 900, postgres: 10_000 }

/** `ids`: those whom `where` names. `count`: how many, if they are too many to be named. */
export type Found = {
  where: Prisma.UserWhereInput
  ids: readonly string[] | null
  count: ((most: number) => Promise<number>) | null
}

/**
 * By name, or by ID. Of a word that very many have, PostgreSQL shows the first 10 000: in another
 * order, the first page of them could be anywhere among millions.
 */
export async function findUsersBy(db: Reader, kind: DatabaseKind, q: string): Promise<Found> {
  const key = rangeOf(q)
  const ids = await userIdsIn(db, key, MOST_NAMED[kind])
  const isAll = ids.length < MOST_NAMED[kind]
  const named = [...new Set([...ids, q.trim()])]
  const count = isAll ? null : (most: number) => countIn(db, key, most)
  if (isAll || kind === 'postgres') return { where: { id: { in: named } }, ids: named, count }
  return { where: { searchKeys: { some: { key } } }, ids: null, count }
}

/** More than one key of a user may match, but seldom. */
const KEYS_OF_A_HIT = 1.2

async function countIn(db: Reader, { gte, lt }: Range, most: number): Promise<number> {
  const [row] = await prisma(db).$queryRaw<{ users: number | bigint }[]>`
    SELECT count(DISTINCT "userId") AS "users" FROM (
      SELECT "userId" FROM "UserSearchKey" WHERE "key" >= ${gte} AND "key" < ${lt}
      LIMIT ${most * KEYS_OF_A_HIT}) AS "found"`
  return Math.min(most, Number(row?.users ?? 0))
}

/** Some of them, in no order: a user has several keys, of which more than one may match. */
export async function someUserIds(db: Reader, q: string, most: number): Promise<string[]> {
  const ids = await userIdsIn(db, rangeOf(q), most * MOST_KEYS)
  return [...new Set([...ids, q.trim()])].slice(0, most)
}

type Range = { gte: string; lt: string }

function rangeOf(q: string): Range {
  const asked = askedKey(q)
  return { gte: asked, lt: `${asked}${LAST_CHARACTER}` }
}

async function userIdsIn(db: Reader, key: Range, take: number): Promise<string[]> {
  const select = { userId: true }
  const rows = await prisma(db).userSearchKey.findMany({ where: { key }, select, take })
  return rows.map(({ userId }) => userId)
}

export async function saveSearchKeys(tx: Transaction, userId: string, names: Names): Promise<void> {
  await prisma(tx).userSearchKey.deleteMany({ where: { userId } })
  const data = searchKeysOf(names).map((key) => ({ key, userId }))
  await prisma(tx).userSearchKey.createMany({ data })
}

const AT_A_TIME = 500

/** Indexes users who were created before the index existed. */
export async function indexUsers(db: Reader): Promise<void> {
  if (await isIndexed(db)) return
  for (let before: string | null = null; ; ) {
    const users: Unindexed[] = await prisma(db).user.findMany({
      where: before === null ? {} : { id: { lt: before } },
      select: { ...NAMES, searchKeys: { select: { key: true }, take: 1 } },
      orderBy: { id: 'desc' },
      take: AT_A_TIME,
    })
    const keys = users
      .filter(({ searchKeys }) => searchKeys.length === 0)
      .flatMap((user) => searchKeysOf(user).map((key) => ({ key, userId: user.id })))
    await prisma(db).userSearchKey.createMany({ data: keys })
    const last = users.at(-1)
    if (!last || users.length < AT_A_TIME) return
    before = last.id
  }
}

const NAMES = { id: true, name: true, email: true, username: true } as const

type Unindexed = Names & { id: string; searchKeys: { key: string }[] }

/**
 * The first user by ID gets their keys last, so they are there once everybody’s are. Ten million
 * users cannot be looked at in every upgrade.
 */
async function isIndexed(db: Reader): Promise<boolean> {
  const first = await prisma(db).user.findFirst({
    where: { OR: [{ name: { not: null } }, { email: { not: null } }, { username: { not: null } }] },
    select: { searchKeys: { select: { key: true }, take: 1 } },
    orderBy: { id: 'asc' },
  })
  return !first || first.searchKeys.length > 0
}
