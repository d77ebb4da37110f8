import type { Reader, Transaction } from './connection'
import { prisma } from './database'
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

export function isFoundBy(names: Names, q: string): boolean {
  const asked = askedKey(q)
  return searchKeysOf(names).some((key) => key.startsWith(asked))
}

function askedKey(q: string): string {
  return foldedKey(q).slice(0, LONGEST_KEY)
}

const MOST_LOOKED_UP = 1_000

/** The users that a search finds; null if so many that reading the table in order is faster. */
export async function findUserIds(db: Reader, q: string): Promise<string[] | null> {
  const asked = askedKey(q)
  const rows = await prisma(db).userSearchKey.findMany({
    where: { key: { gte: asked, lt: `${asked}${LAST_CHARACTER}` } },
    select: { userId: true },
    take: MOST_LOOKED_UP,
  })
  if (rows.length === MOST_LOOKED_UP) return null
  return [...new Set([...rows.map(({ userId }) => userId), q.trim()])]
}

export async function saveSearchKeys(tx: Transaction, userId: string, names: Names): Promise<void> {
  await prisma(tx).userSearchKey.deleteMany({ where: { userId } })
  const data = searchKeysOf(names).map((key) => ({ key, userId }))
  await prisma(tx).userSearchKey.createMany({ data })
}

const AT_A_TIME = 500

/** Indexes users who were created before the index existed. */
export async function indexUsers(db: Reader): Promise<void> {
  for (let after = ''; ; ) {
    const users = await prisma(db).user.findMany({
      where: { id: { gt: after }, searchKeys: { none: {} } },
      select: { id: true, name: true, email: true, username: true },
      orderBy: { id: 'asc' },
      take: AT_A_TIME,
    })
    const keys = users.flatMap((user) =>
      searchKeysOf(user).map((key) => ({ key, userId: user.id })),
    )
    await prisma(db).userSearchKey.createMany({ data: keys })
    const last = users.at(-1)
    if (!last || users.length < AT_A_TIME) return
    after = last.id
  }
}
