import type { Reader, Transaction } from './connection'
import { prisma } from './database'

/**
 * Assignments and grants whose validity period ends, in the order of their ends. A watermark says
 * how far they were announced.
 */

export type Mark = { at: Date; lastId: string }

export type EndedTerms = {
  id: string
  effect: string
  validUntil: Date
  /** Who or what held it. */
  holder: { kind: 'user' | 'group' | 'application' | 'access_key' | 'role'; id: string }
  /** The role or the permission that was held. */
  what: string
}

export async function findMark(db: Reader, task: string): Promise<Mark | null> {
  return prisma(db).watermark.findUnique({ where: { task }, select: { at: true, lastId: true } })
}

/** The first mark; whoever comes second changes nothing. */
export async function saveFirstMark(tx: Transaction, task: string, at: Date): Promise<void> {
  await prisma(tx).$executeRaw`
    INSERT INTO "Watermark" ("task", "at", "lastId") VALUES (${task}, ${at}, '')
    ON CONFLICT ("task") DO NOTHING`
}

/** True for the one server process that moved it on from where it was seen. */
export async function advanceMark(
  tx: Transaction,
  task: string,
  from: Mark,
  to: Mark,
): Promise<boolean> {
  const { count } = await prisma(tx).watermark.updateMany({ where: { task, ...from }, data: to })
  return count === 1
}

/** What ended after the mark and before now. */
function since({ at, lastId }: Mark, now: Date) {
  return {
    validUntil: { gte: at, lt: now },
    OR: [{ validUntil: { gt: at } }, { id: { gt: lastId } }],
  }
}

const IN_ORDER = [{ validUntil: 'asc' }, { id: 'asc' }] as const

export async function listEndedAssignments(
  db: Reader,
  mark: Mark,
  now: Date,
  most: number,
): Promise<EndedTerms[]> {
  const rows = await prisma(db).assignment.findMany({
    where: since(mark, now),
    orderBy: [...IN_ORDER],
    take: most,
  })
  return rows.map(({ id, effect, validUntil, roleId, ...subject }) => ({
    ...{ id, effect, validUntil: validUntil ?? now, what: roleId },
    holder: holderOf({ ...subject, accessKeyId: null, roleId: null }),
  }))
}

export async function listEndedGrants(
  db: Reader,
  mark: Mark,
  now: Date,
  most: number,
): Promise<EndedTerms[]> {
  const rows = await prisma(db).grant.findMany({
    where: since(mark, now),
    orderBy: [...IN_ORDER],
    take: most,
  })
  return rows.map(({ id, effect, validUntil, pattern, ...holder }) => ({
    ...{ id, effect, validUntil: validUntil ?? now, what: pattern },
    holder: holderOf({ ...holder, groupId: null }),
  }))
}

type Columns = Record<
  'userId' | 'groupId' | 'applicationId' | 'accessKeyId' | 'roleId',
  string | null
>

function holderOf(row: Columns): EndedTerms['holder'] {
  if (row.userId !== null) return { kind: 'user', id: row.userId }
  if (row.groupId !== null) return { kind: 'group', id: row.groupId }
  if (row.accessKeyId !== null) return { kind: 'access_key', id: row.accessKeyId }
  if (row.roleId !== null) return { kind: 'role', id: row.roleId }
  return { kind: 'application', id: row.applicationId ?? '' }
}

// ---------------------------------------------------------------- sessions that depend on it

export type OpenGrant = {
  id: string
  userId: string
  sessionId: string | null
  applicationId: string
  accessKeyId: string | null
}

/** Live token grants of a user or of the members of a group, after `after`, by ID. */
export function listOpenGrants(
  db: Reader,
  { kind, id }: { kind: 'user' | 'group'; id: string },
  now: Date,
  after: string,
  most: number,
): Promise<OpenGrant[]> {
  const whose = kind === 'user' ? { userId: id } : { user: { groups: { some: { groupId: id } } } }
  return prisma(db).tokenGrant.findMany({
    where: { ...whose, id: { gt: after }, revokedAt: null, expiresAt: { gt: now } },
    orderBy: { id: 'asc' },
    take: most,
    select: { id: true, userId: true, sessionId: true, applicationId: true, accessKeyId: true },
  })
}
