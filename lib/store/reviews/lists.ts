import type { Reader } from '../database/connection'
import { type Prisma, prisma } from '../database/database'
import { oneOf } from '../database/json'
import { type Page, type PageAsk, pageOf } from '../database/page'
import { DECISIONS, type Decision, OUTCOMES, type Outcome, type ReviewItem, toItem } from './items'

/** Which items of a review somebody may decide about, which concern them, and which are left. */

/** What somebody may decide about, beside what concerns themself. */
export type ReviewerPowers = {
  /** As one of the reviewers. */
  all: boolean
  /** As owner of these APIs. */
  apis: readonly string[]
  /** As the manager of these users. */
  managerOf: readonly string[]
  /** Where none of the reviewers can. */
  asFallback: boolean
  /** Subjects that are or belong to the person. */
  own: {
    user: string
    groups: readonly string[]
    applications: readonly string[]
    roles: readonly string[]
  }
  /** Access to the portal that is above their rank. */
  above: readonly string[]
}

function of(subjectType: string, ids: readonly string[]) {
  return { subjectType, subjectId: { in: [...ids] } }
}

function decidable({ all, apis, managerOf, asFallback, own, above }: ReviewerPowers) {
  const where: Prisma.ReviewItemWhereInput = {
    OR: [
      ...(all ? [{ reviewId: { not: '' } }] : []),
      { apiId: { in: [...apis] } },
      { managerId: { not: null }, ...of('user', managerOf) },
      ...(asFallback ? [{ byFallback: true }] : []),
    ],
    AND: [
      { NOT: of('user', [own.user]) },
      { NOT: of('group', own.groups) },
      { NOT: of('role', own.roles) },
      { NOT: { portal: true, gives: { in: [...above] } } },
      // "NOT IN" of a column without a value is neither true nor false.
      { OR: [{ applicationId: null }, { applicationId: { notIn: [...own.applications] } }] },
    ],
  }
  return where
}

/** What concerns somebody, or is above their rank. */
function concerning({
  own,
  above,
}: Pick<ReviewerPowers, 'own' | 'above'>): Prisma.ReviewItemWhereInput {
  return {
    OR: [
      ...[of('user', [own.user]), of('group', own.groups), of('role', own.roles)],
      { portal: true, gives: { in: [...above] } },
      { applicationId: { in: [...own.applications] } },
    ],
  }
}

/** Neither about one of these applications nor about one of these APIs. */
function outside({ applications, apis }: ReachableApis): Prisma.ReviewItemWhereInput {
  // "NOT IN" of a column without a value is neither true nor false.
  return {
    AND: [
      { OR: [{ applicationId: null }, { applicationId: { notIn: [...applications] } }] },
      { OR: [{ apiId: null }, { apiId: { notIn: [...apis] } }] },
    ],
  }
}

type ReachableApis = { applications: readonly string[]; apis: readonly string[] }

export type ItemFilters = {
  reviewId: string
  decided?: boolean | undefined
  /** Only what this user decided. */
  decidedBy?: string | undefined
  /** Only what this person may decide about. */
  mine?: ReviewerPowers | undefined
  /** Only what concerns this person. */
  about?: Pick<ReviewerPowers, 'own' | 'above'> | undefined
  /** Only what is beyond the reach of somebody. */
  beyond?: ReachableApis | undefined
  suggestion?: Decision | undefined
  outcome?: Outcome | undefined
}

function whereOf({
  reviewId,
  decided,
  decidedBy,
  mine,
  about,
  beyond,
  suggestion,
  outcome,
}: ItemFilters): Prisma.ReviewItemWhereInput {
  return {
    reviewId,
    ...(decided !== undefined && { decision: decided ? { not: null } : null }),
    ...(decidedBy !== undefined && { decidedBy }),
    ...(suggestion !== undefined && { suggestion }),
    ...(outcome !== undefined && { outcome }),
    AND: [
      ...(mine ? [decidable(mine)] : []),
      ...(about ? [concerning(about)] : []),
      ...(beyond ? [outside(beyond)] : []),
    ],
  }
}

