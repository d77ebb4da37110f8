import type { Reader } from '../database/connection'
import { prisma } from '../database/database'

/** Who may decide about an access request: enabled users, by ID, by group or by role. */

export type Deciders = {
  users: readonly string[]
  groups: readonly string[]
  /** With all roles below them. */
  roles: readonly string[]
}

/**
 * The IDs of those who are among them now. An assignment with a condition does not count:
 * a decision has another context than the condition.
 */
export async function listDeciders(
  db: Reader,
  { users, groups, roles }: Deciders,
  now: Date,
  { among, most }: { among?: readonly string[]; most: number },
): Promise<string[]> {
  const held = {
    roleId: { in: [...roles] },
    instance: null,
    AND: [
      { OR: [{ validFrom: null }, { validFrom: { lte: now } }] },
      { OR: [{ validUntil: null }, { validUntil: { gt: now } }] },
    ],
  }
  const given = { ...held, effect: 'allow', condition: null }
  const denied = { ...held, effect: 'deny' }
  // A deny wins, wherever it comes from.
  const notDenied = {
    assignments: { none: denied },
    groups: { none: { group: { assignments: { some: denied } } } },
  }
  const rows = await prisma(db).user.findMany({
    where: {
      disabledAt: null,
      deleteAfter: null,
      ...(among && { id: { in: [...among] } }),
      OR: [
        { id: { in: [...users] } },
        { groups: { some: { groupId: { in: [...groups] } } } },
        { AND: [{ assignments: { some: given } }, notDenied] },
        { AND: [{ groups: { some: { group: { assignments: { some: given } } } } }, notDenied] },
      ],
    },
    select: { id: true },
    orderBy: { id: 'asc' },
    take: most,
  })
  return rows.map(({ id }) => id)
}

export type Requester = { id: string; name: string; attributes: unknown }

/** Enabled users after `after`, by ID. */
export async function listPeople(db: Reader, after: string, most: number): Promise<Requester[]> {
  const rows = await prisma(db).user.findMany({
    where: { id: { gt: after }, disabledAt: null, deleteAfter: null },
    select: { id: true, name: true, email: true, username: true, attributes: true },
    orderBy: { id: 'asc' },
    take: most,
  })
  return rows.map(({ id, attributes, ...named }) => ({ id, name: calledIn(id, named), attributes }))
}

export async function listPeopleById(db: Reader, ids: readonly string[]): Promise<Requester[]> {
  const rows = await prisma(db).user.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, name: true, email: true, username: true, attributes: true },
  })
  return rows.map(({ id, attributes, ...named }) => ({ id, name: calledIn(id, named), attributes }))
}

type Named = { name: string | null; email: string | null; username: string | null }

export function calledIn(id: string, { name, email, username }: Named): string {
  return name ?? email ?? username ?? id
}
