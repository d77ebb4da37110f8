import { PORTAL_SCOPE_NAMES } from '../../access/portal-api'
import type { Reader } from '../database/connection'
import { type Prisma, prisma } from '../database/database'
import { stringList } from '../database/json'
import { itemKeysOf } from '../permissions/apis'

/** Everything that gives access and is in force or begins later: what a review looks at. */

export const SUBJECT_TYPES = ['user', 'group', 'application', 'access_key', 'role'] as const
type ThingSubject = { type: (typeof SUBJECT_TYPES)[number]; id: string }

export const THING_KINDS = ['assignment', 'grant', 'admin_role'] as const

type ThingTerms = {
  instance: string | null
  condition: string | null
  validFrom: string | null
  validUntil: string | null
  exchangeFrom: string | null
  /** The access request that gave it. */
  requestId: string | null
}

export type Thing = {
  kind: (typeof THING_KINDS)[number]
  /** ID of the assignment, the grant or, for an admin role, the user. */
  targetId: string
  targetVersion: number
  subject: ThingSubject
  /** The application, also of an access key. */
  applicationId: string | null
  /** ID of a role, a permission or pattern, or an admin role. */
  gives: string
  terms: ThingTerms
  since: Date
  endsAt: Date | null
  givenBy: string | null
}

export type ReviewScope =
  | { type: 'role' | 'api' | 'application' | 'user' | 'space'; id: string }
  /** Admin roles, and permissions of the portal that applications hold. */
  | { type: 'portal' }
  /** Grants of applications and access keys that were not used for some days. */
  | { type: 'unused'; days: number }

/** One table with a condition; things are read from each in turn, in the order of their IDs. */
export type ThingSource =
  | { table: 'assignment'; where: Prisma.AssignmentWhereInput }
  | { table: 'grant'; where: Prisma.GrantWhereInput }
  | { table: 'user'; where: Prisma.UserWhereInput }

/** Every pattern that can give a permission of the portal itself. */
const PORTAL_PATTERNS = [
  ...new Set(PORTAL_SCOPE_NAMES.flatMap((scope) => [scope, `${scope.split(':')[0]}:*`])),
]

const HAS_ADMIN_ROLE = { adminRole: { not: null } } as const

/** `ownerId`: only the applications of this user, where all would be looked at. */
export async function sourcesOf(
  db: Reader,
  over: ReviewScope,
  { apiPrefix, ownerId }: { apiPrefix: string | null; ownerId: string | null },
): Promise<ThingSource[]> {
  const whose = ownerId === null ? {} : { ownerId }
  switch (over.type) {
    case 'role':
      return [{ table: 'assignment', where: { roleId: over.id } }]
    case 'space':
      return [{ table: 'assignment', where: { role: { spaceId: over.id } } }]
    case 'user':
      return [
        { table: 'user', where: { id: over.id, ...HAS_ADMIN_ROLE } },
        { table: 'assignment', where: { userId: over.id } },
        { table: 'grant', where: { userId: over.id } },
      ]
    case 'application':
      return [
        { table: 'assignment', where: { applicationId: over.id } },
        { table: 'grant', where: { applicationId: over.id } },
        { table: 'grant', where: { accessKey: { applicationId: over.id } } },
      ]
    case 'api': {
      const patterns = [...(await itemKeysOf(db, over.id)), `${apiPrefix}:*`]
      return [{ table: 'grant', where: { pattern: { in: patterns } } }]
    }
    case 'portal':
      return [
        { table: 'user', where: HAS_ADMIN_ROLE },
        { table: 'grant', where: { pattern: { in: PORTAL_PATTERNS } } },
      ]
    case 'unused':
      return [
        { table: 'grant', where: { applicationId: { not: null }, application: whose } },
        {
          table: 'grant',
          where: { accessKeyId: { not: null }, accessKey: { application: whose } },
        },
      ]
  }
}

function aliveAt(now: Date) {
  return { effect: 'allow', OR: [{ validUntil: null }, { validUntil: { gt: now } }] }
}

/** Those after `after`, at most `most`. A deny gives nothing, so it is none of them. */
export async function listThings(
  db: Reader,
  source: ThingSource,
  after: string,
  now: Date,
  most: number,
): Promise<Thing[]> {
  const alive = aliveAt(now)
  const page = { orderBy: { id: 'asc' as const }, take: most }
  if (source.table === 'user') {
    const rows = await prisma(db).user.findMany({
      where: { AND: [source.where, { id: { gt: after } }] },
      ...page,
      select: { id: true, adminRole: true, createdAt: true, version: true },
    })
    return rows.map(toAdminRole)
  }
  if (source.table === 'assignment') {
    const where = { AND: [source.where, alive, { id: { gt: after } }] }
    return (await prisma(db).assignment.findMany({ where, ...page })).map(toAssigned)
  }
  const where = { AND: [source.where, alive, { id: { gt: after } }] }
  const include = { accessKey: { select: { applicationId: true } } }
  return (await prisma(db).grant.findMany({ where, ...page, include })).map(toGranted)
}

