import type { DatabaseKind, Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'
import { breathe } from '../database/rows'
import { FOOT_ROW } from './chain'

/**
 * The beginning of the audit log, which may be removed after some time. In PostgreSQL every month is
 * a partition, so removing one drops a table; in SQLite the entries go in small pieces. The foot of
 * the chain stores what the last removed entry was, so the rest can still be verified (attack N21).
 */

const MONTHS_AHEAD = 2
const MAX_AT_ONCE = 500

/** The last of the removed entries. */
type LastRemoved = { seq: bigint; hash: string }

/** Makes the partitions of this month and the next ones, and of entries that came before theirs. */
export async function makeAuditMonths(db: Reader, kind: DatabaseKind, now: Date): Promise<void> {
  if (kind === 'sqlite') return
  const months = await prisma(db).$queryRaw<{ month: Date }[]>`
    SELECT date_trunc('month', ${now}::timestamp) + "n" * INTERVAL '1 month' AS "month"
    FROM generate_series(0, ${MONTHS_AHEAD}::int) AS "n"
    UNION SELECT DISTINCT date_trunc('month', "at") FROM "AuditEntry_default"`
  for (const { month } of months)
    await prisma(db).$queryRaw`SELECT "make_audit_partition"(${month}::timestamp)::text`
}

/** Moves the foot towards `before`; null if there is nothing to remove. PostgreSQL: by one month. */
export function removeAuditBefore(
  tx: Transaction,
  kind: DatabaseKind,
  before: Date,
): Promise<LastRemoved | null> {
  return kind === 'sqlite' ? moveFoot(tx, before) : dropMonth(tx, before)
}

async function dropMonth(tx: Transaction, before: Date): Promise<LastRemoved | null> {
  const [oldest] = await prisma(tx).$queryRaw<{ name: string; isOver: boolean }[]>`
    SELECT c.relname::text AS "name",
      to_date(right(c.relname, 7), 'YYYY_MM') + INTERVAL '1 month' <= ${before}::timestamp AS "isOver"
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = '"AuditEntry"'::regclass AND c.relname ~ '^AuditEntry_[0-9]{4}_[0-9]{2}$'
    ORDER BY c.relname LIMIT 1`
  if (!oldest?.isOver) return null
  // It waits for those who read the log, and others wait behind it: not for long.
  await prisma(tx).$executeRaw`SET LOCAL lock_timeout = '2s'`
  const [last] = await prisma(tx).$queryRawUnsafe<LastRemoved[]>(
    `SELECT "seq", "hash" FROM "${oldest.name}" ORDER BY "seq" DESC LIMIT 1`,
  )
  await prisma(tx).$executeRawUnsafe(`DROP TABLE "${oldest.name}"`)
  const foot = await findFoot(tx)
  if (!last || last.seq <= (foot?.seq ?? 0n)) return dropMonth(tx, before)
  await saveFoot(tx, last)
  return last
}

/** What comes before the first entry that stays. */
async function moveFoot(tx: Transaction, before: Date): Promise<LastRemoved | null> {
  const kept = await prisma(tx).auditEntry.findFirst({
    where: { at: { gte: before } },
    orderBy: [{ at: 'asc' }, { seq: 'asc' }],
    select: { seq: true, previousHash: true },
  })
  const foot = await findFoot(tx)
  if (!kept || kept.seq - 1n <= (foot?.seq ?? 0n)) return null
  const moved = { seq: kept.seq - 1n, hash: kept.previousHash }
  await saveFoot(tx, moved)
  return moved
}

function findFoot(db: Reader): Promise<LastRemoved | null> {
  return prisma(db).auditHead.findUnique({ where: { id: FOOT_ROW } })
}

async function saveFoot(tx: Transaction, { seq, hash }: LastRemoved): Promise<void> {
  await prisma(tx).auditHead.upsert({
    where: { id: FOOT_ROW },
    create: { id: FOOT_ROW, seq, hash },
    update: { seq, hash },
  })
}

/** SQLite: the entries up to the foot, which its trigger lets go; returns how many. */
export async function removeBehindFoot(
  db: Reader,
  kind: DatabaseKind,
  mayGoOn: () => boolean,
): Promise<number> {
  const foot = kind === 'sqlite' ? await findFoot(db) : null
  let removed = 0
  for (let count = foot ? MAX_AT_ONCE : 0; count === MAX_AT_ONCE && mayGoOn(); removed += count) {
    count = await prisma(db).$executeRaw`
      DELETE FROM "AuditEntry" WHERE "seq" IN (
        SELECT "seq" FROM "AuditEntry" WHERE "seq" <= ${foot?.seq ?? 0n}
        ORDER BY "seq" LIMIT ${MAX_AT_ONCE})`
    await breathe()
  }
  return removed
}
