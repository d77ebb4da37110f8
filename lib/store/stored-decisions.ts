import type { DatabaseKind, Reader, Transaction } from './connection'
import { prisma, readPlain } from './database'
import { breathe } from './rows'
import { millisIn, type Row, textIn } from './sql'

/**
 * What decisions were made on, beside their audit entries. They are written together with the
 * entries (audit-append.ts, group-commit.ts), read for replays, and removed after some days and with
 * their user.
 */

const MOST_AT_ONCE = 500
/** Entries are numbered when they are written, which may be a little after their time. */
const WRITTEN_LATER = 2_000n
const HOUR_MS = 60 * 60 * 1000

export type PastDecision = {
  seq: bigint
  at: number
  event: string
  actorKind: string
  actorId: string | null
  applicationId: string | null
  userId: string | null
  ip: string | null
  detail: unknown
  basis: string
}

export type Window = { since: Date; until: Date }

/** CROSS JOIN: SQLite reads the tables in this order, and so in the order of the numbers. */
const PAGE = `
  SELECT d."seq", d."userId", d."basis", e."at", e."event", e."actorKind", e."actorId",
    e."applicationId", e."ip", e."detail"
  FROM "StoredDecision" d CROSS JOIN "AuditEntry" e
  WHERE d."seq" > ? AND e."seq" = d."seq" AND e."at" >= ? AND e."at" < ?
  ORDER BY d."seq" LIMIT ?`

export async function listPastDecisions(
  db: Reader,
  kind: DatabaseKind,
  { since, until }: Window,
  after: bigint,
  most: number,
): Promise<PastDecision[]> {
  const rows = await readPlain(db, kind, PAGE, [after, since, until, most])
  return rows.map(toPast)
}

function toPast(row: Row): PastDecision {
  const { actorId, applicationId, userId, ip, detail } = row
  return {
    seq: BigInt(String(row.seq)),
    at: millisIn(row.at),
    event: textIn(row.event),
    actorKind: textIn(row.actorKind),
    actorId: orNull(actorId),
    applicationId: orNull(applicationId),
    userId: orNull(userId),
    ip: orNull(ip),
    detail: typeof detail === 'string' ? JSON.parse(detail) : detail,
    basis: textIn(row.basis),
  }
}

function orNull(value: unknown): string | null {
  return value === null ? null : textIn(value)
}

export type Range = { first: bigint; last: bigint }

/** Which numbers the stored decisions of a window have; null if there are none. */
export async function rangeOf(db: Reader, { since }: Window): Promise<Range | null> {
  const bounds = await prisma(db).storedDecision.aggregate({
    _min: { seq: true },
    _max: { seq: true },
  })
  const { _min: least, _max: most } = bounds
  if (least.seq === null || most.seq === null) return null
  const begin = (await firstSince(db, since)) - WRITTEN_LATER
  if (begin < least.seq) return { first: least.seq, last: most.seq }
  return { first: begin, last: most.seq }
}

/** The number of the first entry since then; behind the last one if there is none. */
async function firstSince(db: Reader, since: Date): Promise<bigint> {
  const entry = await prisma(db).auditEntry.findFirst({
    where: { at: { gte: since } },
    orderBy: [{ at: 'asc' }, { seq: 'asc' }],
    select: { seq: true },
  })
  if (entry) return entry.seq
  const head = await prisma(db).auditHead.findUniqueOrThrow({ where: { id: 1 } })
  return head.seq + 1n
}

/** Tokens of the window, whether it is known what they were decided on or not. */
export function countIssued(db: Reader, { since, until }: Window): Promise<number> {
  const where = { event: 'token.issued', at: { gte: since, lt: until } }
  return prisma(db).auditEntry.count({ where })
}

export async function removeDecisionsOf(tx: Transaction, userId: string): Promise<void> {
  await prisma(tx).storedDecision.deleteMany({ where: { userId } })
}

/**
 * Those before a time, and those of users who were deleted while a batch with them waited; returns
 * how many. In small pieces, so that nobody waits for a lock.
 */
export async function removeOldDecisions(
  db: Reader,
  before: Date,
  now: Date,
  mayGoOn: () => boolean,
): Promise<number> {
  const first = await firstSince(db, before)
  const recent = (await firstSince(db, new Date(now.getTime() - 2 * HOUR_MS))) - WRITTEN_LATER
  const old = () => prisma(db).$executeRaw`
    DELETE FROM "StoredDecision" WHERE "seq" IN (
      SELECT "seq" FROM "StoredDecision" WHERE "seq" < ${first} ORDER BY "seq" LIMIT ${MOST_AT_ONCE})`
  let removed = 0
  for (let count = MOST_AT_ONCE; count === MOST_AT_ONCE && mayGoOn(); removed += count) {
    count = await old()
    await breathe()
  }
  return removed + (await removeOfNobody(db, recent))
}

async function removeOfNobody(db: Reader, recent: bigint): Promise<number> {
  return prisma(db).$executeRaw`
    DELETE FROM "StoredDecision" WHERE "seq" >= ${recent} AND "userId" IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM "User" WHERE "User"."id" = "StoredDecision"."userId")`
}
