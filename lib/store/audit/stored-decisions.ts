import { DAY_MS } from '../../base/time'
import type { DatabaseKind, Reader, Transaction } from '../database/connection'
import { prisma, readPlain } from '../database/database'
import { breathe } from '../database/rows'
import { millisIn, type Row, textIn } from '../database/sql'

/**
 * What decisions were made on, beside their audit entries. They are written together with the
 * entries (audit-append.ts, group-commit.ts), read for replays, and removed after some days and with
 * their user.
 */

const MAX_AT_ONCE = 500
/** Entries are numbered when they are written, which may be a little after their time. */
const WRITTEN_LATER = 2_000n
/** Numbers, of which not all have a decision. */
const LOOKED_AT_ONCE = 2_000n

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

/**
 * CROSS JOIN: SQLite reads the tables in this order, and so in the order of the numbers. PostgreSQL
 * does not conclude from one number to the other, so both have their limit.
 */
const PAGE = `
  SELECT d."seq", d."userId", d."basis", e."at", e."event", e."actorKind", e."actorId",
    e."applicationId", e."ip", e."detail"
  FROM "StoredDecision" d CROSS JOIN "AuditEntry" e
  WHERE d."seq" > ? AND e."seq" > ? AND e."seq" = d."seq" AND e."at" >= ? AND e."at" < ?
  ORDER BY d."seq" LIMIT ?`

export async function listPastDecisions(
  db: Reader,
  kind: DatabaseKind,
  { since, until }: Window,
  after: bigint,
  most: number,
): Promise<PastDecision[]> {
  const rows = await readPlain(db, kind, PAGE, [after, after, since, until, most])
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

type Range = { first: bigint; last: bigint }

/** Which numbers the stored decisions of a window have; null if there are none. */
export async function rangeOf(db: Reader, { since }: Window): Promise<Range | null> {
  const [least, most] = [await outermost(db, 'asc'), await outermost(db, 'desc')]
  if (least === null || most === null) return null
  const begin = (await firstSince(db, since)) - WRITTEN_LATER
  return { first: notBefore(least, begin), last: most }
}

function notBefore(least: bigint, seq: bigint): bigint {
  if (seq > least) return seq
  return least
}

/** One entry of the index; the smallest and the greatest in one statement would read all of it. */
async function outermost(db: Reader, order: 'asc' | 'desc'): Promise<bigint | null> {
  const select = { seq: true }
  const row = await prisma(db).storedDecision.findFirst({ orderBy: { seq: order }, select })
  return row?.seq ?? null
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

export async function removeDecisionsOf(tx: Transaction, ...userIds: string[]): Promise<void> {
  await prisma(tx).storedDecision.deleteMany({ where: { userId: { in: userIds } } })
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
  const old = () => prisma(db).$executeRaw`
    DELETE FROM "StoredDecision" WHERE "seq" IN (
      SELECT "seq" FROM "StoredDecision" WHERE "seq" < ${first} ORDER BY "seq" LIMIT ${MAX_AT_ONCE})`
  let removed = 0
  for (let count = MAX_AT_ONCE; count === MAX_AT_ONCE && mayGoOn(); removed += count) {
    count = await old()
    await breathe()
  }
  return removed + (await deleteOrphanedDecisions(db, now, mayGoOn))
}

/** How far each database was looked through; a process that starts looks back for a day. */
const lookedTo = new WeakMap<Reader, bigint>()

async function deleteOrphanedDecisions(
  db: Reader,
  now: Date,
  mayGoOn: () => boolean,
): Promise<number> {
  const last = await outermost(db, 'desc')
  const least = await outermost(db, 'asc')
  if (last === null || least === null) return 0
  const known = lookedTo.get(db) ?? (await firstSince(db, new Date(now.getTime() - DAY_MS)))
  const begin = notBefore(least, known - WRITTEN_LATER)
  let removed = 0
  for (let at = begin; at <= last && mayGoOn(); at += LOOKED_AT_ONCE) {
    removed += await prisma(db).$executeRaw`
      DELETE FROM "StoredDecision"
      WHERE "seq" >= ${at} AND "seq" < ${at + LOOKED_AT_ONCE} AND "userId" IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM "User" WHERE "User"."id" = "StoredDecision"."userId")`
    lookedTo.set(db, at + LOOKED_AT_ONCE)
    await breathe()
  }
  return removed
}