export async function listItemPage(
  db: Reader,
  filters: ItemFilters,
  ask: PageAsk<'gives' | 'since'>,
): Promise<Page<ReviewItem>> {
  const page = await pageOf(ask, {
    filter: whereOf(filters),
    sorts: { gives: 'text', since: 'date' },
    searched: ['gives', 'subjectId'],
    find: (asked) => prisma(db).reviewItem.findMany(asked),
    count: (asked) => prisma(db).reviewItem.count(asked),
  })
  return { ...page, rows: page.rows.map(toItem) }
}

export async function listItems(
  db: Reader,
  filters: ItemFilters & { ids?: readonly string[]; after?: string },
  most: number,
): Promise<ReviewItem[]> {
  const { ids, after = '' } = filters
  const rows = await prisma(db).reviewItem.findMany({
    where: { AND: [whereOf(filters), { id: { gt: after, ...(ids && { in: [...ids] }) } }] },
    orderBy: { id: 'asc' },
    take: most,
  })
  return rows.map(toItem)
}

export function countItems(db: Reader, filters: ItemFilters): Promise<number> {
  return prisma(db).reviewItem.count({ where: whereOf(filters) })
}

export type DecisionCount = { decision: Decision | null; outcome: Outcome | null; count: number }

/** How many of a review were decided and ended in which way. */
export async function countByEnd(db: Reader, reviewId: string): Promise<DecisionCount[]> {
  const rows = await prisma(db).reviewItem.groupBy({
    by: ['decision', 'outcome'],
    where: { reviewId },
    _count: { _all: true },
  })
  return rows.map(({ decision, outcome, _count }) => ({
    decision: decision === null ? null : oneOf(DECISIONS, decision),
    outcome: outcome === null ? null : oneOf(OUTCOMES, outcome),
    count: _count._all,
  }))
}

/** What gives access to the portal itself, each once. */
export async function listPortalGives(
  db: Reader,
  reviewId: string,
): Promise<{ kind: string; gives: string }[]> {
  const rows = await prisma(db).reviewItem.findMany({
    where: { reviewId, portal: true },
    distinct: ['kind', 'gives'],
    select: { kind: true, gives: true },
  })
  return rows
}

/** The users whose manager this person was when the review started. */
export async function listManagedBy(
  db: Reader,
  reviewId: string,
  managerId: string,
): Promise<string[]> {
  const rows = await prisma(db).reviewItem.findMany({
    where: { reviewId, managerId, subjectType: 'user' },
    distinct: ['subjectId'],
    select: { subjectId: true },
  })
  return rows.map(({ subjectId }) => subjectId)
}

/** Who decides beside the reviewers: managers and owners of APIs, as far as something waits. */
export async function listWaitingFor(
  db: Reader,
  reviewId: string,
): Promise<{ any: boolean; managers: string[]; apis: string[]; fallback: boolean }> {
  const waiting = { reviewId, decision: null }
  const managers = await prisma(db).reviewItem.groupBy({
    by: ['managerId'],
    where: { ...waiting, managerId: { not: null } },
  })
  const apis = await prisma(db).reviewItem.groupBy({
    by: ['apiId'],
    where: { ...waiting, apiId: { not: null } },
  })
  const fallback = await prisma(db).reviewItem.count({ where: { ...waiting, byFallback: true } })
  const any = (await prisma(db).reviewItem.count({ where: waiting, take: 1 })) > 0
  return {
    any,
    managers: managers.flatMap(({ managerId }) => managerId ?? []),
    apis: apis.flatMap(({ apiId }) => apiId ?? []),
    fallback: fallback > 0,
  }
}

/** Not ended yet; what the starter holds comes last, because they answer for the rest. */
export async function listUnended(
  db: Reader,
  reviewId: string,
  starterId: string,
  most: number,
): Promise<ReviewItem[]> {
  const find = (where: Prisma.ReviewItemWhereInput) =>
    prisma(db).reviewItem.findMany({
      where: { ...where, reviewId, outcome: null },
      orderBy: [{ kind: 'desc' }, { id: 'asc' }],
      take: most,
    })
  const ofOthers = {
    subjectId: { not: starterId },
    OR: [{ applicationId: null }, { applicationId: { not: starterId } }],
  }
  const rows = await find(ofOthers)
  return (rows.length > 0 ? rows : await find({})).map(toItem)
}
