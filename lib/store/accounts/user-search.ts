import type { DatabaseKind, Reader, Transaction } from '../database/connection'
import { type Database, prisma } from '../database/database'
import {
  type FoundByWord,
  findBy,
  indexOldRows,
  type SearchAsk,
  type SearchIndex,
  searchKeysOf,
  someIds,
} from '../database/search-keys'

/** Users are found by words of their names and addresses. */

type Names = { name: string | null; email: string | null; username: string | null }

export function userKeysOf({ name, email, username }: Names): string[] {
  return searchKeysOf([name, email, username])
}

const USERS: SearchIndex = { table: 'UserSearchKey', column: 'userId' }

export function findUsersBy(db: Reader, ask: SearchAsk): Promise<FoundByWord> {
  return findBy(USERS, db, ask)
}

export function someUserIds(db: Reader, q: string, most: number): Promise<string[]> {
  return someIds(USERS, db, q, most)
}

export async function saveSearchKeys(tx: Transaction, userId: string, names: Names): Promise<void> {
  await prisma(tx).userSearchKey.deleteMany({ where: { userId } })
  const data = userKeysOf(names).map((key) => ({ key, userId }))
  await prisma(tx).userSearchKey.createMany({ data })
}

const SELECT = {
  id: true,
  name: true,
  email: true,
  username: true,
  searchKeys: { select: { key: true }, take: 1 },
} as const

export function indexUsers(db: Database, kind: DatabaseKind): Promise<void> {
  return indexOldRows(db, kind, {
    table: 'User',
    async named(tx, ids) {
      const rows = await prisma(tx).user.findMany({ where: { id: { in: ids } }, select: SELECT })
      return rows.map(({ id, name, email, username, searchKeys }) => ({
        id,
        names: [name, email, username],
        isIndexed: searchKeys.length > 0,
      }))
    },
    async addKeys(tx, keys) {
      const data = keys.map(({ id: userId, key }) => ({ userId, key }))
      await prisma(tx).userSearchKey.createMany({ data })
    },
    // The first by ID got their keys last.
    async wereIndexed(reader) {
      const order = { orderBy: { id: 'asc' }, select: SELECT } as const
      const first = await prisma(reader).user.findFirst({ where: HAS_A_NAME, ...order })
      return first !== null && first.searchKeys.length > 0
    },
  })
}

const HAS_A_NAME = {
  OR: [{ name: { not: null } }, { email: { not: null } }, { username: { not: null } }],
}
