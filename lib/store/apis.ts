import { GOVERNED, type Governed, toGoverned } from './api-owners'
import type { Reader } from './connection'
import { type Database, prisma } from './database'

type Row = NonNullable<Awaited<ReturnType<Database['api']['findFirst']>>>
export type ApiRow = Row & Governed
export type ItemRow = NonNullable<Awaited<ReturnType<Database['permissionItem']['findFirst']>>>

export async function findApi(db: Reader, spaceId: string, id: string): Promise<ApiRow | null> {
  const where = { spaceId, OR: [{ id }, { prefix: id }] }
  const row = await prisma(db).api.findFirst({ where, include: GOVERNED })
  return row && toGoverned(row)
}

/** Prefixes are nobody else's, whatever the space. */
export async function findApiById(db: Reader, id: string): Promise<ApiRow | null> {
  const where = { OR: [{ id }, { prefix: id }] }
  const row = await prisma(db).api.findFirst({ where, include: GOVERNED })
  return row && toGoverned(row)
}

export async function listApis(db: Reader, args: object): Promise<ApiRow[]> {
  return (await prisma(db).api.findMany({ ...args, include: GOVERNED })).map(toGoverned)
}

export async function itemKeysOf(db: Reader, apiId: string): Promise<string[]> {
  const rows = await prisma(db).permissionItem.findMany({ where: { apiId }, select: { key: true } })
  return rows.map(({ key }) => key)
}

export function findItem(db: Reader, spaceId: string, key: string): Promise<ItemRow | null> {
  return prisma(db).permissionItem.findFirst({ where: { key, api: { spaceId } } })
}
