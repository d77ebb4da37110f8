import type { Reader } from './connection'
import { prisma } from './database'

/** Names for the IDs in a list. IDs contain their kind, so none occurs twice. */

type NamedIds = {
  users?: readonly string[]
  groups?: readonly string[]
  applications?: readonly string[]
  accessKeys?: readonly string[]
  roles?: readonly string[]
}

export async function namesOf(db: Reader, named: NamedIds): Promise<ReadonlyMap<string, string>> {
  const where = (ids: readonly string[] = []) => ({ where: { id: { in: [...new Set(ids)] } } })
  const users = await prisma(db).user.findMany({
    ...where(named.users),
    select: { id: true, name: true, email: true, username: true },
  })
  const others = await Promise.all([
    prisma(db).group.findMany({ ...where(named.groups), select: { id: true, name: true } }),
    prisma(db).application.findMany({
      ...where(named.applications),
      select: { id: true, name: true },
    }),
    prisma(db).accessKey.findMany({ ...where(named.accessKeys), select: { id: true, name: true } }),
    prisma(db).role.findMany({ ...where(named.roles), select: { id: true, name: true } }),
  ])
  return new Map([
    ...users.map((user): [string, string] => [user.id, nameOfUser(user)]),
    ...others.flat().map(({ id, name }): [string, string] => [id, name]),
  ])
}

/** Addresses of users by ID; without one, the user name. */
export async function addressesOf(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const users = await prisma(db).user.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true, email: true, username: true },
  })
  return new Map(
    users.flatMap(({ id, email, username }) => {
      const address = email ?? username
      return address === null ? [] : [[id, address] as const]
    }),
  )
}

type UserNames = { id: string; name: string | null; email: string | null; username: string | null }

function nameOfUser({ id, name, email, username }: UserNames): string {
  return name ?? email ?? username ?? id
}
