import type { Rule } from './decide-scopes'
import type { Terms } from './policy'
import type { AccessPath } from './ways'

/**
 * When does what was just granted end by itself? A token must not outlive it. Pure, from the rules
 * of the decision.
 */

/** The earliest end of several grants of scopes; null if none has an end. */
export function earliest(ends: readonly (number | null)[]): number | null {
  const end = Math.min(...ends.map((one) => one ?? Infinity))
  return end === Infinity ? null : end
}

/** Every rule must stay met, so the first that ends counts. */
export function heldUntil(rules: readonly Rule[], now: number): number | null {
  return earliest(rules.map((rule) => endOfRule(rule, now)))
}

/** One way that stays is enough, as long as no deny begins. */
function endOfRule({ ways, listed }: Rule, now: number): number {
  const met = ways.filter(({ outcome }) => outcome === 'met')
  const lasts = listed === true ? Infinity : Math.max(...met.map(endOfWay))
  return Math.min(lasts, ...ways.map((way) => startOfDeny(way, now)))
}

function endOfWay(way: AccessPath): number {
  return Math.min(...termsOf(way).map(({ validUntil }) => validUntil ?? Infinity))
}

/**
 * When a deny that does not apply yet begins. One with a condition depends on the request, like
 * every condition, and an issued token is not measured by it.
 */
function startOfDeny(way: AccessPath, now: number): number {
  const terms = termsOf(way)
  const isDeny = terms.some(({ effect }) => effect === 'deny')
  if (!isDeny || terms.some(({ condition }) => condition !== null)) return Infinity
  const start = Math.max(...terms.map(({ validFrom }) => validFrom ?? -Infinity))
  return start > now && start < endOfWay(way) ? start : Infinity
}

function termsOf({ grant, assignment }: AccessPath): Terms[] {
  return assignment ? [assignment, grant] : [grant]
}
