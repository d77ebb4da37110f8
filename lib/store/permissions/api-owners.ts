import { newId } from '../../crypto/secrets'
import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'

/** The API owners of an API, and its introspectors. */

export type ApiOwner = { type: 'user' | 'group'; id: string }

export type ApiGovernance = { owners: ApiOwner[]; introspectors: string[] }

/** What to read together with an API. */
export const GOVERNED = {
  owners: { select: { userId: true, groupId: true }, orderBy: { id: 'asc' } },
  introspectors: { select: { applicationId: true }, orderBy: { applicationId: 'asc' } },
} as const

type OwnerRow = { userId: string | null; groupId: string | null }
type GovernedRow = { owners: OwnerRow[]; introspectors: { applicationId: string }[] }

export function toGoverned<Row extends GovernedRow>(
  row: Row,
): Omit<Row, keyof ApiGovernance> & ApiGovernance {
  return {
    ...row,
    owners: row.owners.flatMap(toOwner),
    introspectors: row.introspectors.map(({ applicationId }) => applicationId),
  }
}

function toOwner({ userId, groupId }: OwnerRow): ApiOwner[] {
  if (userId !== null) return [{ type: 'user', id: userId }]
  return groupId === null ? [] : [{ type: 'group', id: groupId }]
}

/** With their names, for a user who has to ask one of them. */
export async function apiOwnersOf(db: Reader, prefix: string) {
  const rows = await prisma(db).apiOwner.findMany({
    where: { api: { prefix } },
    select: {
      user: { select: { id: true, name: true, email: true, username: true } },
      group: { select: { name: true } },
    },
    orderBy: { id: 'asc' },
  })
  return rows.flatMap(({ user, group }) => [
    ...(user ? [{ type: 'user', name: user.name ?? user.email ?? user.username ?? user.id }] : []),
    ...(group ? [{ type: 'group', name: group.name }] : []),
  ])
}

export async function replaceApiOwners(
  tx: Transaction,
  apiId: string,
  owners: readonly ApiOwner[],
): Promise<void> {
  await prisma(tx).apiOwner.deleteMany({ where: { apiId } })
  const data = owners.map(({ type, id }) => ({
    id: newId('own'),
    apiId,
    ...(type === 'user' ? { userId: id } : { groupId: id }),
  }))
  await prisma(tx).apiOwner.createMany({ data })
}

export async function replaceIntrospectors(
  tx: Transaction,
  apiId: string,
  applicationIds: readonly string[],
): Promise<void> {
  await prisma(tx).apiIntrospector.deleteMany({ where: { apiId } })
  const data = applicationIds.map((applicationId) => ({ apiId, applicationId }))
  await prisma(tx).apiIntrospector.createMany({ data })
}
