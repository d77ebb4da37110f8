import type { DatabaseKind, Reader, Transaction } from '../database/connection'
import { type Database, prisma } from '../database/database'
import {
  type FoundByWord,
  findBy,
  indexOldRows,
  type SearchAsk,
  type SearchIndex,
  searchKeysOf,
} from '../database/search-keys'

/**
 * Applications are found by words of their names, of their publishers and of their client IDs,
 * which may be addresses.
 */

type Names = { id: string; name: string; publisher: string | null }

export function applicationKeysOf({ id, name, publisher }: Names): string[] {
  return searchKeysOf([name, publisher, id])
}

const APPLICATIONS: SearchIndex = { table: 'ApplicationSearchKey', column: 'applicationId' }

export function findApplicationsBy(db: Reader, ask: SearchAsk): Promise<FoundByWord> {
  return findBy(APPLICATIONS, db, ask)
}

export async function addSearchKeys(tx: Transaction, application: Names): Promise<void> {
  const applicationId = application.id
  const data = applicationKeysOf(application).map((key) => ({ key, applicationId }))
  await prisma(tx).applicationSearchKey.createMany({ data })
}

export async function replaceSearchKeys(tx: Transaction, application: Names): Promise<void> {
  const where = { applicationId: application.id }
  await prisma(tx).applicationSearchKey.deleteMany({ where })
  await addSearchKeys(tx, application)
}

const SELECT = {
  id: true,
  name: true,
  publisher: true,
  searchKeys: { select: { key: true }, take: 1 },
} as const

export function indexApplications(db: Database, kind: DatabaseKind): Promise<void> {
  return indexOldRows(db, kind, {
    table: 'Application',
    async named(tx, ids) {
      const where = { id: { in: ids } }
      const rows = await prisma(tx).application.findMany({ where, select: SELECT })
      return rows.map(({ id, name, publisher, searchKeys }) => ({
        id,
        names: [name, publisher, id],
        isIndexed: searchKeys.length > 0,
      }))
    },
    async addKeys(tx, keys) {
      const data = keys.map(({ id: applicationId, key }) => ({ applicationId, key }))
      await prisma(tx).applicationSearchKey.createMany({ data })
    },
    wereIndexed: async () => false,
  })
}
