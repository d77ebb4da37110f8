import { z } from 'zod'
import type { Reader } from './connection'
import { prisma } from './database'

/** When users and clients last got each scope in a token, from the audit log. */

const PAGE = 5_000
/** Of one user or application. */
const MOST_PAGES = 10
/** Of all of them, beyond the first page of each. */
const MOST_MORE = 40
/** Read at once, as long as there are few entries. */
const TOGETHER = 50

export type LastGranted = {
  /** By user or client, then by scope. */
  by: ReadonlyMap<string, ReadonlyMap<string, Date>>
  /** Everything since then was read. */
  knownSince: Date
  /** Users and applications with too many entries: of these, everything since then. */
  cut: ReadonlyMap<string, Date>
}

const issued = z.object({ scope: z.array(z.string()).default([]) })

type Whom = { users: readonly string[] } | { applications: readonly string[] }
type Column = 'actorId' | 'applicationId'
type Asked = { since: Date; column: Column; page: number }
type By = Map<string, Map<string, Date>>

/**
 * For applications also each of their access keys, as the client that asked. Whoever has many
 * entries is read alone, so that they hide nothing of another.
 */
export async function lastGranted(
  db: Reader,
  since: Date,
  whom: Whom,
  page = PAGE,
): Promise<LastGranted> {
  const [column, ids]: [Column, readonly string[]] =
    'users' in whom ? ['actorId', whom.users] : ['applicationId', whom.applications]
  const by: By = new Map()
  const kept = await oldestKept(db)
  const knownSince = kept && kept > since ? kept : since
  const asked = { since: knownSince, column, page }
  const busy: string[] = []
  for (let at = 0; at < ids.length; at += TOGETHER) {
    const some = ids.slice(at, at + TOGETHER)
    const rows = await readTogether(db, asked, some)
    if (rows.length === page) busy.push(...some)
    else for (const row of rows) note(by, column, row)
  }
  return { by, knownSince, cut: await readEach(db, asked, busy, by) }
}

/** All of them get a page before one gets the next. Returns since when those are known that have more. */
async function readEach(db: Reader, asked: Asked, ids: readonly string[], by: By) {
  const left = new Map<string, Last | null>(ids.map((id) => [id, null]))
  let more = MOST_MORE
  for (let round = 0; round < MOST_PAGES; round += 1) {
    for (const [id, last] of left) {
      if (round > 0 && more-- <= 0) break
      const rows = await readNewest(db, asked, id, last)
      for (const row of rows) note(by, asked.column, row)
      if (rows.length < asked.page) left.delete(id)
      else left.set(id, rows.at(-1) ?? null)
    }
  }
  return new Map([...left].map(([id, last]) => [id, last?.at ?? asked.since]))
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
  ...{ seq: true, at: true, applicationId: true, actorKind: true, actorId: true },
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
      ...{ [column]: id, event: 'token.issued' },
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

const MOST_TOKENS = 2_000

export type TokensWith = {
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
  most = MOST_TOKENS,
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
