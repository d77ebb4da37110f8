import { EVENT_NAMES } from '../base/events'
import { withoutUndefined } from '../base/without-undefined'
import { newDatedId, sha256 } from '../crypto/secrets'
import type { AuditEvent } from '../oidc/provider'
import type { Connection, Reader, Transaction } from './connection'
import { databaseOf, type InputJsonObject, type Prisma, prisma, sqlOf } from './database'
import { type Page, type PageAsk, pageOf } from './page'
import { insertMany, type Sql } from './sql'

const ONLY_ROW = 1

/** What readers of the log see; the hashes are for the verification of the chain. */
const AUDIT_FIELDS = {
  seq: true,
  id: true,
  at: true,
  event: true,
  result: true,
  actorKind: true,
  actorId: true,
  targetKind: true,
  targetId: true,
  applicationId: true,
  ip: true,
  requestId: true,
  decisionId: true,
  detail: true,
} as const

export function findAuditEntry(db: Reader, id: string) {
  return prisma(db).auditEntry.findFirst({ where: { id }, select: AUDIT_FIELDS })
}

export type AuditEntryRow = NonNullable<Awaited<ReturnType<typeof findAuditEntry>>>

export type AuditFilters = {
  /** One event, or all events of one kind: `user.*`. */
  event?: string | undefined
  actorKind?: string | undefined
  actorId?: string | undefined
  targetKind?: string | undefined
  targetId?: string | undefined
  applicationId?: string | undefined
  ip?: string | undefined
  requestId?: string | undefined
  decisionId?: string | undefined
  result?: string | undefined
  from?: Date | undefined
  /** Exclusive. */
  to?: Date | undefined
  afterSeq?: number | undefined
}

/** By time, as the indexes and the partitions are, and entries of the same time by number. */
export function listAuditPage(
  db: Reader,
  filters: AuditFilters,
  { sort, ...ask }: PageAsk<'seq'>,
): Promise<Page<AuditEntryRow>> {
  const byTime = { ...ask, sort: sort === 'seq' ? 'at' : '-at' } as const
  return pageOf(byTime, {
    filter: whereOf(filters),
    sorts: { at: 'date', seq: 'bigint' },
    tie: 'seq',
    searched: [],
    find: (asked) => prisma(db).auditEntry.findMany({ ...asked, select: AUDIT_FIELDS }),
    count: (asked) => prisma(db).auditEntry.count({ ...asked, orderBy: { at: 'desc' } }),
  })
}

function whereOf({ event, from, to, afterSeq, ...exact }: AuditFilters) {
  const where: Prisma.AuditEntryWhereInput = {
    ...withoutUndefined(exact),
    ...(event !== undefined && { event: eventIs(event) }),
    ...(afterSeq !== undefined && { seq: { gt: afterSeq } }),
    at: { ...(from && { gte: from }), ...(to && { lt: to }) },
  }
  return where
}

/** `user.*` is every event of that kind, by name: an index finds names, not their beginnings. */
function eventIs(event: string): string | { in: string[] } {
  if (!event.endsWith('.*')) return event
  const kind = event.slice(0, -1)
  return { in: EVENT_NAMES.filter((name) => name.startsWith(kind)) }
}

export type DatedEvent = AuditEvent & { at: Date }

/**
 * Appends to the hash chain, in the transaction that the entries describe. Updating the head first
 * makes writers queue on its row, so the chain is linear on every database.
 */
export async function appendAudit(tx: Transaction, events: DatedEvent[]): Promise<Entry[]> {
  if (events.length === 0) return []
  const head = await prisma(tx).auditHead.update({
    where: { id: ONLY_ROW },
    data: { seq: { increment: events.length } },
  })
  const { rows, hash } = link(events, head.seq, head.hash)
  await prisma(tx).auditEntry.createMany({ data: rows })
  await prisma(tx).auditHead.update({ where: { id: ONLY_ROW }, data: { hash } })
  return rows
}

