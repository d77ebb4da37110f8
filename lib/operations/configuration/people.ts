import { canonical } from './differences'
import { assignment, userName } from './export'
import type { Thing } from './operator'
import { ConfigurationError } from './schema'
import { reconcile, remove, segment, type Work } from './work'

/** Users, groups, and who holds which role. */

async function findUser({ api }: Work, name: string): Promise<Thing | null> {
  if (!name.includes('@')) return (await api.find(`/users/${segment(name)}`))?.body ?? null
  const { body } = (await api.find(`/users?q=${segment(name)}&limit=200`)) ?? { body: { data: [] } }
  const same = ({ email }: Thing) => String(email).toLowerCase() === name.toLowerCase()
  return (body.data as Thing[]).find(same) ?? null
}

export async function requireUserId(work: Work, name: string): Promise<string> {
  const user = await findUser(work, name)
  if (user) return String(user.id)
  throw new ConfigurationError(`there is no user ${name}`)
}

export async function applyUsers(work: Work): Promise<() => Promise<void>> {
  const { api, wanted } = work
  for (const user of wanted.users) {
    const name = userName(user)
    const found = await findUser(work, name)
    await reconcile(
      work,
      { noun: 'user', name, fields: user },
      {
        found,
        create: () => api.send(`user ${name}`, 'POST', '/users', user),
        change: (changed) => api.send(`user ${name}`, 'PATCH', `/users/${found?.id}`, changed),
      },
    )
  }
  return async () => {
    if (!work.prunes('users')) return
    const named = new Set(wanted.users.flatMap(({ email, username }) => [email, username]))
    for (const user of await api.list('/users')) {
      if (named.has(String(user.email)) || named.has(String(user.username))) continue
      await remove(work, 'user', userName(user), `/users/${user.id}`)
    }
  }
}

// ---------------------------------------------------------------- groups

export async function applyGroups(work: Work): Promise<() => Promise<void>> {
  const { api, wanted } = work
  for (const { members, ...group } of wanted.groups) {
    const { key } = group
    const path = `/groups/${segment(key)}`
    await reconcile(
      work,
      { noun: 'group', name: key, fields: group },
      {
        found: (await api.find(path))?.body ?? null,
        create: () => api.send(`group ${key}`, 'POST', '/groups', group),
        change: (changed) => api.send(`group ${key}`, 'PATCH', path, changed),
      },
    )
    if (members) await applyMembers(work, key, members)
  }
  return async () => {
    if (!work.prunes('groups')) return
    const named = new Set(wanted.groups.map(({ key }) => key))
    for (const { key, id } of await api.list('/groups')) {
      if (!named.has(String(key))) await remove(work, 'group', String(key), `/groups/${id}`)
    }
  }
}

async function applyMembers(work: Work, key: string, members: string[]): Promise<void> {
  const { api } = work
  const path = `/groups/${segment(key)}/members`
  const there = new Map((await api.list(path)).map((user) => [String(user.id), userName(user)]))
  const wanted = new Map<string, string>()
  for (const name of members) wanted.set(await requireUserId(work, name), name)
  for (const [id, name] of wanted) {
    if (there.has(id)) continue
    work.say(`~ group ${key}: members +${name}`)
    await api.send(`group ${key}`, 'PUT', `${path}/${id}`)
  }
  if (!work.prunes('groups')) return
  for (const [id, name] of there) {
    if (wanted.has(id)) continue
    work.say(`~ group ${key}: members -${name}`)
    await api.send(`group ${key}`, 'DELETE', `${path}/${id}`)
  }
}

// ---------------------------------------------------------------- assignments

const PLAIN = {
  instance: null,
  effect: 'allow',
  condition: null,
  validFrom: null,
  validUntil: null,
}

type Subject = { type: 'user' | 'group' | 'client'; id: string }

export async function applyAssignments(work: Work): Promise<void> {
  const { api, wanted } = work
  const spaces = new Set([
    ...wanted.assignments.map(({ space }) => space),
    ...(work.prunes('assignments') ? wanted.spaces.map(({ key }) => key) : []),
  ])
  for (const space of spaces) {
    const there = await assignmentsIn(work, space)
    const named = new Set<string>()
    for (const { space: _, ...one } of wanted.assignments.filter((it) => it.space === space)) {
      const subject = { ...one.subject, id: await subjectId(work, one.subject) }
      const given = { ...PLAIN, ...one, subject }
      named.add(canonical(given))
      if (there.has(canonical(given))) continue
      const what = `assignment ${space}/${one.role} to ${one.subject.type} ${one.subject.id}`
      work.say(`+ ${what}`)
      await api.send(what, 'POST', `/spaces/${segment(space)}/assignments`, given)
    }
    if (!work.prunes('assignments')) continue
    for (const [key, id] of there) {
      if (named.has(key)) continue
      const path = `/spaces/${segment(space)}/assignments/${id}`
      await remove(work, 'assignment', `${space}/${id}`, path)
    }
  }
}

/** What each says, in ids, and its own id. */
async function assignmentsIn({ api }: Work, space: string): Promise<Map<string, string>> {
  const path = `/spaces/${segment(space)}`
  const roles = await api.list(`${path}/roles`)
  const roleKeys = new Map(roles.map((role) => [role.id, role.key]))
  const asIds = { user: new Map<string, string>(), group: new Map<string, string>() }
  const found = await api.list(`${path}/assignments`)
  return new Map(
    found.map((one) => {
      const { space: _, ...said } = assignment(one, space, roleKeys, asIds)
      return [canonical(said), String(one.id)]
    }),
  )
}

export async function subjectId(work: Work, { type, id }: Subject): Promise<string> {
  if (type === 'client') return id
  if (type === 'user') return requireUserId(work, id)
  const group = await work.api.find(`/groups/${segment(id)}`)
  if (group) return String(group.body.id)
  throw new ConfigurationError(`there is no group ${id}`)
}
