import type { Reader, Transaction } from '../database/connection'
import { prisma, type Queries } from '../database/database'
import { type NoFilters, type Page, type PageAsk, pageOf } from '../database/page'

export type GroupRow = NonNullable<Awaited<ReturnType<Queries['group']['findFirst']>>>

/** By ID or key. */
export function findGroup(db: Reader, name: string): Promise<GroupRow | null> {
  return prisma(db).group.findFirst({ where: { OR: [{ id: name }, { key: name }] } })
}

export function listGroupPage(
  db: Reader,
  _all: NoFilters,
  ask: PageAsk<'key' | 'name' | 'createdAt'>,
): Promise<Page<GroupRow>> {
  return pageOf(ask, {
    filter: {},
    sorts: { key: 'text', name: 'text', createdAt: 'date' },
    searched: ['key', 'name'],
    find: (asked) => prisma(db).group.findMany(asked),
    count: (asked) => prisma(db).group.count(asked),
  })
}

export function insertGroup(
  tx: Transaction,
  group: { id: string; key: string; name: string },
  now: Date,
): Promise<GroupRow> {
  return prisma(tx).group.create({ data: { ...group, createdAt: now, updatedAt: now } })
}

/** The number of changed rows: 0 if somebody else changed it first. */
export async function updateGroup(
  tx: Transaction,
  { id, version }: { id: string; version: number },
  fields: { key?: string; name?: string },
  now: Date,
): Promise<number> {
  const data = { ...fields, updatedAt: now, version: version + 1 }
  return (await prisma(tx).group.updateMany({ where: { id, version }, data })).count
}

export async function removeGroup(
  tx: Transaction,
  { id, version }: { id: string; version: number },
): Promise<number> {
  return (await prisma(tx).group.deleteMany({ where: { id, version } })).count
}

/** Adding a member twice changes nothing. */
export async function addMember(
  tx: Transaction,
  groupId: string,
  userId: string,
  now: Date,
): Promise<void> {
  await prisma(tx).groupMember.upsert({
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
  return (await prisma(tx).groupMember.deleteMany({ where: { groupId, userId } })).count === 1
}

/** By name. Asked of the membership: asked of the groups, the database looks at every one of them. */
export async function listGroupsOf(db: Reader, userId: string) {
  const rows = await prisma(db).groupMember.findMany({
    where: { userId },
    select: { group: { select: { id: true, key: true, name: true } } },
  })
  const groups = rows.map(({ group }) => group)
  return groups.sort((one, other) => (one.name < other.name ? -1 : 1))
}

export async function isMember(db: Reader, groupId: string, userId: string): Promise<boolean> {
  return (await prisma(db).groupMember.count({ where: { groupId, userId } })) > 0
}

/** The members of these groups, by group; at most `most` rows are read. */
export async function membersOfGroups(
  db: Reader,
  groupIds: readonly string[],
  most: number,
): Promise<{ groupId: string; userId: string }[]> {
  return prisma(db).groupMember.findMany({
    where: { groupId: { in: [...groupIds] } },
    select: { groupId: true, userId: true },
    take: most,
  })
}

export async function groupHoldsRoles(db: Reader, groupId: string): Promise<boolean> {
  return (await prisma(db).assignment.count({ where: { groupId } })) > 0
}

/** Whatever their terms. */
export async function rolesOfGroup(db: Reader, groupId: string): Promise<string[]> {
  const rows = await prisma(db).assignment.groupBy({ by: ['roleId'], where: { groupId } })
  return rows.map(({ roleId }) => roleId)
}
