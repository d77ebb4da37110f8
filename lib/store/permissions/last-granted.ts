import { z } from 'zod'
import type { Reader } from '../database/connection'
import { prisma } from '../database/database'

/** When users and clients last got each scope in a token, from the audit log. */

const PAGE = 5_000
/** Of one user or application. */
const MAX_PAGES = 10
/** Of all of them, beyond the first page of each. */
const MAX_MORE = 40
/** Of all of them together. */
const MAX_ROWS = 1_000_000
/** For all of them together. */
const MAX_MS = 20_000
/** Read at once, as long as there are few entries. */
const TOGETHER = 50

export type LastGranted = {
  /** By user or client, then by scope. */
  by: ReadonlyMap<string, ReadonlyMap<string, Date>>
  /** Everything since then was read. */
  knownSince: Date
  /** Users and applications with too many entries: of these, everything since then, or nothing. */
  cut: ReadonlyMap<string, Date | null>
}

const issued = z.object({ scope: z.array(z.string()).default([]) })

const COLUMNS = { users: 'actorId', applications: 'applicationId' } as const
type Column = (typeof COLUMNS)[keyof typeof COLUMNS]
type Asked = { since: Date; column: Column; page: number }
type By = Map<string, Map<string, Date>>
type Reading = {
  by: By
  cut: Map<string, Date | null>
  more: number
  rows: number
  until: number
}

/** What the log says of these users or applications, and of those before them. */
export type GrantedLog = (db: Reader, ids: readonly string[]) => Promise<LastGranted>

/**
 * For applications also each of their access keys, as the client that asked. Each is read once,
 * however often it is asked about. Whoever has many entries is read alone, so that they hide
 * nothing of another; all of it together has a limit.
 */
export function grantedLog(
  whom: keyof typeof COLUMNS,
  since: Date,
  { page = PAGE, mostRows = MAX_ROWS, mostMs = MAX_MS } = {},
): GrantedLog {
  const column = COLUMNS[whom]
  const seen = new Set<string>()
  const limits = { more: MAX_MORE, rows: mostRows, until: performance.now() + mostMs }
  const reading: Reading = { by: new Map(), cut: new Map(), ...limits }
  let kept: Promise<Date | null> | undefined
  return async (db, ids) => {
    kept ??= oldestKept(db)
    const oldest = await kept
    const knownSince = oldest && oldest > since ? oldest : since
    const unseen = [...new Set(ids)].filter((id) => !seen.has(id))
    for (const id of unseen) seen.add(id)
    await readAll(db, { since: knownSince, column, page }, unseen, reading)
    return { by: reading.by, knownSince, cut: reading.cut }
  }
}

async function readAll(db: Reader, asked: Asked, ids: readonly string[], reading: Reading) {
  const busy: string[] = []
  for (let at = 0; at < ids.length; at += TOGETHER) {
    const some = ids.slice(at, at + TOGETHER)
    const rows = hasTime(reading) ? await readTogether(db, asked, some) : null
    if (!rows || rows.length === asked.page) busy.push(...some)
    else take(reading, asked, rows)
  }
  await readEach(db, asked, busy, reading)
}

/** All of them get a page before one gets the next. */
async function readEach(db: Reader, asked: Asked, ids: readonly string[], reading: Reading) {
  const left = new Map<string, Last | null>(ids.map((id) => [id, null]))
  for (let round = 0; round < MAX_PAGES; round += 1) {
    for (const [id, last] of left) {
      if (!hasTime(reading) || (round > 0 && reading.more-- <= 0)) break
      const rows = await readNewest(db, asked, id, last)
      take(reading, asked, rows)
      if (rows.length < asked.page) left.delete(id)
      else left.set(id, rows.at(-1) ?? null)
    }
  }
  for (const [id, last] of left) reading.cut.set(id, last?.at ?? null)
}

function hasTime({ rows, until }: Reading): boolean {
  return rows > 0 && performance.now() < until
}

function take(reading: Reading, { column }: Asked, rows: readonly Row[]): void {
  reading.rows -= rows.length
  for (const row of rows) note(reading.by, column, row)
}

/** Older entries were removed, or the portal is not older. */
async function oldestKept(db: Reader): Promise<Date | null> {
  const oldest = await prisma(db).auditEntry.findFirst({
    orderBy: { seq: 'asc' },
    select: { at: true },
  })
  return oldest?.at ?? null
}

const select = {
  seq: true,
  at: true,
  applicationId: true,
  actorKind: true,
  actorId: true,
  detail: true,
} as const

function readTogether(db: Reader, { since, column, page }: Asked, ids: readonly string[]) {
  const where = { [column]: { in: [...ids] }, event: 'token.issued', at: { gte: since } }
  return prisma(db).auditEntry.findMany({ where, take: page, select })
}

type Last = { at: Date; seq: bigint }

/** In the order of an index, so that no more is read than one page. */
function readNewest(db: Reader, { since, column, page }: Asked, id: string, last: Last | null) {
  return prisma(db).auditEntry.findMany({
    where: {
      [column]: id,
      event: 'token.issued',
      at: { gte: since, ...(last && { lte: last.at }) },
      ...(last && { NOT: { at: last.at, seq: { gte: last.seq } } }),
    },
    orderBy: [{ at: 'desc' }, { seq: 'desc' }],
    take: page,
    select,
  })
}

type Row = Awaited<ReturnType<typeof readTogether>>[number]

function note(by: By, column: Column, row: Row): void {
  const isOfUser = column === 'actorId'
  const who = isOfUser || row.actorKind === 'client' ? row.actorId : row.applicationId
  if (who === null) return
  const known = by.get(who) ?? new Map<string, Date>()
  by.set(who, known)
  for (const scope of issued.safeParse(row.detail).data?.scope ?? []) {
    const before = known.get(scope)
    if (!before || before < row.at) known.set(scope, row.at)
  }
}

// ---------------------------------------------------------------- one scope of one user

const MAX_TOKENS = 2_000

type TokensWith = {
  count: number
  lastAt: Date | null
  /** False if there may be more: too many entries, or the log does not go back so far. */
  complete: boolean
}

type During = { userId: string; scope: string; from: Date; until: Date }

/** The tokens of a user with a scope in a time, of the newest entries of this user. */
export async function tokensWith(
  db: Reader,
  { userId, scope, from, until }: During,
  most = MAX_TOKENS,
): Promise<TokensWith> {
  const kept = await oldestKept(db)
  const rows = await prisma(db).auditEntry.findMany({
    where: { actorId: userId, event: 'token.issued', at: { gte: from, lte: until } },
    orderBy: [{ at: 'desc' }, { seq: 'desc' }],
    take: most,
    select: { at: true, detail: true },
  })
  const found = rows.filter(({ detail }) => issued.safeParse(detail).data?.scope.includes(scope))
  const complete = rows.length < most && kept !== null && kept <= from
  return { count: found.length, lastAt: found[0]?.at ?? null, complete }
}
