import { DAY_MS } from '../../base/time'
import type { DatabaseKind, Reader } from '../database/connection'
import { type Database, prisma } from '../database/database'
import { readReplica } from '../database/replica'

/**
 * Activity by day, from the audit log. The log is append-only, so a day that is over is counted once
 * and kept, by whoever asks first; the count of today is at most some seconds old.
 */

const SETTLED_AFTER_MS = 10 * 60 * 1000
const TODAY_MS = 10_000
/** Totals are exact; the breakdown is read from at most this many entries per day. */
const MAX_READ = 50_000
const MAX_LINES = 5_000

export type ActivityDay = {
  /** In UTC: 2026-11-15. */
  day: string
  signIns: number
  failedSignIns: number
  secondFactorSignIns: number
  tokens: number
  refusedRequests: number
  tokensByGrant: Record<string, number>
  refusedScopes: Record<string, number>
  tokensByApplication: Record<string, number>
  /** Who signed in. Missing in days that were counted before this was. */
  activeUsers?: number
  /** Who came on this day, and was there when it was counted. */
  newUsers?: number
  /** True if only a part of the entries was read for the breakdown. */
  sampled: boolean
}

const EVENTS = {
  signIns: 'login.succeeded',
  failedSignIns: 'login.failed',
  tokens: 'token.issued',
  refusedRequests: 'token.refused',
} as const

export function activityStore(db: Database, kind: DatabaseKind, now: () => Date) {
  const settled = new Map<string, ActivityDay>()
  let today: { at: number; day: string; counted: Promise<ActivityDay> } | null = null

  async function dayOf(start: Date): Promise<ActivityDay> {
    const day = dayIn(start)
    const known = settled.get(day)
    if (known) return known
    const over = now().getTime() > start.getTime() + DAY_MS + SETTLED_AFTER_MS
    if (!over) return unsettled(start, day)
    const read = readReplica(db, (reader) => countDay(reader, kind, start, day))
    const counted = await keepDay(db, await read)
    settled.set(day, counted)
    return counted
  }

  /** What is kept already, in one statement. */
  async function recall(from: Date): Promise<void> {
    const rows = await prisma(db).activityDay.findMany({
      where: { day: { gte: dayIn(from), notIn: [...settled.keys()] } },
    })
    for (const { day, counted } of rows) settled.set(day, counted as unknown as ActivityDay)
  }

  function unsettled(start: Date, day: string): Promise<ActivityDay> {
    if (today?.day === day && performance.now() - today.at < TODAY_MS) return today.counted
    const counted = readReplica(db, (reader) => countDay(reader, kind, start, day))
    const mine = { at: performance.now(), day, counted }
    today = mine
    const forget = () => {
      if (today === mine) today = null
    }
    // Before the first token there is little to count, and somebody waits for it to appear.
    const isEmpty = () => [...settled.values()].every((one) => one.tokens === 0)
    counted.then(({ tokens }) => tokens === 0 && isEmpty() && forget(), forget)
    return counted
  }

  /**
   * The last days, the oldest first. Read one after the other, so that other requests need not wait
   * for all of them.
   */
  return async function activity(days: number): Promise<ActivityDay[]> {
    const midnight = Math.floor(now().getTime() / DAY_MS) * DAY_MS
    const counted: ActivityDay[] = []
    const first = new Date(midnight - (days - 1) * DAY_MS)
    if (!settled.has(dayIn(first))) await recall(first)
    for (let back = days - 1; back >= 0; back -= 1) {
      counted.push(await dayOf(new Date(midnight - back * DAY_MS)))
    }
    return counted
  }
}

export type Activity = ReturnType<typeof activityStore>

function dayIn(start: Date): string {
  return start.toISOString().slice(0, 10)
}

/** Two processes may count the same day; both find the same. */
async function keepDay(db: Reader, counted: ActivityDay): Promise<ActivityDay> {
  const row = { day: counted.day, counted }
  await prisma(db).activityDay.upsert({ where: { day: row.day }, create: row, update: {} })
  return counted
}

/** An upper limit: tokens may have been revoked, or have a shorter lifetime. */
export async function countTokensSince(
  db: Reader,
  since: Date,
): Promise<{ count: number; capped: boolean }> {
  const where = { event: EVENTS.tokens, at: { gte: since } }
  const count = await prisma(db).auditEntry.count({ where, take: MAX_READ })
  return { count, capped: count === MAX_READ }
}

async function countDay(
  db: Reader,
  kind: DatabaseKind,
  from: Date,
  day: string,
): Promise<ActivityDay> {
  const to = new Date(from.getTime() + DAY_MS)
  const range = { gte: from, lt: to }
  const sql = kind === 'sqlite' ? sqlite : postgres
  const totals = await totalsOf(db, range)
  const made = await sql.made(db, from, to)
  const reasons = await sql.reasons(db, from, to)
  return {
    day,
    ...totals,
    secondFactorSignIns: sum(made.filter(hadSecondFactor)),
    tokensByGrant: tally(made.filter(isToken), ({ grantType }) => grantType),
    refusedScopes: tally(reasons, ({ code }) => code),
    tokensByApplication: tally(made.filter(isToken), ({ applicationId }) => applicationId),
    ...(await usersOf(db, range)),
    sampled: sum(made) >= MAX_READ,
  }
}

