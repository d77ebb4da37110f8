import type { Reader, Transaction } from '../database/connection'
import { prisma, type Queries } from '../database/database'
import { type NoFilters, type Page, type PageAsk, pageOf } from '../database/page'
import { type EndedAlone, endRequestsOf } from '../requests/ends'

export type SpaceRow = NonNullable<Awaited<ReturnType<Queries['space']['findFirst']>>>

type Seen = { id: string; version: number }
type SpaceFields = { key: string; name: string }

/** By ID or key. */
export function findSpace(db: Reader, name: string): Promise<SpaceRow | null> {
  return prisma(db).space.findFirst({ where: { OR: [{ id: name }, { key: name }] } })
}

export function listSpacePage(
  db: Reader,
  _all: NoFilters,
  ask: PageAsk<'key' | 'name' | 'createdAt'>,
): Promise<Page<SpaceRow>> {
  return pageOf(ask, {
    filter: {},
    sorts: { key: 'text', name: 'text', createdAt: 'date' },
    searched: ['key', 'name'],
    find: (asked) => prisma(db).space.findMany(asked),
    count: (asked) => prisma(db).space.count(asked),
  })
}

export function insertSpace(
  tx: Transaction,
  space: SpaceFields & { id: string },
  now: Date,
): Promise<SpaceRow> {
  return prisma(tx).space.create({ data: { ...space, createdAt: now, updatedAt: now } })
}

/**
 * The number of changed rows: 0 if somebody else changed it first. Without fields, only the version
 * changes.
 */
export async function updateSpace(
  tx: Transaction,
  { id, version }: Seen,
  fields: Partial<SpaceFields>,
  now: Date,
): Promise<number> {
  const data = { ...fields, updatedAt: now, version: version + 1 }
  return (await prisma(tx).space.updateMany({ where: { id, version }, data })).count
}

/** Also deletes its APIs, permissions and roles, and what requests gave of them. */
export async function removeSpace(
  tx: Transaction,
  { id, version }: Seen,
  now: Date,
): Promise<{ count: number; ended: EndedAlone[] }> {
  const apis = await prisma(tx).api.findMany({ where: { spaceId: id }, select: { id: true } })
  const { count } = await prisma(tx).space.deleteMany({ where: { id, version } })
  const ids = apis.map((api) => api.id)
  return { count, ended: count > 0 ? await endRequestsOf(tx, ids, now) : [] }
}

/** Changes of the role hierarchy wait for each other. */
export async function lockSpace(tx: Transaction, id: string): Promise<void> {
  await prisma(tx).$executeRaw`UPDATE "Space" SET "updatedAt" = "updatedAt" WHERE "id" = ${id}`
}
