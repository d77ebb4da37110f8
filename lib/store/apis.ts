import type { Database, Transaction } from './database'

export type ApiRow = NonNullable<Awaited<ReturnType<Database['api']['findFirst']>>>
export type ItemRow = NonNullable<Awaited<ReturnType<Database['permissionItem']['findFirst']>>>

type Reader = Database | Transaction

export function findApi(db: Reader, spaceId: string, id: string): Promise<ApiRow | null> {
  return db.api.findFirst({ where: { spaceId, OR: [{ id }, { prefix: id }] } })
}

/** Prefixes are nobody else's, whatever the space. */
export function findApiById(db: Reader, id: string): Promise<ApiRow | null> {
  return db.api.findFirst({ where: { OR: [{ id }, { prefix: id }] } })
}

export function findItem(db: Reader, spaceId: string, key: string): Promise<ItemRow | null> {
  return db.permissionItem.findFirst({ where: { key, api: { spaceId } } })
}
