import type { Reader } from '../database/connection'
import { prisma } from '../database/database'

/** The current names of the objects that the log names by ID; a deleted object has none. */

export const NAMED_KINDS = [
  'user',
  'application',
  'access_key',
  'group',
  'role',
  'resource',
  'webhook',
] as const
export type NamedKind = (typeof NAMED_KINDS)[number]

type Named = { id: string; name: string | null }

export async function namesOf(
  db: Reader,
  wanted: ReadonlyMap<NamedKind, ReadonlySet<string>>,
): Promise<Map<string, string>> {
  const found = await Promise.all(
    [...wanted].map(([kind, ids]) => (ids.size === 0 ? [] : findNamed(db, kind, [...ids]))),
  )
  return new Map(found.flat().flatMap(({ id, name }) => (name === null ? [] : [[id, name]])))
}

async function findNamed(db: Reader, kind: NamedKind, ids: string[]): Promise<Named[]> {
  const ask = { where: { id: { in: ids } }, select: { id: true, name: true } } as const
  switch (kind) {
    case 'user':
      return findPeople(db, ids)
    case 'application':
      return prisma(db).application.findMany(ask)
    case 'access_key':
      return prisma(db).accessKey.findMany(ask)
    case 'group':
      return prisma(db).group.findMany(ask)
    case 'role':
      return prisma(db).role.findMany(ask)
    case 'resource':
      return prisma(db).api.findMany(ask)
    case 'webhook':
      return prisma(db).webhook.findMany(ask)
  }
}

async function findPeople(db: Reader, ids: string[]): Promise<Named[]> {
  const rows = await prisma(db).user.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true, email: true, username: true },
  })
  return rows.map(({ id, name, email, username }) => ({ id, name: name ?? email ?? username }))
}
