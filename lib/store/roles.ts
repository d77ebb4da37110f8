import type { Database, Transaction } from './database'

type Reader = Database | Transaction

const WITH_PARENTS = { parents: { include: { parent: { select: { id: true, key: true } } } } }

export type RoleRow = NonNullable<Awaited<ReturnType<typeof findRole>>>

/** By id or by key within its space. */
export function findRole(db: Reader, spaceId: string, name: string) {
  return db.role.findFirst({
    where: { spaceId, OR: [{ id: name }, { key: name }] },
    include: WITH_PARENTS,
  })
}

export function findRoleById(db: Reader, id: string) {
  return db.role.findUnique({ where: { id }, include: WITH_PARENTS })
}

export function findRoles(db: Database, args: { where: never; orderBy: never; take: number }) {
  return db.role.findMany({ ...args, include: WITH_PARENTS })
}

export type NewGrant = {
  id: string
  pattern: string
  effect: string
  condition: string | null
  validFrom: Date | null
  validUntil: Date | null
}

/** The whole set in two statements, however large it is; those with dates in one more. */
export async function replaceRoleGrants(
  tx: Transaction,
  roleId: string,
  grants: NewGrant[],
  now: Date,
): Promise<void> {
  await tx.grant.deleteMany({ where: { roleId } })
  const isDated = ({ validFrom, validUntil }: NewGrant) => Boolean(validFrom ?? validUntil)
  const dated = grants.filter(isDated)
  const plain = Object.fromEntries(
    grants.filter((grant) => !isDated(grant)).map((grant) => [grant.id, grant]),
  )
  // Both databases read a document as rows; the role's own stamp is the time, in either's form.
  await tx.$executeRaw`
    INSERT INTO "Grant" ("id", "roleId", "pattern", "effect", "condition", "createdAt", "updatedAt")
    SELECT j.value->>'id', r."id", j.value->>'pattern', j.value->>'effect', j.value->>'condition',
      r."updatedAt", r."updatedAt"
    FROM json_each(${JSON.stringify(plain)}) AS j, "Role" AS r WHERE r."id" = ${roleId}`
  await tx.grant.createMany({
    data: dated.map((grant) => ({ ...grant, roleId, createdAt: now, updatedAt: now })),
  })
}

export function grantsOfRole(db: Reader, roleId: string) {
  return db.grant.findMany({ where: { roleId }, orderBy: [{ pattern: 'asc' }, { id: 'asc' }] })
}

export async function setParents(
  tx: Transaction,
  roleId: string,
  parentIds: readonly string[],
): Promise<void> {
  await tx.roleParent.deleteMany({ where: { roleId } })
  await tx.roleParent.createMany({ data: parentIds.map((parentId) => ({ roleId, parentId })) })
}

/** Child -> parents, of one space: small enough to look at whole. */
export async function parentsIn(db: Reader, spaceId: string): Promise<Map<string, string[]>> {
  const rows = await db.roleParent.findMany({ where: { role: { spaceId } } })
  const parents = new Map<string, string[]>()
  for (const { roleId, parentId } of rows) {
    parents.set(roleId, [...(parents.get(roleId) ?? []), parentId])
  }
  return parents
}

/** What a user was given, themselves or by a group. */
export function listRolesOf(db: Database, userId: string) {
  return db.assignment.findMany({
    where: { OR: [{ userId }, { group: { members: { some: { userId } } } }] },
    include: { role: { select: { id: true, key: true, name: true, spaceId: true } } },
    orderBy: [{ role: { name: 'asc' } }, { id: 'asc' }],
  })
}
