import type { Reader } from './connection'
import { type Database, prisma } from './database'

export type AssignmentRow = NonNullable<Awaited<ReturnType<Database['assignment']['findFirst']>>>
export type SubjectType = 'user' | 'group' | 'client'

export function findAssignment(db: Reader, spaceId: string, id: string) {
  return prisma(db).assignment.findFirst({ where: { id, role: { spaceId } } })
}

export function subjectColumn(type: SubjectType) {
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

/** Users, groups and clients that hold the role themselves. */
export function membersOf(db: Reader, args: { where: never; orderBy: never; take: number }) {
  return prisma(db).assignment.findMany(args)
}
