import { patternCovers } from './pattern'
import type { Context, Grant, Item, Policy, Role, Terms, Verdict } from './policy'

/**
 * "Which of these scopes does this client get?" is asked here and nowhere else. Pure: the clock,
 * the database and the request reach it as data. The order of the rules is the scope contract's.
 */

export const REFUSALS = [
  'unknown_scope',
  'user_required',
  'resource_mismatch',
  'client_not_granted',
  'key_restricted',
  'user_not_permitted',
  'grant_expired',
  'condition_failed',
  'context_missing',
  'consent_withheld',
] as const

export type Refusal = (typeof REFUSALS)[number]

/** Which rule looked at which grant, and how it stood: for admins and the audit log only. */
export type Trace = { rule: 'application' | 'access_key' | 'user'; via: string; stood: Standing }

export type Decision =
  | { scope: string; granted: true; path: Trace[] }
  | { scope: string; granted: false; code: Refusal; path: Trace[] }

export type Question = {
  scopes: readonly string[]
  applicationId: string
  accessKey: { id: string; scopes: readonly string[] | null } | null
  /** The application may use refresh tokens, so `offline_access` means something. */
  mayRefresh: boolean
  userId: string | null
  /** What the resource owner said; null where nobody was asked (client_credentials). */
  withheld: ReadonlySet<string> | null
  /** Audiences named by `resource` (RFC 8707); empty: any. */
  audiences: readonly string[]
  context: Context
}

/** `idle`: a deny that does not apply now. */
type Standing = Verdict | 'expired' | 'denied' | 'idle'

/** Reserved by OpenID Connect; they belong to no API and need a user. */
export const OPENID_SCOPES: ReadonlySet<string> = new Set([
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
])

export function decideScopes(policy: Policy, question: Question): Decision[] {
  return question.scopes.map((scope) => decideScope(policy, question, scope))
}

function decideScope(policy: Policy, question: Question, scope: string): Decision {
  if (OPENID_SCOPES.has(scope)) return decideOpenIdScope(question, scope)
  const item = policy.items.get(scope)
  if (!item?.api.enabled) return refuse(scope, 'unknown_scope')
  if (item.userBound && !question.userId) return refuse(scope, 'user_required')
  if (isForAnotherApi(item, question)) return refuse(scope, 'resource_mismatch')
  return decideByGrants(policy, question, item)
}

function decideOpenIdScope(question: Question, scope: string): Decision {
  if (!question.userId) return refuse(scope, 'user_required')
  if (scope === 'offline_access' && !question.mayRefresh) return refuse(scope, 'client_not_granted')
  if (question.withheld?.has(scope)) return refuse(scope, 'consent_withheld')
  return { scope, granted: true, path: [] }
}

function isForAnotherApi(item: Item, { audiences }: Question): boolean {
  return audiences.length > 0 && !audiences.includes(item.api.audience)
}

function decideByGrants(policy: Policy, question: Question, item: Item): Decision {
  const { scope } = item
  const rules = applicableRules(policy, question, item)
  const path = rules.flatMap((rule) => rule.traces)
  const code =
    rules.find((rule) => rule.outcome === 'absent')?.refusal ??
    firstOf(rules, 'expired', 'grant_expired') ??
    firstOf(rules, 'condition_failed', 'condition_failed') ??
    firstOf(rules, 'context_missing', 'context_missing') ??
    (question.withheld?.has(scope) ? 'consent_withheld' : null)
  return code ? { scope, granted: false, code, path } : { scope, granted: true, path }
}

type Rule = { refusal: Refusal; outcome: Outcome; traces: Trace[] }
type Outcome = 'held' | 'absent' | 'expired' | 'condition_failed' | 'context_missing'

function firstOf(rules: Rule[], outcome: Outcome, code: Refusal): Refusal | null {
  return rules.some((rule) => rule.outcome === outcome) ? code : null
}

function applicableRules(policy: Policy, question: Question, item: Item): Rule[] {
  const rules = [applicationRule(policy, question, item)]
  if (question.accessKey) rules.push(accessKeyRule(policy, question, question.accessKey, item))
  if (question.userId && item.needsRole)
    rules.push(userRule(policy, question, question.userId, item))
  return rules
}

