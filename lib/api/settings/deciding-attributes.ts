import type { Emergency, RequestStage } from '../../access/policy'
import type { Op } from '../../context/op'
import { listPendingTerms } from '../../store/requests/access-requests'

/** Attributes of users that name who decides: without them, a request would have nobody. */

const AT_ONCE = 500

type Terms = { name: string; stages: readonly RequestStage[]; emergency: Emergency | null }

/** By the rules in force and by the requests that wait, which keep their terms; with a rule of each. */
export async function decidingAttributes(op: Op): Promise<Map<string, string>> {
  const { policy } = await op.latestSnapshot()
  const rules = [...policy.apisByAudience.values()].flatMap((api) => api.requestRules ?? [])
  const found = new Map(rules.flatMap(namedBy))
  for (let after = '', count = AT_ONCE; count === AT_ONCE; ) {
    const pending = await op.read((db) => listPendingTerms(db, after, AT_ONCE))
    for (const { terms } of pending) for (const [key, rule] of namedBy(terms)) found.set(key, rule)
    count = pending.length
    after = pending.at(-1)?.id ?? ''
  }
  return found
}

function namedBy({ name, stages, emergency }: Terms): [attribute: string, rule: string][] {
  const deciders = stages.flatMap(({ approvers, escalateTo }) => [...approvers, ...escalateTo])
  return [...deciders, ...(emergency?.reviewers ?? [])].flatMap((one) =>
    one.type === 'manager' ? [[one.attribute, name]] : [],
  )
}