/** Counts up to `most`. */
export async function countThings(
  db: Reader,
  { table, where }: ThingSource,
  now: Date,
  most: number,
): Promise<number> {
  if (table === 'user') return prisma(db).user.count({ where, take: most })
  const alive = aliveAt(now)
  return table === 'assignment'
    ? prisma(db).assignment.count({ where: { AND: [where, alive] }, take: most })
    : prisma(db).grant.count({ where: { AND: [where, alive] }, take: most })
}

const NO_TERMS: ThingTerms = {
  instance: null,
  condition: null,
  validFrom: null,
  validUntil: null,
  exchangeFrom: null,
  requestId: null,
}

type AdminRow = { id: string; adminRole: string | null; createdAt: Date; version: number }

function toAdminRole({ id, adminRole, createdAt, version }: AdminRow): Thing {
  return {
    kind: 'admin_role',
    targetId: id,
    targetVersion: version,
    subject: { type: 'user', id },
    applicationId: null,
    gives: adminRole ?? '',
    terms: NO_TERMS,
    since: createdAt,
    endsAt: null,
    givenBy: null,
  }
}

type Period = {
  condition: string | null
  validFrom: Date | null
  validUntil: Date | null
}

function periodOf({ condition, validFrom, validUntil }: Period) {
  return {
    condition,
    validFrom: validFrom?.toISOString() ?? null,
    validUntil: validUntil?.toISOString() ?? null,
  }
}

type AssignmentRow = Awaited<ReturnType<typeof findAssignmentRow>>

function findAssignmentRow(db: Reader) {
  return prisma(db).assignment.findFirstOrThrow()
}

function toAssigned(row: AssignmentRow): Thing {
  const subject = assignedTo(row)
  return {
    kind: 'assignment',
    targetId: row.id,
    targetVersion: row.version,
    subject,
    applicationId: row.applicationId,
    gives: row.roleId,
    terms: { ...NO_TERMS, ...periodOf(row), instance: row.instance },
    since: row.createdAt,
    endsAt: row.validUntil,
    givenBy: row.givenBy,
  }
}

function assignedTo({ userId, groupId, applicationId }: AssignmentRow): ThingSubject {
  if (userId !== null) return { type: 'user', id: userId }
  if (groupId !== null) return { type: 'group', id: groupId }
  return { type: 'application', id: applicationId ?? '' }
}

type GrantRow = Awaited<ReturnType<typeof findGrantRow>>

function findGrantRow(db: Reader) {
  const include = { accessKey: { select: { applicationId: true } } }
  return prisma(db).grant.findFirstOrThrow({ include })
}

function toGranted(row: GrantRow): Thing {
  const { exchangeFrom, requestId } = row
  return {
    kind: 'grant',
    targetId: row.id,
    targetVersion: row.version,
    subject: grantedTo(row),
    applicationId: row.applicationId ?? row.accessKey?.applicationId ?? null,
    gives: row.pattern,
    terms: { ...NO_TERMS, ...periodOf(row), exchangeFrom, requestId },
    since: row.createdAt,
    endsAt: row.validUntil,
    givenBy: row.givenBy,
  }
}

function grantedTo({ userId, roleId, accessKeyId, applicationId }: GrantRow): ThingSubject {
  if (userId !== null) return { type: 'user', id: userId }
  if (roleId !== null) return { type: 'role', id: roleId }
  if (accessKeyId !== null) return { type: 'access_key', id: accessKeyId }
  return { type: 'application', id: applicationId ?? '' }
}

/**
 * What an access request gave is one thing, however many grants that are, and access of whoever
 * asked: also what an application got for them.
 */
export async function askedFor(db: Reader, things: readonly Thing[]): Promise<Thing[]> {
  const ids = [...new Set(things.flatMap(({ terms }) => terms.requestId ?? []))]
  if (ids.length === 0) return [...things]
  const requests = await prisma(db).accessRequest.findMany({
    where: { id: { in: ids } },
    select: { id: true, userId: true, applicationId: true, lacks: true },
  })
  const rows = await prisma(db).grant.findMany({
    where: { requestId: { in: ids }, userId: { in: requests.map(({ userId }) => userId) } },
    include: { accessKey: { select: { applicationId: true } } },
  })
  const toUsers = new Map(rows.map((row) => [row.requestId, toGranted(row)]))
  const byId = new Map(requests.map((request) => [request.id, request]))
  return things.map((thing) => {
    const request = byId.get(thing.terms.requestId ?? '')
    if (!request) return thing
    const gotIt = stringList(request.lacks).includes('application')
    return {
      ...(toUsers.get(request.id) ?? thing),
      subject: { type: 'user', id: request.userId },
      applicationId: gotIt ? request.applicationId : null,
    }
  })
}

/** Who made these assignments, from the audit log. */
export async function giversFromLog(
  db: Reader,
  assignmentIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await prisma(db).auditEntry.findMany({
    where: { event: 'assignment.created', targetId: { in: [...assignmentIds] } },
    select: { targetId: true, actorKind: true, actorId: true },
  })
  return new Map(
    rows.flatMap(({ targetId, actorKind, actorId }) =>
      targetId === null || actorId === null ? [] : [[targetId, `${actorKind}:${actorId}`]],
    ),
  )
}
