import { withoutUndefined } from '../../base/without-undefined'
import type { Reader, Transaction } from '../database/connection'
import { type Prisma, prisma } from '../database/database'
import { type NoFilters, type Page, type PageAsk, pageOf } from '../database/page'

const WITH_PARENTS = { parents: { include: { parent: { select: { id: true, key: true } } } } }

export type RoleRow = NonNullable<Awaited<ReturnType<typeof findRole>>>

/** By ID, or by key within its space. */
export function findRole(db: Reader, spaceId: string, name: string) {
  return prisma(db).role.findFirst({
    where: { spaceId, OR: [{ id: name }, { key: name }] },
    include: WITH_PARENTS,
  })
}

export function findRoleById(db: Reader, id: string) {
  return prisma(db).role.findUnique({ where: { id }, include: WITH_PARENTS })
}

const SORTS = { key: 'text', name: 'text', createdAt: 'date' } as const
type Ask = PageAsk<keyof typeof SORTS>

export function listRolePage(
  db: Reader,
  filters: { spaceId: string; type?: string | undefined },
  ask: Ask,
): Promise<Page<RoleRow>> {
  const filter: Prisma.RoleWhereInput = withoutUndefined(filters)
  return pageOf(ask, {
    filter,
    sorts: SORTS,
    searched: ['key', 'name', 'description'],
    find: (asked) => prisma(db).role.findMany({ ...asked, include: WITH_PARENTS }),
    count: (asked) => prisma(db).role.count(asked),
  })
}

/** Of all spaces. */
export function listAnyRolePage(db: Reader, _all: NoFilters, ask: Ask) {
  return pageOf(ask, {
    filter: {},
    sorts: SORTS,
    searched: ['id', 'key', 'name'],
    find: (asked) => prisma(db).role.findMany(asked),
    count: (asked) => prisma(db).role.count(asked),
  })
}

// ---------------------------------------------------------------- writing

type Seen = { id: string; version: number }
type RoleFields = { key: string; name: string; description: string | null; type: string }

export async function insertRole(
  tx: Transaction,
  role: RoleFields & { id: string; spaceId: string },
  now: Date,
): Promise<void> {
  await prisma(tx).role.create({ data: { ...role, createdAt: now, updatedAt: now } })
}

/**
 * The number of changed rows: 0 if somebody else changed it first. Without fields, only the version
 * changes.
 */
export async function updateRole(
  tx: Transaction,
  { id, version }: Seen,
  fields: Partial<RoleFields>,
  now: Date,
): Promise<number> {
  const data = { ...fields, updatedAt: now, version: version + 1 }
  return (await prisma(tx).role.updateMany({ where: { id, version }, data })).count
}

/** Also deletes its grants and assignments. */
export async function removeRole(tx: Transaction, { id, version }: Seen): Promise<number> {
  return (await prisma(tx).role.deleteMany({ where: { id, version } })).count
}

export async function removeRolesNamed(
  tx: Transaction,
  spaceId: string,
  keys: readonly string[],
): Promise<void> {
  await prisma(tx).role.deleteMany({ where: { spaceId, key: { in: [...keys] } } })
}

/** By key. */
export async function roleIdsIn(db: Reader, spaceId: string): Promise<Map<string, string>> {
  const rows = await prisma(db).role.findMany({
    where: { spaceId },
    select: { id: true, key: true },
  })
  return new Map(rows.map(({ id, key }) => [key, id]))
}

// ---------------------------------------------------------------- what it gives

export type NewGrant = {
  id: string
  pattern: string
  effect: string
  condition: string | null
  validFrom: Date | null
  validUntil: Date | null
  /** Who answers for it if it begins later. */
  givenBy?: string | null
}

/** The whole set in two statements, however large it is; one more for grants with dates. */
export async function replaceRoleGrants(
  tx: Transaction,
  roleId: string,
  grants: NewGrant[],
  now: Date,
): Promise<void> {
  await prisma(tx).grant.deleteMany({ where: { roleId } })
  const isDated = ({ validFrom, validUntil }: NewGrant) => Boolean(validFrom ?? validUntil)
  const dated = grants.filter(isDated)
  const plain = Object.fromEntries(
    grants.filter((grant) => !isDated(grant)).map((grant) => [grant.id, grant]),
  )
  // Both databases read a JSON document as rows; the time is taken from the role, in the format of
  // the database.
  await prisma(tx).$executeRaw`
    INSERT INTO "Grant" ("id", "roleId", "pattern", "effect", "condition", "createdAt", "updatedAt")
    SELECT j.value->>'id', r."id", j.value->>'pattern', j.value->>'effect', j.value->>'condition',
      r."updatedAt", r."updatedAt"
    FROM json_each(${JSON.stringify(plain)}) AS j, "Role" AS r WHERE r."id" = ${roleId}`
  await prisma(tx).grant.createMany({
    data: dated.map((grant) => ({ ...grant, roleId, createdAt: now, updatedAt: now })),
  })
}

export async function insertRoleGrant(
  tx: Transaction,
  roleId: string,
  grant: NewGrant,
  now: Date,
): Promise<void> {
  await prisma(tx).grant.create({ data: { ...grant, roleId, createdAt: now, updatedAt: now } })
}

export async function removeRoleGrants(
  tx: Transaction,
  roleId: string,
  pattern: string,
): Promise<void> {
  await prisma(tx).grant.deleteMany({ where: { roleId, pattern } })
}

export function grantsOfRole(db: Reader, roleId: string) {
  return prisma(db).grant.findMany({
    where: { roleId },
    orderBy: [{ pattern: 'asc' }, { id: 'asc' }],
  })
}

export async function setParents(
  tx: Transaction,
  roleId: string,
  parentIds: readonly string[],
): Promise<void> {
  await prisma(tx).roleParent.deleteMany({ where: { roleId } })
  await prisma(tx).roleParent.createMany({
    data: parentIds.map((parentId) => ({ roleId, parentId })),
  })
}

/** The parents of each role of a space: small enough to be read completely. */
export async function parentsIn(db: Reader, spaceId: string): Promise<Map<string, string[]>> {
  const rows = await prisma(db).roleParent.findMany({ where: { role: { spaceId } } })
  const parents = new Map<string, string[]>()
  for (const { roleId, parentId } of rows) {
    parents.set(roleId, [...(parents.get(roleId) ?? []), parentId])
  }
  return parents
}

/** Given directly or through a group. `known`: the groups of the user, if they were read already. */
export async function listRolesOf(db: Reader, userId: string, known?: readonly string[]) {
  // First the groups: in one statement no index would serve both sides of the "or".
  const groupIds = [...(known ?? (await groupIdsOf(db, userId)))]
  return prisma(db).assignment.findMany({
    where: { OR: [{ userId }, { groupId: { in: groupIds } }] },
    include: { role: { select: { id: true, key: true, name: true, spaceId: true } } },
    orderBy: [{ role: { name: 'asc' } }, { id: 'asc' }],
  })
}

async function groupIdsOf(db: Reader, userId: string): Promise<string[]> {
  const select = { groupId: true }
  const memberships = await prisma(db).groupMember.findMany({ where: { userId }, select })
  return memberships.map(({ groupId }) => groupId)
}
