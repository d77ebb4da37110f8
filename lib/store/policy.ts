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
import type { OwnApi } from '../portal-api'
import type { Database } from './database'
import { oneOf } from './json'
import { allRows, groupBy, millis } from './rows'

/** Everything that can grant or refuse, as decisions want it. */
export async function loadPolicy(db: Database, own: OwnApi): Promise<Policy> {
  const apis = new Map((await db.api.findMany()).map((row) => [row.id, toApi(row)]))
  const rows = await allRows((page) =>
    db.permissionItem.findMany({ orderBy: { id: 'asc' }, ...page }),
  )
  const items = [...rows.flatMap((row) => toItem(row, apis)), ...own.items]
  const grants = await allRows((page) => db.grant.findMany({ orderBy: { id: 'asc' }, ...page }))
  const assignments = await loadAssignments(db)
  return {
    items: new Map(items.map((item) => [item.scope, item])),
    apisByAudience: new Map([...apis.values(), own.api].map((api) => [api.audience, api])),
    roles: await loadRoles(db, grants),
    applications: toHolders(
      setsBy(grants, (grant) => grant.applicationId),
      assignments.ofApplications,
    ),
    accessKeyGrants: setsBy(grants, (grant) => grant.accessKeyId),
    users: await loadUsers(db, assignments.ofUsers),
  }
}

type ApiRow = Awaited<ReturnType<Database['api']['findMany']>>[number]
type ItemRow = Awaited<ReturnType<Database['permissionItem']['findMany']>>[number]
type GrantRow = Awaited<ReturnType<Database['grant']['findMany']>>[number]
type AssignmentRow = Awaited<ReturnType<Database['assignment']['findMany']>>[number]
type TermsRow = Pick<GrantRow, 'id' | 'effect' | 'condition' | 'validFrom' | 'validUntil'>

function toApi(row: ApiRow): Api {
  const { id, spaceId, audience, prefix, tokenSeconds } = row
  return { id, spaceId, audience, prefix, tokenSeconds, enabled: row.disabledAt === null }
}

function toItem(row: ItemRow, apis: Map<string, Api>): Item[] {
  const api = apis.get(row.apiId)
  if (!api) return []
  return [{ scope: row.key, api, userBound: row.userBound, needsRole: row.needsRole }]
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

async function loadRoles(db: Database, grants: GrantRow[]): Promise<Map<string, Role>> {
  const ofRoles = setsBy(grants, (grant) => grant.roleId)
  const parents = groupBy(await db.roleParent.findMany(), ({ roleId }) => roleId)
  const rows = await allRows((page) => db.role.findMany({ orderBy: { id: 'asc' }, ...page }))
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

type Assignments = {
  ofUsers: Map<string, Assignment[]>
  ofApplications: Map<string, Assignment[]>
}

/** A group's assignments are its members' assignments. */
async function loadAssignments(db: Database): Promise<Assignments> {
  const rows = await allRows((page) => db.assignment.findMany({ orderBy: { id: 'asc' }, ...page }))
  const members = groupBy(await db.groupMember.findMany(), (member) => member.groupId)
  const ofUsers = new Map<string, Assignment[]>()
  const ofApplications = new Map<string, Assignment[]>()
  for (const row of rows) {
    const assignment = toAssignment(row)
    for (const { userId } of members.get(row.groupId ?? '') ?? []) add(ofUsers, userId, assignment)
    if (row.userId !== null) add(ofUsers, row.userId, assignment)
    if (row.applicationId !== null) add(ofApplications, row.applicationId, assignment)
  }
  return { ofUsers, ofApplications }
}

function add<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

export function toAssignment(row: AssignmentRow): Assignment {
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

const attributesSchema = z.record(z.string(), z.unknown())
type UserRow = { id: string; attributes: unknown; disabledAt: Date | null }

/** Those who hold something, and those of whom something is to be known. */
async function loadUsers(
  db: Database,
  assignments: Map<string, Assignment[]>,
): Promise<Map<string, User>> {
  const users = new Map<string, User>()
  for (const [id, held] of assignments) {
    users.set(id, { grants: NO_GRANTS, assignments: held, enabled: true, attributes: {} })
  }
  const special = await db.$queryRaw<UserRow[]>`
    SELECT "id", "attributes", "disabledAt" FROM "User"
    WHERE "disabledAt" IS NOT NULL OR CAST("attributes" AS TEXT) <> '{}'`
  for (const { id, attributes, disabledAt } of special) {
    users.set(id, {
      grants: NO_GRANTS,
      assignments: assignments.get(id) ?? [],
      enabled: disabledAt === null,
      attributes: attributesSchema.parse(parsed(attributes)),
    })
  }
  return users
}

/** A raw query gives SQLite's Json as text. */
function parsed(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value
}
