import { z } from 'zod'
import { compileStored } from '../access/condition'
import {
  type Api,
  type Assignment,
  type Grant,
  type GrantSet,
  grantSet,
  type Holder,
  type Item,
  NO_GRANTS,
  type Policy,
  type Role,
  type Terms,
  type User,
} from '../access/policy'
import type { OwnApi } from '../access/portal-api'
import { GOVERNED, type Governed, toGoverned } from './api-owners'
import type { Reader } from './connection'
import { type Database, prisma } from './database'
import { oneOf } from './json'
import { allRows, eachRow, groupBy, type Ids, interning, millis } from './rows'
import { jsonIn } from './sql'

/**
 * Everything that can grant or refuse, in the form of decisions. The data of users and applications
 * can be read for some of them only: `ids`, or null for all.
 */

export async function loadPolicy(db: Reader, own: OwnApi): Promise<Policy> {
  return {
    ...(await loadModel(db, own)),
    ...(await loadApplications(db, null)),
    users: await loadUsers(db, null),
  }
}

export async function loadModel(
  db: Reader,
  own: OwnApi,
): Promise<Pick<Policy, 'items' | 'apisByAudience' | 'roles'>> {
  const rowsOfApis = await prisma(db).api.findMany({ include: GOVERNED })
  const apis = new Map(rowsOfApis.map((row) => [row.id, toApi(toGoverned(row))]))
  const rows = await allRows((page) =>
    prisma(db).permissionItem.findMany({ orderBy: { id: 'asc' }, ...page }),
  )
  const items = [...rows.flatMap((row) => toItem(row, apis)), ...own.items]
  return {
    items: new Map(items.map((item) => [item.scope, item])),
    apisByAudience: new Map([...apis.values(), own.api].map((api) => [api.audience, api])),
    roles: await loadRoles(db),
  }
}

export async function loadApplications(
  db: Reader,
  ids: Ids,
): Promise<Pick<Policy, 'applications' | 'accessKeyGrants'>> {
  const among = ids ? { in: [...ids] } : { not: null }
  const grants = new Map<string, Grant[]>()
  const same = interning()
  await eachGrantOfApplications(db, ids, (row) => {
    add(grants, row.applicationId ?? '', { ...toGrant(row), pattern: same(row.pattern) })
  })
  const ofKeys = await allRows((page) =>
    prisma(db).grant.findMany({
      where: {
        accessKeyId: { not: null },
        ...(ids && { accessKey: { applicationId: { in: [...ids] } } }),
      },
      orderBy: { id: 'asc' },
      ...page,
    }),
  )
  const assignments = await allRows((page) =>
    prisma(db).assignment.findMany({
      where: { applicationId: among },
      orderBy: { id: 'asc' },
      ...page,
    }),
  )
  const held = groupBy(assignments, ({ applicationId }) => applicationId ?? '')
  return {
    applications: toHolders(
      new Map([...grants].map(([id, theirs]) => [id, grantSet(theirs)])),
      new Map([...held].map(([id, rows]) => [id, rows.map(toAssignment)])),
    ),
    accessKeyGrants: setsBy(ofKeys, (grant) => grant.accessKeyId),
  }
}

type ApplicationGrantRow = TermsRow & Pick<GrantRow, 'applicationId' | 'pattern'>

async function eachGrantOfApplications(
  db: Reader,
  ids: Ids,
  use: (row: ApplicationGrantRow) => void,
): Promise<void> {
  await eachRow<ApplicationGrantRow>(
    ids &&
      prisma(db).grant.findMany({
        where: { applicationId: { in: [...ids] } },
        orderBy: { id: 'asc' },
      }),
    (after, atMost) => prisma(db).$queryRaw`
      SELECT "id", "applicationId", "pattern", "effect", "condition", "validFrom", "validUntil"
      FROM "Grant" WHERE "applicationId" IS NOT NULL AND "id" > ${after} ORDER BY "id" LIMIT ${atMost}`,
    use,
  )
}

type ApiRow = Awaited<ReturnType<Database['api']['findMany']>>[number] & Governed
type ItemRow = Awaited<ReturnType<Database['permissionItem']['findMany']>>[number]
type GrantRow = Awaited<ReturnType<Database['grant']['findMany']>>[number]
type AssignmentRow = Awaited<ReturnType<Database['assignment']['findMany']>>[number]
type TermsRow = Pick<GrantRow, 'id' | 'effect' | 'condition' | 'validFrom' | 'validUntil'>

function toApi(row: ApiRow): Api {
  const { id, spaceId, audience, prefix, tokenSeconds } = row
  const tokenAlg = row.tokenAlg === null ? null : oneOf(['ES256', 'RS256'], row.tokenAlg)
  const enabled = row.disabledAt === null
  const { owners, openToAppManagers, introspectors } = row
  const governed = { owners, openToAppManagers, introspectors }
  return { id, spaceId, audience, prefix, tokenSeconds, tokenAlg, enabled, ...governed }
}

function toItem(row: ItemRow, apis: Map<string, Api>): Item[] {
  const api = apis.get(row.apiId)
  if (!api) return []
  const { key: scope, userBound, needsRole, sensitive } = row
  return [{ scope, api, userBound, needsRole, sensitive }]
}

function setsBy(
  rows: GrantRow[],
  subjectOf: (row: GrantRow) => string | null,
): Map<string, GrantSet> {
  const theirs = rows.filter((row) => subjectOf(row) !== null)
  const groups = groupBy(theirs, (row) => subjectOf(row) ?? '')
  return new Map([...groups].map(([id, group]) => [id, grantSet(group.map(toGrant))]))
}

