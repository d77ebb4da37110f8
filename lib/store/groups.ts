import type { Database, Transaction } from './database'

export type GroupRow = NonNullable<Awaited<ReturnType<Database['group']['findFirst']>>>

/** By id or by key. */
export function findGroup(db: Database | Transaction, name: string): Promise<GroupRow | null> {
  return db.group.findFirst({ where: { OR: [{ id: name }, { key: name }] } })
}

export function insertGroup(
  tx: Transaction,
  group: { id: string; key: string; name: string },
  now: Date,
): Promise<GroupRow> {
  return tx.group.create({ data: { ...group, createdAt: now, updatedAt: now } })
}

/** How many were changed: none, where somebody was faster. */
export async function updateGroup(
  tx: Transaction,
  { id, version }: { id: string; version: number },
  fields: { key?: string; name?: string },
  now: Date,
): Promise<number> {
  const data = { ...fields, updatedAt: now, version: version + 1 }
  return (await tx.group.updateMany({ where: { id, version }, data })).count
}

export async function removeGroup(
  tx: Transaction,
  { id, version }: { id: string; version: number },
): Promise<number> {
  return (await tx.group.deleteMany({ where: { id, version } })).count
}

/** Once a member, however often it is said. */
export async function addMember(
  tx: Transaction,
  groupId: string,
  userId: string,
  now: Date,
): Promise<void> {
  await tx.groupMember.upsert({
    where: { groupId_userId: { groupId, userId } },
    create: { groupId, userId, createdAt: now },
    update: {},
  })
}

export async function removeMember(
  tx: Transaction,
  groupId: string,
  userId: string,
): Promise<boolean> {
  return (await tx.groupMember.deleteMany({ where: { groupId, userId } })).count === 1
}

export function listGroupsOf(db: Database, userId: string) {
  return db.group.findMany({
    where: { members: { some: { userId } } },
    select: { id: true, key: true, name: true },
    orderBy: { name: 'asc' },
  })
}

export async function memberIdsOf(db: Database, groupId: string): Promise<string[]> {
  const rows = await db.groupMember.findMany({ where: { groupId }, select: { userId: true } })
  return rows.map(({ userId }) => userId)
}

export async function isMember(db: Database, groupId: string, userId: string): Promise<boolean> {
  return (await db.groupMember.count({ where: { groupId, userId } })) > 0
}

export async function groupHoldsRoles(db: Database, groupId: string): Promise<boolean> {
  return (await db.assignment.count({ where: { groupId } })) > 0
}
