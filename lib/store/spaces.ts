import type { Reader, Transaction } from './connection'
import { type Database, prisma } from './database'

export type SpaceRow = NonNullable<Awaited<ReturnType<Database['space']['findFirst']>>>

/** By id or by key. */
export function findSpace(db: Reader, name: string): Promise<SpaceRow | null> {
  return prisma(db).space.findFirst({ where: { OR: [{ id: name }, { key: name }] } })
}

/** Whoever changes how roles stand to each other comes one after the other. */
export async function lockSpace(tx: Transaction, id: string): Promise<void> {
  await prisma(tx).$executeRaw`UPDATE "Space" SET "updatedAt" = "updatedAt" WHERE "id" = ${id}`
}