export function toGrant(row: TermsRow & { pattern: string }): Grant {
  return { ...toTerms(row), pattern: row.pattern }
}

function toTerms(row: TermsRow): Terms {
  return {
    id: row.id,
    effect: oneOf(['allow', 'deny'], row.effect),
    condition: row.condition === null ? null : compileStored(row.condition),
    validFrom: millis(row.validFrom),
    validUntil: millis(row.validUntil),
  }
}

async function loadRoles(db: Reader): Promise<Map<string, Role>> {
  const grants = await allRows((page) =>
    prisma(db).grant.findMany({
      where: { roleId: { not: null } },
      orderBy: { id: 'asc' },
      ...page,
    }),
  )
  const ofRoles = setsBy(grants, (grant) => grant.roleId)
  const parents = groupBy(await prisma(db).roleParent.findMany(), ({ roleId }) => roleId)
  const rows = await allRows((page) =>
    prisma(db).role.findMany({ orderBy: { id: 'asc' }, ...page }),
  )
  return new Map(
    rows.map(({ id, key, spaceId }) => [
      id,
      {
        id,
        key,
        spaceId,
        parentIds: parents.get(id)?.map(({ parentId }) => parentId) ?? [],
        grants: ofRoles.get(id) ?? NO_GRANTS,
      },
    ]),
  )
}

export function toAssignment(
  row: TermsRow & Pick<AssignmentRow, 'roleId' | 'instance' | 'groupId'>,
): Assignment {
  const { roleId, instance, groupId } = row
  return { ...toTerms(row), roleId, instance, groupId }
}

function toHolders(
  grants: Map<string, GrantSet>,
  assignments: Map<string, Assignment[]>,
): Map<string, Holder> {
  const ids = new Set([...grants.keys(), ...assignments.keys()])
  return new Map(
    [...ids].map((id) => [
      id,
      { grants: grants.get(id) ?? NO_GRANTS, assignments: assignments.get(id) ?? [] },
    ]),
  )
}

const NO_ATTRIBUTES = Object.freeze({})
const attributesSchema = z.record(z.string(), z.unknown())

/** Users who hold something or have attributes. */
export async function loadUsers(db: Reader, ids: Ids): Promise<Map<string, User>> {
  const held = await assignmentsOfUsers(db, ids)
  const users = new Map<string, User>()
  for (const [id, assignments] of held) {
    users.set(id, { grants: NO_GRANTS, assignments, enabled: true, attributes: NO_ATTRIBUTES })
  }
  for (const { id, attributes, disabledAt, deleteAfter } of await specialUsers(db, ids)) {
    users.set(id, {
      grants: NO_GRANTS,
      assignments: held.get(id) ?? [],
      enabled: disabledAt === null && deleteAfter === null,
      attributes: attributesSchema.parse(jsonIn(attributes)),
    })
  }
  return users
}

/** The assignments of a group count as assignments of its members. */
async function assignmentsOfUsers(db: Reader, ids: Ids): Promise<Map<string, Assignment[]>> {
  const held = new Map<string, Assignment[]>()
  const same = interning()
  await eachOwnAssignment(db, ids, (row) => {
    add(held, row.userId ?? '', { ...toAssignment(row), roleId: same(row.roleId) })
  })
  const members = await prisma(db).groupMember.findMany({
    where: ids ? { userId: { in: [...ids] } } : {},
  })
  const groups = { in: [...new Set(members.map(({ groupId }) => groupId))] }
  const ofGroups = members.length > 0 ? await groupAssignments(db, ids ? groups : null) : []
  const byGroup = groupBy(ofGroups, ({ groupId }) => groupId ?? '')
  for (const { userId, groupId } of members) {
    for (const row of byGroup.get(groupId) ?? []) add(held, userId, toAssignment(row))
  }
  return held
}

type OwnRow = TermsRow & Pick<AssignmentRow, 'roleId' | 'userId' | 'instance' | 'groupId'>

async function eachOwnAssignment(db: Reader, ids: Ids, use: (row: OwnRow) => void): Promise<void> {
  await eachRow<OwnRow>(
    ids && prisma(db).assignment.findMany({ where: { userId: { in: [...ids] } } }),
    (after, atMost) => prisma(db).$queryRaw`
      SELECT "id", "roleId", "userId", "groupId", "instance", "effect", "condition", "validFrom", "validUntil"
      FROM "Assignment" WHERE "userId" IS NOT NULL AND "id" > ${after} ORDER BY "id" LIMIT ${atMost}`,
    use,
  )
}

function groupAssignments(db: Reader, groups: { in: string[] } | null) {
  const groupId = groups ?? { not: null }
  return allRows((page) =>
    prisma(db).assignment.findMany({ where: { groupId }, orderBy: { id: 'asc' }, ...page }),
  )
}

function add<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

type UserRow = {
  id: string
  attributes: unknown
  disabledAt: Date | null
  deleteAfter: Date | null
}

async function specialUsers(db: Reader, ids: Ids): Promise<UserRow[]> {
  if (ids) {
    const select = { id: true, attributes: true, disabledAt: true, deleteAfter: true }
    return prisma(db).user.findMany({ where: { id: { in: [...ids] } }, select })
  }
  return prisma(db).$queryRaw<UserRow[]>`
    SELECT "id", "attributes", "disabledAt", "deleteAfter" FROM "User"
    WHERE "disabledAt" IS NOT NULL OR "deleteAfter" IS NOT NULL OR CAST("attributes" AS TEXT) <> '{}'`
}
