import { onceFor } from '../../base/once-for'
import type { Reader, Transaction } from '../database/connection'
import { type Prisma, prisma, readPlain } from '../database/database'
import type { DueQuery } from '../database/due'
import { stringList } from '../database/json'

/**
 * Assignments and grants whose validity period begins or ends, in that order. A watermark says how
 * far they were announced.
 */

export type Mark = { at: Date; lastId: string }

/** The beginning or the end of a validity period. */
export type Edge = 'validFrom' | 'validUntil'

export type TimedTerms = {
  id: string
  effect: string
  condition: string | null
  validFrom: Date | null
  validUntil: Date | null
  exchangeFrom: string | null
  /** Who answers for what begins later; null for the operator. */
  givenBy: string | null
  /** Who or what holds it. */
  holder: { kind: 'user' | 'group' | 'application' | 'access_key' | 'role'; id: string }
  /** The role or the permission that is held. */
  what: string
  /** The holder is disabled, and nothing is given until it is enabled. */
  disabled: boolean
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

/** Of work that may be done twice: whoever comes last says how far it is. */
export async function saveMark(tx: Transaction, task: string, to: Mark): Promise<void> {
  await prisma(tx).$executeRaw`
    INSERT INTO "Watermark" ("task", "at", "lastId") VALUES (${task}, ${to.at}, ${to.lastId})
    ON CONFLICT ("task") DO UPDATE SET "at" = ${to.at}, "lastId" = ${to.lastId}`
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

/** One of the tasks that announce an edge, and how far ahead of it they are. */
export type EdgeTask = { task: string; table: 'Assignment' | 'Grant'; edge: Edge; aheadMs: number }

/** Whether one of the tasks has something to do, or has no mark yet. */
export async function isEdgeDue(
  { db, kind, now }: Omit<DueQuery, 'most'>,
  tasks: readonly EdgeTask[],
): Promise<boolean> {
  const before = tasks.map(({ aheadMs }) => new Date(now.getTime() + aheadMs))
  const rows = await readPlain(db, kind, edgesText(tasks), before)
  return rows.length > 0
}

const edgesText = onceFor((tasks: readonly EdgeTask[]) => tasks.map(edgeText).join(' UNION ALL '))

/**
 * The mark by subqueries: in a join, PostgreSQL might read every edge of the past. Without an OR, for
 * which SQLite would read every ID.
 */
function edgeText({ task, table, edge }: EdgeTask): string {
  const mark = (column: string) => `(SELECT "${column}" FROM "Watermark" WHERE "task" = '${task}')`
  return `SELECT 1 WHERE ${mark('at')} IS NULL OR EXISTS (
    SELECT 1 FROM "${table}" x WHERE x."${edge}" >= ${mark('at')} AND x."${edge}" < ?
    AND NOT (x."${edge}" = ${mark('at')} AND x."id" <= ${mark('lastId')}))`
}

/** What has its edge after the mark and before this time. */
function pageOf(edge: Edge, { at, lastId }: Mark, before: Date, most: number) {
  return {
    where: {
      [edge]: { gte: at, lt: before },
      OR: [{ [edge]: { gt: at } }, { id: { gt: lastId } }],
    },
    orderBy: [{ [edge]: 'asc' as const }, { id: 'asc' as const }],
    take: most,
  }
}

type ListTimed = (
  db: Reader,
  edge: Edge,
  mark: Mark,
  before: Date,
  most: number,
) => Promise<TimedTerms[]>

const IS_DISABLED = { select: { disabledAt: true } } as const

export const listTimedAssignments: ListTimed = async (db, edge, mark, before, most) => {
  const rows = await prisma(db).assignment.findMany({
    ...pageOf(edge, mark, before, most),
    include: { user: IS_DISABLED, application: IS_DISABLED },
  })
  return rows.map(({ roleId, user, application, ...row }) => ({
    ...termsOf(row),
    exchangeFrom: null,
    what: roleId,
    holder: holderOf({ ...row, accessKeyId: null, roleId: null }),
    disabled: isDisabled(user, application),
  }))
}

export const listTimedGrants: ListTimed = async (db, edge, mark, before, most) => {
  const rows = await prisma(db).grant.findMany({
    ...pageOf(edge, mark, before, most),
    include: { user: IS_DISABLED, application: IS_DISABLED, accessKey: IS_DISABLED },
  })
  return rows.map(({ pattern, exchangeFrom, user, application, accessKey, ...row }) => ({
    ...termsOf(row),
    exchangeFrom,
    what: pattern,
    holder: holderOf({ ...row, groupId: null }),
    disabled: isDisabled(user, application, accessKey),
  }))
}

type Terms = Omit<TimedTerms, 'exchangeFrom' | 'holder' | 'what' | 'disabled'>

function termsOf({ id, effect, condition, validFrom, validUntil, givenBy }: Terms): Terms {
  return { id, effect, condition, validFrom, validUntil, givenBy }
}

function isDisabled(...holders: ({ disabledAt: Date | null } | null)[]): boolean {
  return holders.some((holder) => holder !== null && holder.disabledAt !== null)
}

type Columns = Record<
  'userId' | 'groupId' | 'applicationId' | 'accessKeyId' | 'roleId',
  string | null
>

function holderOf(row: Columns): TimedTerms['holder'] {
  if (row.userId !== null) return { kind: 'user', id: row.userId }
  if (row.groupId !== null) return { kind: 'group', id: row.groupId }
  if (row.accessKeyId !== null) return { kind: 'access_key', id: row.accessKeyId }
  if (row.roleId !== null) return { kind: 'role', id: row.roleId }
  return { kind: 'application', id: row.applicationId ?? '' }
}

// ---------------------------------------------------------------- what does not begin

type Begins = Pick<TimedTerms, 'id' | 'givenBy' | 'validFrom'>

/** False if somebody else removed it, or gave it anew. */
export async function removeLaterAssignment(tx: Transaction, begins: Begins): Promise<boolean> {
  const { id, givenBy, validFrom } = begins
  const where = { id, givenBy, validFrom }
  return (await prisma(tx).assignment.deleteMany({ where })).count === 1
}

export async function removeLaterGrant(tx: Transaction, begins: Begins): Promise<boolean> {
  const { id, givenBy, validFrom } = begins
  return (await prisma(tx).grant.deleteMany({ where: { id, givenBy, validFrom } })).count === 1
}

// ---------------------------------------------------------------- sessions that depend on it

type RestrictedApplication = { id: string; requiredScopes: string[] }

/** The applications that not everybody may use. */
export async function listRequiring(db: Reader): Promise<RestrictedApplication[]> {
  const rows = await prisma(db).application.findMany({
    where: { NOT: { requiredScopes: { equals: [] } } },
    select: { id: true, requiredScopes: true },
  })
  return rows.map(({ id, requiredScopes }) => ({ id, requiredScopes: stringList(requiredScopes) }))
}

export type OpenGrant = {
  id: string
  userId: string
  sessionId: string | null
  applicationId: string
  accessKeyId: string | null
}

/** Who can be affected; `role`: those who hold one of the roles. */
export type AffectedHolders =
  | { kind: 'user' | 'group' | 'application' | 'access_key'; id: string }
  | { kind: 'role'; ids: readonly string[] }

/**
 * Token grants of those who can be affected, in these applications, after `after`, by ID. Those that
 * have expired too: they are kept while their session is open, and the application's own session
 * may be.
 */
export function listOpenGrants(
  db: Reader,
  affected: AffectedHolders,
  applicationIds: readonly string[],
  { after, most }: { after: string; most: number },
): Promise<OpenGrant[]> {
  return prisma(db).tokenGrant.findMany({
    where: {
      AND: [whereOf(affected), { applicationId: { in: [...applicationIds] } }],
      id: { gt: after },
      revokedAt: null,
    },
    orderBy: { id: 'asc' },
    take: most,
    select: { id: true, userId: true, sessionId: true, applicationId: true, accessKeyId: true },
  })
}

function whereOf(affected: AffectedHolders): Prisma.TokenGrantWhereInput {
  switch (affected.kind) {
    case 'user':
      return { userId: affected.id }
    case 'group':
      return { user: { groups: { some: { groupId: affected.id } } } }
    case 'application':
      return { applicationId: affected.id }
    case 'access_key':
      return { accessKeyId: affected.id }
    case 'role': {
      const assignments = { some: { roleId: { in: [...affected.ids] } } }
      return {
        OR: [
          { user: { assignments } },
          { user: { groups: { some: { group: { assignments } } } } },
          { application: { assignments } },
        ],
      }
    }
  }
}
