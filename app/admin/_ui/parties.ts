import type { AdminApi } from '@/lib/admin/api'
import { findPerson } from '@/lib/admin/person'
import type { ExplanationWire } from '@/lib/api/decision/decision'
import { getGroup } from '@/lib/api/permissions/groups'

/** Whom the rules of a decision speak of, by name and page; as far as the reader may see them. */

export type Party = { href: string; name: string }
export type Parties = {
  application?: Party
  accessKey?: Party
  user?: Party
  /** Names of groups, by id. */
  groups?: ReadonlyMap<string, string>
  /** For a reader who is no admin: names, and no links to admin pages. */
  plain?: boolean
}

type Named = { id: string; name: string }

export function applicationParty({ id, name }: Named): Party {
  return { href: `/admin/applications/${encodeURIComponent(id)}`, name }
}

/** By id, address or user name; null where there is nobody. */
export async function userParty(api: AdminApi, user: string): Promise<Party | null> {
  if (!api.may('users:read')) return { href: '/admin/users', name: user }
  const found = await findPerson(api, user)
  if (!found) return null
  const { id, name, email, username } = found
  return {
    href: `/admin/users/${encodeURIComponent(id)}`,
    name: name ?? email ?? username ?? id,
  }
}

export async function groupsIn(
  api: AdminApi,
  explanations: readonly (ExplanationWire | undefined)[],
): Promise<Map<string, string>> {
  const steps = explanations.flatMap((one) =>
    one ? [...one.path, ...one.denies, ...one.nearMisses] : [],
  )
  const ids = [...new Set(steps.flatMap(({ group }) => group ?? []))]
  if (!api.may('users:read')) return new Map()
  const found = await Promise.all(ids.map((group) => api.find(getGroup, { params: { group } })))
  return new Map(found.flatMap((group) => (group ? [[group.id, group.name] as const] : [])))
}
