import type { Policy, RequestRule } from '../../access/policy'
import type { Op } from '../../context/op'
import type { ErrorMessage } from '../../i18n/error-message'
import { unmetStage, userContext } from './approvers'
import { unmetReview } from './emergency-rule'

/** Whether whatever a rule lets people ask for or open finds somebody who decides or reviews. */

type CheckedRule = Pick<RequestRule, 'stages' | 'askers' | 'emergency'>
type RuleProblem = { of: 'stage' | 'review'; pointer: string; reason: ErrorMessage }

/**
 * The first part of a rule that somebody could not pass, with the example. `quick` does not look at
 * each user who may ask, so that it can be asked often.
 */
export async function findUnsound(
  op: Op,
  policy: Policy,
  apiId: string,
  { stages, askers, emergency }: CheckedRule,
  { quick = false } = {},
): Promise<RuleProblem | null> {
  const unmet = await unmetStage(op, policy, {
    apiId,
    stages,
    quick,
    asking: (people) =>
      people.filter((one) => !askers || askers.evaluate(userContext(op, one)) === 'met'),
  })
  if (unmet) return { of: 'stage', pointer: `/stages/${unmet.stage}`, reason: unmet.reason }
  const reason = emergency && (await unmetReview(op, policy, apiId, emergency, quick))
  return reason && { of: 'review', pointer: '/emergency/reviewers', reason }
}

// ---------------------------------------------------------------- all rules

/** Different ones: of many rules with the same people, one is looked at. */
const MAX_LOOKED_AT = 100

type UnsoundRules = {
  /** Rules that are in force, and how many of them were looked at. */
  total: number
  seen: number
  /** `rule (API)`. */
  undecided: string[]
  unreviewed: string[]
}

/** The rules in force that somebody could not pass any more, since people and roles change. */
export async function findUnsoundRules(op: Op): Promise<UnsoundRules> {
  const { policy } = await op.latestSnapshot()
  const known = new Map<string, RuleProblem | null>()
  const found: UnsoundRules = { total: 0, seen: 0, undecided: [], unreviewed: [] }
  for (const { id, prefix, enabled, requestRules = [] } of policy.apisByAudience.values()) {
    for (const rule of enabled ? requestRules : []) {
      found.total += 1
      const key = keyOf(id, rule)
      if (!known.has(key)) {
        if (known.size === MAX_LOOKED_AT) continue
        known.set(key, await findUnsound(op, policy, id, rule, { quick: true }))
      }
      found.seen += 1
      const unsound = known.get(key)
      if (unsound?.of === 'stage') found.undecided.push(`${rule.name} (${prefix})`)
      if (unsound?.of === 'review') found.unreviewed.push(`${rule.name} (${prefix})`)
    }
  }
  found.undecided.sort()
  found.unreviewed.sort()
  return found
}

/** The same for rules that the same people decide about, for the same askers. */
function keyOf(apiId: string, { stages, askers, emergency }: CheckedRule): string {
  const whole = [stages, askers?.source ?? null, emergency?.people, emergency?.reviewers]
  const text = JSON.stringify(whole)
  return text.includes('"api_owners"') ? `${apiId} ${text}` : text
}
