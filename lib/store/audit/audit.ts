import { BY_OTHERS, EVENT_NAMES } from '../../base/events'
import { withoutUndefined } from '../../base/without-undefined'
import { type DatedEvent, type Entry, link } from '../database/audit-entry'
import type { Connection, Reader, Transaction } from '../database/connection'
import { databaseOf, type Prisma, prisma, sqlOf } from '../database/database'
import { type Page, type PageAsk, pageOf } from '../database/page'
import { rememberDeleted } from './deleted-ids'

export { type DatedEvent, type Entry, hashOf } from '../database/audit-entry'

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
  { event, ...filters }: AuditFilters,
  { sort, ...ask }: PageAsk<'seq'>,
): Promise<Page<AuditEntryRow>> {
  const byTime = { ...ask, sort: sort === 'seq' ? 'at' : '-at' } as const
  const names = event === undefined ? null : namesOf(event)
  return pageOf(byTime, {
    filter: whereOf(filters),
    sorts: { at: 'date', seq: 'bigint' },
    tie: 'seq',
    searched: [],
    find: async (asked: Asked) => {
      const lists = await Promise.all(ofEach(names, asked).map((each) => entriesIn(db, each)))
      return inOrder(lists.flat(), asked).slice(0, asked.take)
    },
    count: async ({ where, take }: Asked) => {
      const asked = { where, take, orderBy: { at: 'desc' } } as const
      const counts = ofEach(names, asked).map((each) => prisma(db).auditEntry.count(each))
      const sum = (await Promise.all(counts)).reduce((all, count) => all + count, 0)
      return Math.min(sum, take)
    },
  })
}

type Asked = Pick<Prisma.AuditEntryFindManyArgs, 'orderBy'> & {
  where: Prisma.AuditEntryWhereInput
  take: number
}

function entriesIn(db: Reader, asked: Asked): Promise<AuditEntryRow[]> {
  return prisma(db).auditEntry.findMany({ ...asked, select: AUDIT_FIELDS })
}

/**
 * A statement for each event: the index has the entries of one event in the order of their time, but
 * not those of several.
 */
function ofEach<A extends { where: Prisma.AuditEntryWhereInput }>(
  names: readonly string[] | null,
  asked: A,
): A[] {
  return names?.map((event) => ({ ...asked, where: { AND: [asked.where, { event }] } })) ?? [asked]
}

function inOrder(entries: AuditEntryRow[], { orderBy }: Asked): AuditEntryRow[] {
  const [first] = [orderBy].flat()
  const sign = first?.at === 'asc' ? 1 : -1
  return entries.sort((a, b) => sign * (a.at.getTime() - b.at.getTime() || Number(a.seq - b.seq)))
}

function whereOf({ from, to, afterSeq, ...exact }: Omit<AuditFilters, 'event'>) {
  const where: Prisma.AuditEntryWhereInput = {
    ...withoutUndefined(exact),
    ...(afterSeq !== undefined && { seq: { gt: afterSeq } }),
    at: { ...(from && { gte: from }), ...(to && { lt: to }) },
  }
  return where
}

/** `user.*` is every event of that kind. */
function namesOf(event: string): string[] {
  if (!event.endsWith('.*')) return [event]
  return EVENT_NAMES.filter((name) => name.startsWith(event.slice(0, -1)))
}

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
  const { rows, hash, decisions } = link(events, head.seq, head.hash)
  await prisma(tx).auditEntry.createMany({ data: rows })
  if (decisions.length > 0) await prisma(tx).storedDecision.createMany({ data: decisions })
  await prisma(tx).auditHead.update({ where: { id: ONLY_ROW }, data: { hash } })
  await rememberDeleted(tx, events)
  return rows
}

/** In a transaction of their own, with plain SQL. */
export async function appendAuditBatch(db: Connection, batch: DatedEvent[]): Promise<void> {
  await sqlOf(databaseOf(db)).audited({ steps: [], events: batch })
}

type AuditPage = { userId: string; events: readonly string[]; since: Date; before?: bigint }

/** What a user did, and what was done to their account; the newest first. */
export function listAuditOf(db: Reader, page: AuditPage, most: number) {
  const { userId, events, since, before } = page
  return prisma(db).auditEntry.findMany({
    where: {
      event: { in: [...events] },
      at: { gte: since },
      ...(before !== undefined && { seq: { lt: before } }),
      OR: [
        { actorKind: 'user', actorId: userId, event: { notIn: BY_OTHERS } },
        { targetKind: 'user', targetId: userId },
      ],
    },
    select: AUDIT_FIELDS,
    orderBy: { seq: 'desc' },
    take: most,
  })
}

/** What was refused to an application, the newest first. */
export function listRefusalsOf(
  db: Reader,
  { applicationId, events }: { applicationId: string; events: readonly string[] },
  most: number,
) {
  return prisma(db).auditEntry.findMany({
    where: { targetId: applicationId, event: { in: [...events] } },
    select: AUDIT_FIELDS,
    orderBy: [{ at: 'desc' }, { seq: 'desc' }],
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
