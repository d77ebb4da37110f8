import { makeAuditMonths } from '../audit/months'
import type { DatabaseKind, Reader } from '../database/connection'
import { prisma } from '../database/database'

/**
 * Before activity of the past is written through a connection. On SQLite its commits reach the disk
 * with the next checkpoint: if the machine loses power before, the last of them are gone.
 */
export async function prepareForPast(db: Reader, kind: DatabaseKind, now: Date): Promise<void> {
  await makeAuditMonths(db, kind, now)
  if (kind === 'sqlite') await prisma(db).$executeRaw`PRAGMA synchronous=NORMAL`
}
