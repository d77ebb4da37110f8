import { getGroup } from '../api/routes/groups'
import { getUser } from '../api/routes/users'
import type { AdminApi } from './api'
import { findPerson } from './person'

/** The API owners as users type them: an e-mail address, a user name, or `group:clerks`. */

type Owner = { type: 'user' | 'group'; id: string }

const GROUP = /^group:\s*/

export async function ownerName(api: AdminApi, { type, id }: Owner): Promise<string> {
  if (type === 'group') {
    const group = await api.find(getGroup, { params: { group: id } })
    return `group:${group?.key ?? id}`
  }
  const user = await api.find(getUser, { params: { user: id } })
  return user?.email ?? user?.username ?? id
}

/** `unknown`: the first name that does not exist. */
export async function ownersIn(
  api: AdminApi,
  names: readonly string[],
): Promise<{ owners: Owner[]; unknown: string | null }> {
  const owners: Owner[] = []
  for (const name of names) {
    const owner = await ownerCalled(api, name)
    if (!owner) return { owners, unknown: name }
    owners.push(owner)
  }
  return { owners, unknown: null }
}

async function ownerCalled(api: AdminApi, name: string): Promise<Owner | null> {
  if (!GROUP.test(name)) {
    const person = await findPerson(api, name)
    return person && { type: 'user', id: person.id }
  }
  const group = await api.find(getGroup, { params: { group: name.replace(GROUP, '') } })
  return group && { type: 'group', id: group.id }
}
