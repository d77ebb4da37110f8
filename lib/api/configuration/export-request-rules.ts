import { listAllResources } from '../permissions/resource-overview'
import { listRoles } from '../permissions/roles'
import { listSpaces } from '../permissions/spaces'
import { listRequestRules, type RequestRuleWire } from '../requests/rule-routes'
import type { Operator } from './operator'

/** Request rules with names instead of IDs. */

type Names = Record<'user' | 'group', ReadonlyMap<string, string>>

export async function exportRequestRules(api: Operator, names: Names) {
  const found = await api.list(listRequestRules, {})
  if (found.length === 0) return []
  const apis = await api.list(listAllResources, {})
  const prefixes = new Map(apis.map(({ id, prefix }) => [id, prefix]))
  const roles = new Map<string, string>()
  for (const { id: space, key } of await api.list(listSpaces, {})) {
    for (const role of await api.list(listRoles, { params: { space } }))
      roles.set(role.id, `${key}/${role.key}`)
  }
  const named = (approver: RequestRuleWire['stages'][number]['approvers'][number]) => {
    const { type, id } = approver
    if (id === undefined) return approver
    const known = type === 'role' ? roles : type === 'group' ? names.group : names.user
    return { type, id: known.get(id) ?? id }
  }
  const rules = found.map(({ id: _, createdAt: _made, updatedAt: _changed, ...rule }) => ({
    ...rule,
    emergency: rule.emergency && {
      ...rule.emergency,
      people: rule.emergency.people.map(named),
      reviewers: rule.emergency.reviewers.map(named),
    },
    api: prefixes.get(rule.api) ?? rule.api,
    stages: rule.stages.map(({ approvers, escalateTo, ...stage }) => ({
      ...stage,
      approvers: approvers.map(named),
      escalateTo: escalateTo.map(named),
    })),
  }))
  return rules.sort((a, b) => (`${a.api} ${a.name}` < `${b.api} ${b.name}` ? -1 : 1))
}
