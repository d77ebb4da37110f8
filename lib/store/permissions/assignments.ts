import { withoutUndefined } from '../../base/without-undefined'
import type { Reader, Transaction } from '../database/connection'
import { type Prisma, prisma, type Queries } from '../database/database'
import { type Page, type PageAsk, pageOf } from '../database/page'

export type AssignmentRow = NonNullable<Awaited<ReturnType<Queries['assignment']['findFirst']>>>
export type SubjectType = 'user' | 'group' | 'client'

export function findAssignment(db: Reader, spaceId: string, id: string) {
  return prisma(db).assignment.findFirst({ where: { id, role: { spaceId } } })
}

export function findAssignmentById(db: Reader, id: string) {
  return prisma(db).assignment.findUnique({ where: { id } })
}

function subjectColumn(type: SubjectType) {
  return ({ user: 'userId', group: 'groupId', client: 'applicationId' } as const)[type]
}

export function subjectOf(row: AssignmentRow): { type: SubjectType; id: string } {
  if (row.userId !== null) return { type: 'user', id: row.userId }
  if (row.groupId !== null) return { type: 'group', id: row.groupId }
  return { type: 'client', id: row.applicationId ?? '' }
}

export async function subjectExists(db: Reader, type: SubjectType, id: string): Promise<boolean> {
  const where = { where: { id } }
  switch (type) {
    case 'user':
      return (await prisma(db).user.count(where)) === 1
    case 'group':
      return (await prisma(db).group.count(where)) === 1
    case 'client':
      return (await prisma(db).application.count(where)) === 1
  }
}

type AssignmentFilters = {
  spaceId?: string | undefined
  /** ID or key of a role. */
  role?: string | undefined
  roleId?: string | undefined
  type?: SubjectType | undefined
  userId?: string | undefined
  groupId?: string | undefined
  applicationId?: string | undefined
  instance?: string | undefined
}

export function listAssignmentPage(
  db: Reader,
  filters: AssignmentFilters,
  ask: PageAsk<'id' | 'createdAt'>,
): Promise<Page<AssignmentRow>> {
  return pageOf(ask, {
    filter: whereOf(filters),
    sorts: { id: 'text', createdAt: 'date' },
    searched: ['id'],
    find: (asked) => prisma(db).assignment.findMany(asked),
    count: (asked) => prisma(db).assignment.count(asked),
  })
}

function whereOf({
  spaceId,
  role,
  type,
  ...exact
}: AssignmentFilters): Prisma.AssignmentWhereInput {
  const named = role === undefined ? {} : { OR: [{ id: role }, { key: role }] }
  return {
    role: { ...withoutUndefined({ spaceId }), ...named },
    ...(type !== undefined && { AND: { [subjectColumn(type)]: { not: null } } }),
    ...withoutUndefined(exact),
  }
}

// ---------------------------------------------------------------- who holds a role

/** Those of the roles that are assigned to an application. */
export async function rolesOfApplications(
  db: Reader,
  roleIds: readonly string[],
): Promise<string[]> {
  const rows = await prisma(db).assignment.groupBy({
    by: ['roleId'],
    where: { roleId: { in: [...roleIds] }, userId: null, applicationId: { not: null } },
  })
  return rows.map(({ roleId }) => roleId)
}

/** Those of the roles that people hold or are denied, each effect once. */
export async function rolesHeld(db: Reader, roleIds: readonly string[]) {
  const rows = await prisma(db).assignment.groupBy({
    by: ['roleId', 'effect'],
    where: { roleId: { in: [...roleIds] }, applicationId: null },
  })
  return rows.map(({ roleId, effect }) => ({ roleId, effect }))
}

/** The groups that hold one of the roles. */
export async function groupsHolding(db: Reader, roleIds: readonly string[]): Promise<string[]> {
  const rows = await prisma(db).assignment.groupBy({
    by: ['groupId'],
    where: { roleId: { in: [...roleIds] }, userId: null, groupId: { not: null } },
  })
  return rows.flatMap(({ groupId }) => groupId ?? [])
}

/**
 * Where subjects can be found: those who hold a role, the members of a group, some by ID, or those
 * who were granted one of these patterns themselves.
 */
export type Source =
  | { of: 'users' | 'applications'; role: string }
  | { of: 'users'; group: string }
  | { of: 'users' | 'applications'; ids: readonly string[] }
  | { of: 'users' | 'applications'; granted: readonly string[] }

/**
 * The IDs of a source after `after`, at most `most`, in the order of the database. Each source is a
 * range of an index, so a page costs the same however many there are.
 */