/** Answered from the index on event and time alone. */
async function totalsOf(db: Reader, at: { gte: Date; lt: Date }) {
  const counted = await prisma(db).auditEntry.groupBy({
    by: ['event'],
    where: { event: { in: Object.values(EVENTS) }, at },
    _count: true,
  })
  const of = (name: keyof typeof EVENTS) =>
    counted.find(({ event }) => event === EVENTS[name])?._count ?? 0
  return {
    signIns: of('signIns'),
    failedSignIns: of('failedSignIns'),
    tokens: of('tokens'),
    refusedRequests: of('refusedRequests'),
  }
}

/** As many new users of one day are counted; a list says no more either. */
const MAX_NEW = 10_000

async function usersOf(db: Reader, { gte: from, lt: to }: { gte: Date; lt: Date }) {
  const [row] = await prisma(db).$queryRaw<Record<'active' | 'new', number | bigint>[]>`
    SELECT
      (SELECT count(DISTINCT "actorId") FROM (SELECT "actorId" FROM "AuditEntry"
        WHERE "event" = ${EVENTS.signIns}
          AND "at" >= ${from} AND "at" < ${to} LIMIT ${MAX_READ}) AS "entry") AS "active",
      (SELECT count(*) FROM (SELECT 1 FROM "User"
        WHERE "createdAt" >= ${from} AND "createdAt" < ${to} LIMIT ${MAX_NEW}) AS "user")
        AS "new"`
  return { activeUsers: Number(row?.active ?? 0), newUsers: Number(row?.new ?? 0) }
}

type Made = {
  event: string
  result: string
  targetKind: string | null
  method: string | null
  grantType: string | null
  applicationId: string | null
  times: number | bigint
}
type Reason = { code: string | null; times: number | bigint }
type Reading = {
  made(db: Reader, from: Date, to: Date): Promise<Made[]>
  reasons(db: Reader, from: Date, to: Date): Promise<Reason[]>
}

/** Each database has its own JSON functions. */
const sqlite: Reading = {
  made: (db, from, to) => prisma(db).$queryRaw`
    SELECT "event", "result", "targetKind", "applicationId",
      json_extract("detail", '$.method') AS "method",
      json_extract("detail", '$.grant_type') AS "grantType",
      count(*) AS "times"
    FROM (SELECT * FROM "AuditEntry"
      WHERE "event" IN ('login.succeeded', 'login.second_factor', 'token.issued')
        AND "at" >= ${from} AND "at" < ${to} LIMIT ${MAX_READ})
    GROUP BY 1, 2, 3, 4, 5, 6 LIMIT ${MAX_LINES}`,
  reasons: (db, from, to) => prisma(db).$queryRaw`
    SELECT json_extract("value", '$.code') AS "code", count(*) AS "times"
    FROM (SELECT "detail" FROM "AuditEntry"
      WHERE "event" IN ('token.issued', 'token.refused')
        AND "at" >= ${from} AND "at" < ${to} LIMIT ${MAX_READ}) AS "entry",
      json_each(coalesce(
        json_extract("entry"."detail", '$.refused'),
        json_extract("entry"."detail", '$.scope_rejected_reasons'), '[]'))
    GROUP BY 1`,
}

const postgres: Reading = {
  made: (db, from, to) => prisma(db).$queryRaw`
    SELECT "event", "result", "targetKind", "applicationId",
      "detail"->>'method' AS "method",
      "detail"->>'grant_type' AS "grantType",
      count(*) AS "times"
    FROM (SELECT * FROM "AuditEntry"
      WHERE "event" IN ('login.succeeded', 'login.second_factor', 'token.issued')
        AND "at" >= ${from} AND "at" < ${to} LIMIT ${MAX_READ}) AS "entry"
    GROUP BY 1, 2, 3, 4, 5, 6 LIMIT ${MAX_LINES}`,
  reasons: (db, from, to) => prisma(db).$queryRaw`
    SELECT "reason"->>'code' AS "code", count(*) AS "times"
    FROM (SELECT "detail" FROM "AuditEntry"
      WHERE "event" IN ('token.issued', 'token.refused')
        AND "at" >= ${from} AND "at" < ${to} LIMIT ${MAX_READ}) AS "entry",
      jsonb_array_elements(coalesce(
        "entry"."detail"->'refused', "entry"."detail"->'scope_rejected_reasons', '[]')) AS "reason"
    GROUP BY 1`,
}

function isToken({ event }: Made): boolean {
  return event === EVENTS.tokens
}

/** A passkey is two factors in one. A later step-up is not a sign-in; it has a target. */
function hadSecondFactor({ event, result, method, targetKind }: Made): boolean {
  if (event === EVENTS.signIns) return method === 'passkey'
  return event === 'login.second_factor' && result === 'success' && targetKind === null
}

function sum(lines: readonly { times: number | bigint }[]): number {
  return lines.reduce((total, { times }) => total + Number(times), 0)
}

function tally<Line extends { times: number | bigint }>(
  lines: readonly Line[],
  nameOf: (line: Line) => string | null,
): Record<string, number> {
  const counts = new Map<string, number>()
  for (const line of lines) {
    const name = nameOf(line)
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + Number(line.times))
  }
  return Object.fromEntries(counts)
}
