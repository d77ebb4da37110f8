import { join, sqltag as sql } from '@prisma/client/runtime/client'
import type { EventName } from '../../base/events'
import type { DatedEvent } from '../database/audit-entry'
import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'

/**
 * The IDs of what was deleted, for ever: a new object with one of them would be taken for the old
 * one by applications that know it (attack N26). The audit log alone would forget them
 * (AUDIT_RETENTION_DAYS).
 */

const DELETIONS: readonly string[] = [
  'application.deleted',
  'access_key.deleted',
  'user.deleted',
  'account.erased',
] satisfies EventName[]

/** In the transaction of the deletion, together with its audit entry. */
export async function rememberDeleted(
  tx: Transaction,
  events: readonly DatedEvent[],
): Promise<void> {
  const rows = events.flatMap(({ event, targetId, at }) =>
    targetId && DELETIONS.includes(event) ? [sql`(${targetId}, ${at})`] : [],
  )
  if (rows.length === 0) return
  await prisma(tx).$executeRaw(sql`
    INSERT INTO "DeletedId" ("id", "deletedAt") VALUES ${join(rows)}
    ON CONFLICT ("id") DO NOTHING`)
}

/**
 * Which of these IDs belonged to applications, access keys or users that were deleted. The audit log
 * is asked, too: during an upgrade, a process of the version before writes only there.
 */
export async function deletedAmong(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const kept = await prisma(db).deletedId.findMany({ where: { id: { in: [...ids] } } })
  const logged = await prisma(db).auditEntry.findMany({
    where: { targetId: { in: [...ids] }, event: { in: [...DELETIONS] } },
    select: { targetId: true },
  })
  return new Set([...kept.map(({ id }) => id), ...logged.flatMap(({ targetId }) => targetId ?? [])])
}
