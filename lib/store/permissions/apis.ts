import { withoutUndefined } from '../../base/without-undefined'
import type { Reader, Transaction } from '../database/connection'
import { prisma, type Queries } from '../database/database'
import { type Page, type PageAsk, pageOf } from '../database/page'
import { enabledIs } from '../database/rows'
import { type EndedAlone, endRequestsOf } from '../requests/ends'
import { type ApiGovernance, GOVERNED, toGoverned } from './api-owners'

type Row = NonNullable<Awaited<ReturnType<Queries['api']['findFirst']>>>
export type ApiRow = Row & ApiGovernance
export type ItemRow = NonNullable<Awaited<ReturnType<Queries['permissionItem']['findFirst']>>>

export async function findApi(db: Reader, spaceId: string, id: string): Promise<ApiRow | null> {
  const where = { spaceId, OR: [{ id }, { prefix: id }] }
  const row = await prisma(db).api.findFirst({ where, include: GOVERNED })
  return row && toGoverned(row)
}

/** A prefix is unique over all spaces. */
export async function findApiById(db: Reader, id: string): Promise<ApiRow | null> {
  const where = { OR: [{ id }, { prefix: id }] }
  const row = await prisma(db).api.findFirst({ where, include: GOVERNED })
  return row && toGoverned(row)
}

type ApiFilters = { spaceId?: string | undefined; enabled?: boolean | undefined }

export function listApiPage(
  db: Reader,
  { spaceId, enabled }: ApiFilters,
  ask: PageAsk<'name' | 'prefix' | 'audience' | 'createdAt'>,
): Promise<Page<ApiRow>> {
  return pageOf(ask, {
    filter: { ...withoutUndefined({ spaceId }), ...enabledIs(enabled) },
    sorts: { name: 'text', prefix: 'text', audience: 'text', createdAt: 'date' },
    searched: ['name', 'prefix', 'audience'],
    find: async (asked) =>
      (await prisma(db).api.findMany({ ...asked, include: GOVERNED })).map(toGoverned),
    count: (asked) => prisma(db).api.count(asked),
  })
}

type Seen = { id: string; version: number }
type ApiFields = Pick<
  Row,
  | 'audience'
  | 'subpaths'
  | 'publishMetadata'
  | 'documentation'
  | 'name'
  | 'tokenSeconds'
  | 'tokenAlg'
  | 'tokenType'
  | 'openToAppManagers'
  | 'disabledAt'
>
type NewApi = ApiFields & Pick<Row, 'id' | 'spaceId' | 'prefix'>

export function insertApi(tx: Transaction, api: NewApi, now: Date): Promise<Row> {
  return prisma(tx).api.create({ data: { ...api, createdAt: now, updatedAt: now } })
}

/** The number of changed rows: 0 if somebody else changed it first. */
export async function updateApi(
  tx: Transaction,
  { id, version }: Seen,
  fields: Partial<ApiFields>,
  now: Date,
): Promise<number> {
  const data = { ...fields, updatedAt: now, version: version + 1 }
  return (await prisma(tx).api.updateMany({ where: { id, version }, data })).count
}

/** Also deletes its permissions, and what requests gave of them. */
export async function removeApi(
  tx: Transaction,
  { id, version }: Seen,
  now: Date,
): Promise<{ count: number; ended: EndedAlone[] }> {
  const { count } = await prisma(tx).api.deleteMany({ where: { id, version } })
  return { count, ended: count > 0 ? await endRequestsOf(tx, [id], now) : [] }
}

/** Holds it until the end of the transaction. False if it is gone. */
export async function holdApi(tx: Transaction, id: string): Promise<boolean> {
  const held = await prisma(tx)
    .$executeRaw`UPDATE "Api" SET "updatedAt" = "updatedAt" WHERE "id" = ${id}`
  return held === 1
}

export async function removeApisNamed(
  tx: Transaction,
  spaceId: string,
  prefixes: readonly string[],
  now: Date,
): Promise<EndedAlone[]> {
  const where = { spaceId, prefix: { in: [...prefixes] } }
  const apis = await prisma(tx).api.findMany({ where, select: { id: true } })
  const ids = apis.map(({ id }) => id)
  await prisma(tx).api.deleteMany({ where })
  return endRequestsOf(tx, ids, now)
}

// ---------------------------------------------------------------- permission items

export async function itemKeysOf(db: Reader, apiId: string): Promise<string[]> {
  const rows = await prisma(db).permissionItem.findMany({ where: { apiId }, select: { key: true } })
  return rows.map(({ key }) => key)
}

export function findItem(db: Reader, spaceId: string, key: string): Promise<ItemRow | null> {
  return prisma(db).permissionItem.findFirst({ where: { key, api: { spaceId } } })
}

type ItemFilters = {
  spaceId?: string | undefined
  /** ID or prefix of an API. */
  api?: string | undefined
}

export function listItemPage(
  db: Reader,
  { spaceId, api }: ItemFilters,
  ask: PageAsk<'key' | 'createdAt'>,
): Promise<Page<ItemRow>> {
  const ofApi = api === undefined ? {} : { OR: [{ id: api }, { prefix: api }] }
  return pageOf(ask, {
    filter: { api: { ...withoutUndefined({ spaceId }), ...ofApi } },
    sorts: { key: 'text', createdAt: 'date' },
    searched: ['key'],
    find: (asked) => prisma(db).permissionItem.findMany(asked),
    count: (asked) => prisma(db).permissionItem.count(asked),
  })
}

export type ItemFields = {
  apiId: string
  descriptions: Record<string, string>
  userBound: boolean
  needsRole: boolean
  sensitive: boolean
}

export function insertItem(
  tx: Transaction,
  item: ItemFields & { id: string; key: string },
  now: Date,
): Promise<ItemRow> {
  return prisma(tx).permissionItem.create({ data: { ...item, createdAt: now, updatedAt: now } })
}

/** The number of changed rows: 0 if somebody else changed it first. */
export async function updateItem(
  tx: Transaction,
  { id, version }: Seen,
  fields: ItemFields,
  now: Date,
): Promise<number> {
  const data = { ...fields, updatedAt: now, version: version + 1 }
  return (await prisma(tx).permissionItem.updateMany({ where: { id, version }, data })).count
}

export async function removeItem(tx: Transaction, { id, version }: Seen): Promise<number> {
  return (await prisma(tx).permissionItem.deleteMany({ where: { id, version } })).count
}

export async function removeItemsNamed(
  tx: Transaction,
  spaceId: string,
  keys: readonly string[],
): Promise<void> {
  const where = { key: { in: [...keys] }, api: { spaceId } }
  await prisma(tx).permissionItem.deleteMany({ where })
}