/** The same in a transaction of plain SQL. */
export async function appendAuditIn(sql: Sql, events: DatedEvent[]): Promise<void> {
  if (events.length === 0) return
  const [head] = await sql.all(
    'UPDATE "AuditHead" SET "seq" = "seq" + ? WHERE "id" = ? RETURNING "seq", "hash"',
    [events.length, ONLY_ROW],
  )
  if (!head) throw new Error('the head of the audit log is missing')
  const first = BigInt(head.seq as number | string) - BigInt(events.length)
  let hash = String(head.hash)
  // In parts, so that other requests get their turn between them.
  for (let at = 0; at < events.length; at += PART) {
    const part = events.slice(at, at + PART)
    const linked = link(part, first + BigInt(at + part.length), hash)
    hash = linked.hash
    const written = linked.rows.map((row) => ({ ...row, detail: JSON.stringify(row.detail) }))
    await insertMany(sql, 'AuditEntry', written)
  }
  await sql.run('UPDATE "AuditHead" SET "hash" = ? WHERE "id" = ?', [hash, ONLY_ROW])
}

const PART = 16

/** In a transaction of their own, with plain SQL. */
export function appendAuditBatch(db: Connection, batch: DatedEvent[]): Promise<void> {
  return sqlOf(databaseOf(db)).transaction(async (tx) => {
    await appendAuditIn(tx, batch)
  })
}

/** `last`: the number of the last of these entries; `head`: the hash of the entry before them. */
function link(events: DatedEvent[], last: bigint, head: string) {
  let seq = last - BigInt(events.length)
  let hash = head
  const rows = events.map((event) => {
    seq += 1n
    const row = chained(event, seq, hash)
    hash = row.hash
    return row
  })
  return { rows, hash }
}

export type Entry = {
  seq: bigint
  id: string
  at: Date
  event: string
  result: string
  actorKind: string
  actorId: string | null
  targetKind: string | null
  targetId: string | null
  applicationId: string | null
  ip: string | null
  requestId: string | null
  decisionId: string | null
  detail: InputJsonObject
  previousHash: string
}

function chained(event: DatedEvent, seq: bigint, previousHash: string): Entry & { hash: string } {
  const row: Entry = {
    seq,
    id: newDatedId('aud'),
    at: event.at,
    event: event.event,
    result: event.result,
    actorKind: event.actorKind,
    actorId: event.actorId,
    targetKind: event.targetKind ?? null,
    targetId: event.targetId ?? null,
    applicationId: event.applicationId ?? null,
    ip: event.ip ?? null,
    requestId: event.requestId ?? null,
    decisionId: event.decisionId ?? null,
    // A copy through JSON, so that exactly the stored value is hashed.
    detail: JSON.parse(JSON.stringify(event.detail)),
    previousHash,
  }
  return { ...row, hash: hashOf(row) }
}

/** What is hashed besides the number, the time and the detail, in this order. */
const HASHED = [
  'actorId',
  'actorKind',
  'applicationId',
  'decisionId',
  'event',
  'id',
  'ip',
  'previousHash',
  'requestId',
  'result',
  'targetId',
  'targetKind',
] as const

/**
 * Over the values in a fixed order; object members are sorted, because databases may reorder them.
 */
export function hashOf(row: Entry): string {
  const rest = HASHED.map((column) => row[column])
  const values = [String(row.seq), row.at.getTime(), canonical(row.detail), ...rest]
  return sha256(JSON.stringify(values))
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const members = value as Record<string, unknown>
  const names = Object.keys(members).sort()
  return Object.fromEntries(names.map((name) => [name, canonical(members[name])]))
}

export type AuditPage = { userId: string; events: readonly string[]; since: Date; before?: bigint }

/** What a user did, and what was done to their account; the newest first. */
export function listAuditOf(db: Reader, page: AuditPage, most: number) {
  const { userId, events, since, before } = page
  return prisma(db).auditEntry.findMany({
    where: {
      event: { in: [...events] },
      at: { gte: since },
      ...(before !== undefined && { seq: { lt: before } }),
      OR: [
        { actorKind: 'user', actorId: userId },
        { targetKind: 'user', targetId: userId },
      ],
    },
    select: AUDIT_FIELDS,
    orderBy: { seq: 'desc' },
    take: most,
  })
}

export async function applicationNames(
  db: Reader,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await prisma(db).application.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, name: true },
  })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Whether an application or access key with this ID was deleted. */
export async function wasDeleted(db: Reader, id: string): Promise<boolean> {
  const event = { in: ['application.deleted', 'access_key.deleted'] }
  return (
    (await prisma(db).auditEntry.findFirst({
      where: { targetId: id, event },
      select: { seq: true },
    })) !== null
  )
}