function applicationRule(policy: Policy, question: Question, item: Item): Rule {
  const grants = policy.applicationGrants.get(question.applicationId) ?? []
  return weigh('application', 'client_not_granted', stand(grants, question, item))
}

/** A key is as wide as its application, or as narrow as its list and its own grants together. */
function accessKeyRule(
  policy: Policy,
  question: Question,
  key: NonNullable<Question['accessKey']>,
  item: Item,
): Rule {
  const listed = key.scopes?.some((pattern) => patternCovers(pattern, item.scope)) ?? true
  const own = stand(policy.accessKeyGrants.get(key.id) ?? [], question, item)
  const ways: Way[] = listed ? [{ via: key.id, stood: 'met' }, ...own] : own
  return weigh('access_key', 'key_restricted', ways)
}

function userRule(policy: Policy, question: Question, userId: string, item: Item): Rule {
  const assignments = policy.userAssignments.get(userId) ?? []
  const ways = assignments
    .filter((assignment) => assignment.instance === null)
    .flatMap((assignment) =>
      grantsOf(assignment.role)
        .filter((grant) => patternCovers(grant.pattern, item.scope))
        .map((grant) => ({
          via: `${assignment.id} ${grant.id}`,
          stood: through(standingOf(assignment, question, item), standingOf(grant, question, item)),
        })),
    )
  return weigh('user', 'user_not_permitted', ways)
}

type Way = { via: string; stood: Standing }

function stand(grants: readonly Grant[], question: Question, item: Item): Way[] {
  return grants
    .filter((grant) => patternCovers(grant.pattern, item.scope))
    .map((grant) => ({ via: grant.id, stood: standingOf(grant, question, item) }))
}

function standingOf(terms: Terms, question: Question, item: Item): Standing {
  const now = question.context.request.time.getTime()
  const inTime = (terms.validFrom ?? now) <= now && now < (terms.validUntil ?? Infinity)
  const verdict = terms.condition ? verdictFor(terms.condition, question, item) : 'met'
  if (terms.effect === 'deny') return denies(inTime, verdict) ? 'denied' : 'idle'
  return inTime ? verdict : 'expired'
}

/** A deny whose condition cannot be answered still denies. */
function denies(inTime: boolean, verdict: Verdict): boolean {
  return inTime && verdict !== 'condition_failed'
}

function verdictFor(condition: NonNullable<Terms['condition']>, { context }: Question, item: Item) {
  const resource = { audience: item.api.audience, scope: item.scope }
  return condition.evaluate({ ...context, resource })
}

/** A grant counts only as far as the assignment that brings it. */
function through(assignment: Standing, grant: Standing): Standing {
  if (assignment === 'met') return grant
  // A denied role takes away what its grants would give; a deny within it has nothing to take.
  return assignment === 'denied' && grant === 'denied' ? 'idle' : assignment
}

/** Deny overrides allow; otherwise the best way in counts. */
function weigh(rule: Trace['rule'], refusal: Refusal, ways: Way[]): Rule {
  const traces = ways.map((way) => ({ rule, ...way }))
  const stood = new Set(ways.map((way) => way.stood))
  return { refusal, traces, outcome: outcomeOf(stood) }
}

function outcomeOf(stood: Set<Standing>): Outcome {
  if (stood.has('denied')) return 'absent'
  if (stood.has('met')) return 'held'
  if (stood.has('condition_failed') || stood.has('unanswerable')) return 'condition_failed'
  if (stood.has('context_missing')) return 'context_missing'
  return stood.has('expired') ? 'expired' : 'absent'
}

/** The role's own grants and those of its parents; a diamond is walked once. */
function grantsOf(role: Role, seen = new Set<Role>()): Grant[] {
  if (seen.has(role)) return []
  seen.add(role)
  return [...role.grants, ...role.parents.flatMap((parent) => grantsOf(parent, seen))]
}

function refuse(scope: string, code: Refusal): Decision {
  return { scope, granted: false, code, path: [] }
}
