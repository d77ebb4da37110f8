import type { Database, Transaction } from './database'

export type SpaceRow = NonNullable<Awaited<ReturnType<Database['space']['findFirst']>>>

/** By id or by key. */
export function findSpace(db: Database | Transaction, name: string): Promise<SpaceRow | null> {
  return db.space.findFirst({ where: { OR: [{ id: name }, { key: name }] } })
}

/** Whoever changes how roles stand to each other comes one after the other. */
export async function lockSpace(tx: Transaction, id: string): Promise<void> {
  await tx.$executeRaw`UPDATE "Space" SET "updatedAt" = "updatedAt" WHERE "id" = ${id}`
}
