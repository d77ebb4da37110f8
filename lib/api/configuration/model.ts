import type { Model } from '../permissions/model'
import { exportModel, importModel } from '../permissions/model-routes'
import * as spaces from '../permissions/spaces'
import { differences } from './differences'
import type { Thing } from './operator'
import { type Configuration, ConfigurationError } from './schema'
import { type ApplyContext, reconcile } from './work'

/**
 * Spaces with their APIs, permissions and roles. Roles come second: they may give permissions of
 * another space.
 */

type Space = Configuration['spaces'][number]
type Resource = Model['resources'][number]

export async function applyModel(work: ApplyContext): Promise<() => Promise<void>> {
  const { wanted } = work
  for (const space of wanted.spaces) await applySpace(work, space)
  for (const space of wanted.spaces) await applyResources(work, space)
  for (const space of wanted.spaces) await applyRoles(work, space)
  return () => pruneModel(work)
}

async function applySpace(work: ApplyContext, { key, name }: Space): Promise<void> {
  const { api } = work
  const params = { space: key }
  const what = `space ${key}`
  await reconcile(
    work,
    { noun: 'space', name: key, fields: { name } },
    {
      found: await api.find(spaces.getSpace, { params }),
      create: () => api.send(what, spaces.createSpace, { body: { key, name } }),
      change: (body) => api.send(what, spaces.changeSpace, { params, body }),
    },
  )
}

async function modelOf({ api }: ApplyContext, key: string): Promise<Model> {
  const found = await api.find(exportModel, { params: { space: key } })
  if (!found) throw new ConfigurationError(`the space ${key} does not exist`)
  return found
}

async function saveModel({ api }: ApplyContext, key: string, model: Model): Promise<void> {
  await api.send(`space ${key}`, importModel, { params: { space: key }, body: model })
}

async function applyResources(work: ApplyContext, { key, resources }: Space): Promise<void> {
  const before = await modelOf(work, key)
  const kept = before.resources.filter((one) => !resources.some((it) => it.prefix === one.prefix))
  let changes = 0
  const made = resources.map((wanted) => {
    const had = before.resources.find(({ prefix }) => prefix === wanted.prefix)
    const { merged, said } = mergedResource(work, had, wanted)
    for (const line of said) work.say(line)
    changes += said.length
    return merged
  })
  if (changes > 0) await saveModel(work, key, { ...before, resources: [...kept, ...made] })
}

function mergedResource(work: ApplyContext, had: Resource | undefined, wanted: Resource) {
  const { permissions, ...fields } = wanted
  const said = tell('api', wanted.prefix, had && without(had, 'permissions'), fields)
  for (const item of permissions) {
    const before = had?.permissions.find(({ key }) => key === item.key)
    said.push(...tell('permission', item.key, before, item))
  }
  const others = (had?.permissions ?? []).filter(
    (one) => !permissions.some(({ key }) => key === one.key),
  )
  if (!work.prunes('permissions')) {
    return { merged: { ...wanted, permissions: [...permissions, ...others] }, said }
  }
  return { merged: wanted, said: [...said, ...others.map(({ key }) => `- permission ${key}`)] }
}

async function applyRoles(work: ApplyContext, { key, roles }: Space): Promise<void> {
  const before = await modelOf(work, key)
  const others = before.roles.filter((one) => !roles.some((role) => role.key === one.key))
  const said = roles.flatMap((role) =>
    tell(
      'role',
      `${key}/${role.key}`,
      before.roles.find((one) => one.key === role.key),
      role,
    ),
  )
  if (work.prunes('roles')) said.push(...others.map((role) => `- role ${key}/${role.key}`))
  for (const line of said) work.say(line)
  const kept = work.prunes('roles') ? [] : others
  if (said.length > 0) await saveModel(work, key, { ...before, roles: [...kept, ...roles] })
}

function tell(noun: string, name: string, before: Thing | undefined, after: Thing): string[] {
  if (!before) return [`+ ${noun} ${name}`]
  const { said } = differences(before, after)
  return said.length > 0 ? [`~ ${noun} ${name}: ${said.join(', ')}`] : []
}

function without<T extends object, K extends keyof T>(thing: T, member: K): Omit<T, K> {
  const { [member]: _, ...rest } = thing
  return rest
}

async function pruneModel(work: ApplyContext): Promise<void> {
  const { wanted, api } = work
  if (work.prunes('resources')) {
    for (const { key, resources } of wanted.spaces) await pruneResources(work, key, resources)
  }
  if (!work.prunes('spaces')) return
  const named = new Set(wanted.spaces.map(({ key }) => key))
  for (const { key, id } of await api.list(spaces.listSpaces, {})) {
    if (named.has(key)) continue
    work.say(`- space ${key}`)
    await api.send(`space ${key}`, spaces.deleteSpace, { params: { space: id } })
  }
}

async function pruneResources(work: ApplyContext, key: string, wanted: Resource[]): Promise<void> {
  const before = await modelOf(work, key)
  const named = new Set(wanted.map(({ prefix }) => prefix))
  const gone = before.resources.filter(({ prefix }) => !named.has(prefix))
  if (gone.length === 0) return
  for (const { prefix } of gone) work.say(`- api ${prefix}`)
  const resources = before.resources.filter(({ prefix }) => named.has(prefix))
  await saveModel(work, key, { ...before, resources })
}
