import { MAX_SEARCHED } from '../http/page'
import * as assignments from '../permissions/assignments'
import * as groups from '../permissions/groups'
import { listRoles } from '../permissions/roles'
import * as users from '../users/users'
import { canonical } from './differences'
import { assignment, userName } from './export'
import { ConfigurationError } from './schema'
import { type ApplyContext, reconcile } from './work'

/** Users, groups, and who holds which role. */

async function findUser({ api }: ApplyContext, name: string) {
  if (!name.includes('@')) return api.find(users.getUser, { params: { user: name } })
  const q = name.slice(0, MAX_SEARCHED)
  const found = await api.find(users.listUsers, { query: { q, limit: 200 } })
  const same = (email: string | null) => email?.toLowerCase() === name.toLowerCase()
  return found?.data.find(({ email }) => same(email)) ?? null
}

export async function requireUserId(work: ApplyContext, name: string): Promise<string> {
  const user = await findUser(work, name)
  if (user) return user.id
  throw new ConfigurationError(`the user ${name} does not exist`)
}

export async function applyUsers(work: ApplyContext): Promise<() => Promise<void>> {
  const { api, wanted } = work
  // By ID: many users have no user name, or no address.
  const named = new Set<string>()
  for (const user of wanted.users) {
    const name = userName(user)
    const found = await findUser(work, name)
    if (found) named.add(found.id)
    const { id, ...fields } = user
    if (found && id !== undefined && found.id !== id) {
      throw new ConfigurationError(
        `the user ${name} has the ID ${found.id}, and an ID cannot be changed: remove the id ${id}`,
      )
    }
    await reconcile(
      work,
      { noun: 'user', name, fields },
      {
        found,
        create: async () =>
          named.add((await api.send(`user ${name}`, users.createUser, { body: user })).id),
        change: (body, { id }) =>
          api.send(`user ${name}`, users.changeUser, { params: { user: id }, body }),
      },
    )
  }
  return async () => {
    if (!work.prunes('users')) return
    for (const user of await api.list(users.listUsers, {})) {
      if (named.has(user.id)) continue
      const what = `user ${userName(user)}`
      work.say(`- ${what}`)
      await api.send(what, users.deleteUser, { params: { user: user.id } })
    }
  }
}

// ---------------------------------------------------------------- groups

export async function applyGroups(work: ApplyContext): Promise<() => Promise<void>> {
  const { api, wanted } = work
  for (const { members, ...group } of wanted.groups) {
    const { key } = group
    const params = { group: key }
    await reconcile(
      work,
      { noun: 'group', name: key, fields: group },
      {
        found: await api.find(groups.getGroup, { params }),
        create: () => api.send(`group ${key}`, groups.createGroup, { body: group }),
        change: (body) => api.send(`group ${key}`, groups.changeGroup, { params, body }),
      },
    )
    if (members) await applyMembers(work, key, members)
  }
  return async () => {
    if (!work.prunes('groups')) return
    const named = new Set(wanted.groups.map(({ key }) => key))
    for (const { key, id } of await api.list(groups.listGroups, {})) {
      if (named.has(key)) continue
      work.say(`- group ${key}`)
      await api.send(`group ${key}`, groups.deleteGroup, { params: { group: id } })
    }
  }
}

async function applyMembers(work: ApplyContext, key: string, members: string[]): Promise<void> {
  const { api } = work
  const found = await api.list(groups.listGroupMembers, { params: { group: key } })
  const there = new Map(found.map((user) => [user.id, userName(user)]))
  const wanted = new Map<string, string>()
  for (const name of members) wanted.set(await requireUserId(work, name), name)
  for (const [id, name] of wanted) {
    if (there.has(id)) continue
    work.say(`~ group ${key}: members +${name}`)
    await api.send(`group ${key}`, groups.addGroupMember, { params: { group: key, user: id } })
  }
  if (!work.prunes('groups')) return
  for (const [id, name] of there) {
    if (wanted.has(id)) continue
    work.say(`~ group ${key}: members -${name}`)
    await api.send(`group ${key}`, groups.removeGroupMember, { params: { group: key, user: id } })
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

export async function applyAssignments(work: ApplyContext): Promise<void> {
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
      await api.send(what, assignments.createAssignment, { params: { space }, body: given })
    }
    if (!work.prunes('assignments')) continue
    for (const [key, id] of there) {
      if (named.has(key)) continue
      const what = `assignment ${space}/${id}`
      work.say(`- ${what}`)
      await api.send(what, assignments.deleteAssignment, { params: { space, id } })
    }
  }
}

/** The assignments as the file writes them, with IDs, and the ID of each. */
async function assignmentsIn({ api }: ApplyContext, space: string): Promise<Map<string, string>> {
  const params = { space }
  const roles = await api.list(listRoles, { params })
  const roleKeys = new Map(roles.map((role) => [role.id, role.key]))
  const asIds = { user: new Map<string, string>(), group: new Map<string, string>() }
  const found = await api.list(assignments.listAssignments, { params })
  return new Map(
    found.map((one) => {
      const { space: _, ...said } = assignment(one, space, roleKeys, asIds)
      return [canonical(said), one.id]
    }),
  )
}

export async function subjectId(work: ApplyContext, { type, id }: Subject): Promise<string> {
  if (type === 'client') return id
  if (type === 'user') return requireUserId(work, id)
  const group = await work.api.find(groups.getGroup, { params: { group: id } })
  if (group) return group.id
  throw new ConfigurationError(`the group ${id} does not exist`)
}
