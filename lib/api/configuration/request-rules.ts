import type { z } from 'zod'
import * as groups from '../permissions/groups'
import { listAllResources } from '../permissions/resource-overview'
import { listRoles } from '../permissions/roles'
import { emergencySchema } from '../requests/emergency-rule'
import {
  changeRequestRule,
  createRequestRule,
  deleteRequestRule,
  listRequestRules,
  type RequestRuleWire,
  stageSchema,
} from '../requests/rule-routes'
import { requireUserId } from './people'
import { type Configuration, ConfigurationError } from './schema'
import { type ApplyContext, reconcile } from './work'

/** What users may ask for. Applied after the roles, groups and users that decide about it. */

type Wanted = Configuration['requestRules'][number]
type Approver = Wanted['stages'][number]['approvers'][number]

export async function applyRequestRules(work: ApplyContext): Promise<void> {
  const { api, wanted } = work
  if (wanted.requestRules.length === 0 && !work.prunes('requestRules')) return
  const prefixes = await prefixesOf(work)
  const found = await api.list(listRequestRules, {})
  const nameOf = (rule: RequestRuleWire) => `${prefixes.get(rule.api)}/${rule.name}`
  const existing = new Map(found.map((rule) => [nameOf(rule), rule]))
  for (const rule of wanted.requestRules) {
    const name = `${rule.api}/${rule.name}`
    const { api: prefix, ...fields } = await withIds(work, rule)
    await reconcile(
      work,
      { noun: 'request rule', name, fields },
      {
        found: existing.get(name) ?? null,
        create: () => api.send(name, createRequestRule, { body: { api: prefix, ...fields } }),
        change: (body, { id }) => api.send(name, changeRequestRule, { params: { rule: id }, body }),
      },
    )
    existing.delete(name)
  }
  if (!work.prunes('requestRules')) return
  for (const [name, { id }] of existing) {
    work.say(`- request rule ${name}`)
    await api.send(name, deleteRequestRule, { params: { rule: id } })
  }
}

async function prefixesOf({ api }: ApplyContext): Promise<Map<string, string>> {
  const apis = await api.list(listAllResources, {})
  return new Map(apis.map(({ id, prefix }) => [id, prefix]))
}

async function withIds(work: ApplyContext, { stages, emergency, ...rule }: Wanted) {
  const known = (approvers: Approver[]) => Promise.all(approvers.map((one) => withId(work, one)))
  const made = stages.map(async ({ approvers, escalateTo = [], ...stage }) => {
    const named = {
      ...stage,
      approvers: await known(approvers),
      escalateTo: await known(escalateTo),
    }
    return withDefaults(stageSchema, named)
  })
  return {
    ...rule,
    stages: await Promise.all(made),
    ...(emergency !== undefined && { emergency: emergency && (await opening(emergency, known)) }),
  }
}

type Opening = NonNullable<Wanted['emergency']>

async function opening(
  { people, reviewers, ...times }: Opening,
  known: (approvers: Approver[]) => Promise<Approver[]>,
) {
  const named = {
    ...times,
    people: await known(people),
    ...(reviewers && { reviewers: await known(reviewers) }),
  }
  return withDefaults(emergencySchema, named)
}

/** With what the API takes for granted, so that the same file changes nothing. */
function withDefaults<T extends object>(schema: z.ZodType<T>, written: T | object): T | object {
  return schema.safeParse(written).data ?? written
}

async function withId(work: ApplyContext, approver: Approver): Promise<Approver> {
  const { type, id } = approver
  if (id === undefined) return approver
  if (type === 'user') return { type, id: await requireUserId(work, id) }
  if (type === 'role') return { type, id: await roleId(work, id) }
  const group = await work.api.find(groups.getGroup, { params: { group: id } })
  if (group) return { type, id: group.id }
  throw new ConfigurationError(`the group ${id} does not exist`)
}

/** `space/role`, by their keys. */
async function roleId({ api }: ApplyContext, name: string): Promise<string> {
  const [space = '', key = ''] = name.split('/')
  const roles = await api.list(listRoles, { params: { space } })
  const role = roles.find((one) => one.key === key)
  if (role) return role.id
  throw new ConfigurationError(`the role ${name} does not exist`)
}