export async function subjectsIn(
  db: Reader,
  source: Source,
  after: string,
  most: number,
): Promise<string[]> {
  if ('ids' in source) return after === '' ? [...source.ids] : []
  if ('group' in source) {
    const rows = await prisma(db).groupMember.findMany({
      where: { groupId: source.group, userId: { gt: after } },
      orderBy: { userId: 'asc' },
      take: most,
      select: { userId: true },
    })
    return rows.map(({ userId }) => userId)
  }
  if ('granted' in source && source.of === 'users') {
    const rows = await prisma(db).grant.groupBy({
      by: ['userId'],
      where: { pattern: { in: [...source.granted] }, userId: { gt: after } },
      orderBy: { userId: 'asc' },
      take: most,
    })
    return rows.flatMap(({ userId }) => userId ?? [])
  }
  if ('granted' in source) {
    const rows = await prisma(db).grant.groupBy({
      by: ['applicationId'],
      where: { pattern: { in: [...source.granted] }, applicationId: { gt: after } },
      orderBy: { applicationId: 'asc' },
      take: most,
    })
    return rows.flatMap(({ applicationId }) => applicationId ?? [])
  }
  const { role: roleId } = source
  if (source.of === 'users') {
    const rows = await prisma(db).assignment.groupBy({
      by: ['userId'],
      where: { roleId, userId: { gt: after } },
      orderBy: { userId: 'asc' },
      take: most,
    })
    return rows.flatMap(({ userId }) => userId ?? [])
  }
  const rows = await prisma(db).assignment.groupBy({
    by: ['applicationId'],
    where: { roleId, userId: null, applicationId: { gt: after } },
    orderBy: { applicationId: 'asc' },
    take: most,
  })
  return rows.flatMap(({ applicationId }) => applicationId ?? [])
}

/** The resource instances that assignments of these roles name, after `after`, in order. */
export async function instancesOfRoles(
  db: Reader,
  roleIds: readonly string[],
  after: string,
  most: number,
): Promise<string[]> {
  const rows = await prisma(db).assignment.groupBy({
    by: ['instance'],
    where: { roleId: { in: [...roleIds] }, instance: { gt: after } },
    orderBy: { instance: 'asc' },
    take: most,
  })
  return rows.flatMap(({ instance }) => instance ?? [])
}

/** All of them, to be inserted again. */
export async function assignmentsOfApplication(
  db: Reader,
  applicationId: string,
): Promise<NewAssignment[]> {
  const rows = await prisma(db).assignment.findMany({ where: { applicationId } })
  return rows.map((row) => {
    const { id, roleId, instance, effect, condition, validFrom, validUntil, givenBy } = row
    const subject = { type: 'client', id: applicationId } as const
    return { id, roleId, instance, effect, condition, validFrom, validUntil, givenBy, subject }
  })
}

// ---------------------------------------------------------------- writing

type Seen = { id: string; version: number }
type Terms = {
  instance: string | null
  effect: string
  condition: string | null
  validFrom: Date | null
  validUntil: Date | null
}
export type NewAssignment = Terms & {
  id: string
  roleId: string
  /** Who answers for it if it begins later. */
  givenBy?: string | null
  subject: { type: SubjectType; id: string }
}

function columnsOf({ subject, ...rest }: NewAssignment, now: Date) {
  const column = { [subjectColumn(subject.type)]: subject.id }
  return { ...rest, ...column, createdAt: now, updatedAt: now }
}

/** In the given order. */
export async function insertAssignments(
  tx: Transaction,
  assignments: readonly NewAssignment[],
  now: Date,
): Promise<AssignmentRow[]> {
  const data = assignments.map((assignment) => columnsOf(assignment, now))
  await prisma(tx).assignment.createMany({ data })
  const ids = assignments.map(({ id }) => id)
  const rows = await prisma(tx).assignment.findMany({ where: { id: { in: ids } } })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Counts up to `most`. */
export async function countAssignments(
  db: Reader,
  { type, id }: NewAssignment['subject'],
  most: number,
): Promise<number> {
  return prisma(db).assignment.count({ where: { [subjectColumn(type)]: id }, take: most })
}

/** The number of changed rows: 0 if somebody else changed it first. */
export async function updateAssignment(
  tx: Transaction,
  { id, version }: Seen,
  terms: Partial<Terms> & Pick<NewAssignment, 'givenBy'>,
  now: Date,
): Promise<number> {
  const data = { ...terms, updatedAt: now, version: version + 1 }
  return (await prisma(tx).assignment.updateMany({ where: { id, version }, data })).count
}

export async function removeAssignment(tx: Transaction, { id, version }: Seen): Promise<number> {
  return (await prisma(tx).assignment.deleteMany({ where: { id, version } })).count
}

/** Whatever its terms. */
export async function removeRoleFrom(
  tx: Transaction,
  userId: string,
  roleId: string,
): Promise<void> {
  await prisma(tx).assignment.deleteMany({ where: { userId, roleId } })
}

/** The different effects with which this user holds the role, for one instance or for all. */
export async function termsOfRole(db: Reader, userId: string, roleId: string) {
  return prisma(db).assignment.findMany({
    where: { userId, roleId, OR: [{ effect: 'allow' }, { instance: null }] },
    distinct: ['effect'],
    select: { roleId: true, effect: true },
  })
}

export const PLAIN_TERMS: Terms = {
  instance: null,
  effect: 'allow',
  condition: null,
  validFrom: null,
  validUntil: null,
}

export async function holdsPlainly(db: Reader, userId: string, roleId: string): Promise<boolean> {
  return (await prisma(db).assignment.count({ where: { userId, roleId, ...PLAIN_TERMS } })) > 0
}
