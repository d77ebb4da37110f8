import type { Acr } from './acr'
import { withBudget } from './budget'
import { patternCovers } from './pattern'
import { type Context, type Item, NO_GRANTS, NOTHING, type Policy } from './policy'
import { isPortalScope } from './portal-api'
import { audienceAmong } from './resource'
import { inTurns } from './turns'
import {
  type AccessPath,
  acrFor,
  type Outcome,
  outcomeOf,
  type PermissionQuestion,
  waysByGrants,
  waysHere,
  waysOf,
  waysOfExchange,
} from './ways'

/**
 * "Which of these scopes does this client get?" is decided here and nowhere else. Pure: the clock,
 * the database and the request reach it as data. The order of the rules determines which reason is
 * returned.
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
  'condition_too_costly',
  'context_missing',
  'mfa_required',
  'consent_withheld',
] as const

export type Refusal = (typeof REFUSALS)[number]

export type RuleName = 'application' | 'access_key' | 'user'

/**
 * One rule that had to be met, and every grant that it considered: for admins and the audit log.
 */
export type Rule = {
  rule: RuleName
  refusal: Refusal
  outcome: Outcome
  ways: readonly AccessPath[]
  /** The access key's own scopes include it. */
  listed?: boolean
}

export type Decision =
  | { scope: string; granted: true; rules: readonly Rule[] }
  | { scope: string; granted: false; code: Refusal; rules: readonly Rule[]; acr?: Acr }

export type Question = {
  scopes: readonly string[]
  applicationId: string
  accessKey: { id: string; scopes: readonly string[] | null } | null
  /** The only scopes that the application can get; null or absent for no limit. */
  scopeLimit?: readonly string[] | null
  /** The application may use refresh tokens; otherwise `offline_access` has no effect. */
  mayRefresh: boolean
  userId: string | null
  /**
   * A token exchange: the application that the subject token was issued to. Its grants are separate
   * ones: see `waysOfExchange`.
   */
  exchangeFrom?: string
  /** Then: what the subject token, and each token that it comes from, carried. */
  carried?: readonly (readonly string[])[]
  /** What the user refused; null if no user was asked (client_credentials). */
  withheld: ReadonlySet<string> | null
  /** Named by `resource` (RFC 8707); empty for any. */
  audiences: readonly string[]
  context: Context
}

/**
 * About the user, not about an API; they need a user. `groups` and `roles` are not in OpenID
 * Connect, but many applications know them by these names.
 */
export const OPENID_SCOPES: ReadonlySet<string> = new Set([
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'groups',
  'roles',
  'offline_access',
])

/** With a mark after each scope: see turns.ts. */
export function* decideScopes(policy: Policy, question: Question): Generator<void, Decision[]> {
  const decisions: Decision[] = []
  for (const scope of question.scopes) {
    decisions.push(decideScope(policy, question, scope))
    yield
  }
  return decisions
}

/** For HTTP requests: with many scopes, other requests get their turn in between. */
export function decideInTurns(policy: Policy, question: Question): Promise<Decision[]> {
  return inTurns(decideScopes(policy, question))
}

function decideScope(policy: Policy, question: Question, scope: string): Decision {
  if (question.scopeLimit?.includes(scope) === false) return refuse(scope, 'client_not_granted')
  if (isBeyondExchange(question, scope)) return refuse(scope, 'client_not_granted')
  const item = policy.items.get(scope)
  // An API may have had a permission of this name before the name meant something here.
  if (!item && OPENID_SCOPES.has(scope)) return decideOpenIdScope(question, scope)
  if (!item?.api.enabled) return refuse(scope, 'unknown_scope')
  if (item.userBound && !question.userId) return refuse(scope, 'user_required')
  const audience = audienceFor(policy, question, item)
  if (audience === null) return refuse(scope, 'resource_mismatch')
  return decideByGrants(policy, question, item, audience)
}

/**
 * A user's own data, offline access and the portal itself are only for applications that the user
 * signed in to.
 */
function isBeyondExchange({ exchangeFrom }: Question, scope: string): boolean {
  return exchangeFrom !== undefined && (OPENID_SCOPES.has(scope) || isPortalScope(scope))
}

function decideOpenIdScope(question: Question, scope: string): Decision {
  if (!question.userId) return refuse(scope, 'user_required')
  if (scope === 'offline_access' && !question.mayRefresh) return refuse(scope, 'client_not_granted')
  if (question.withheld?.has(scope)) return refuse(scope, 'consent_withheld')
  return { scope, granted: true, rules: [] }
}

/** What the token would be for; null if the request names other APIs. */
function audienceFor(policy: Policy, { audiences }: Question, { api }: Item): string | null {
  return audiences.length === 0 ? api.audience : audienceAmong(policy, api, audiences)
}

function decideByGrants(
  policy: Policy,
  question: Question,
  item: Item,
  audience: string,
): Decision {
  const { scope } = item
  const rules = applicableRules(policy, question, item, audience)
  const code =
    rules.find((rule) => rule.outcome === 'absent')?.refusal ??
    firstOf(rules, 'expired', 'grant_expired') ??
    firstOf(rules, 'condition_failed', 'condition_failed') ??
    firstOf(rules, 'condition_too_costly', 'condition_too_costly') ??
    firstOf(rules, 'context_missing', 'context_missing') ??
    firstOf(rules, 'mfa_required', 'mfa_required') ??
    (question.withheld?.has(scope) ? 'consent_withheld' : null) ??
    (isWider(policy, question, item) ? 'client_not_granted' : null)
  if (!code) return { scope, granted: true, rules }
  const acr = code === 'mfa_required' ? acrForAll(rules) : null
  return { scope, granted: false, code, rules, ...(acr && { acr }) }
}

/**
 * Whatever the grants say: of an API that a token of the chain was for, an exchange gives nothing
 * that this token did not carry.
 */
function isWider(
  { items }: Policy,
  { exchangeFrom, carried = [] }: Question,
  { scope, api }: Item,
): boolean {
  const isOfApi = (one: string) => items.get(one)?.api.id === api.id
  return (
    exchangeFrom !== undefined &&
    carried.some((scopes) => scopes.some(isOfApi) && !scopes.includes(scope))
  )
}

function firstOf(rules: Rule[], outcome: Outcome, code: Refusal): Refusal | null {
  return rules.some((rule) => rule.outcome === outcome) ? code : null
}

/** Every rule must be met, so the strongest level that one of them needs. */
function acrForAll(rules: readonly Rule[]): Acr | null {
  const blocked = rules.filter((rule) => rule.outcome === 'mfa_required')
  const needed = blocked.flatMap(({ ways }) => acrFor(ways) ?? [])
  return needed.includes('phr') ? 'phr' : (needed[0] ?? null)
}

function applicableRules(policy: Policy, question: Question, item: Item, audience: string): Rule[] {
  const asked: PermissionQuestion = {
    item: item.scope,
    instance: null,
    context: withBudget(question.context, { audience, scope: item.scope }),
  }
  const rules = [applicationRule(policy, question, asked)]
  if (question.accessKey) rules.push(accessKeyRule(policy, question, question.accessKey, asked))
  if (question.userId && item.needsRole) rules.push(userRule(policy, question.userId, asked))
  return rules
}

function applicationRule(policy: Policy, question: Question, asked: PermissionQuestion): Rule {
  const { applicationId, exchangeFrom } = question
  const holder = policy.applications.get(applicationId) ?? NOTHING
  const ways =
    exchangeFrom === undefined
      ? waysOf(policy, holder, asked)
      : waysOfExchange(policy, holder, exchangeFrom, asked)
  return weigh('application', 'client_not_granted', ways, question.userId)
}

/**
 * An access key has all scopes of its application, or only those that its own scopes and its own
 * grants allow.
 */
function accessKeyRule(
  policy: Policy,
  { userId }: Question,
  key: NonNullable<Question['accessKey']>,
  asked: PermissionQuestion,
): Rule {
  const listed = key.scopes?.some((pattern) => patternCovers(pattern, asked.item)) ?? true
  const ways = waysByGrants(policy.accessKeyGrants.get(key.id) ?? NO_GRANTS, asked)
  const rule = { listed, ...weigh('access_key', 'key_restricted', ways, userId) }
  const denied = ways.some(({ outcome }) => outcome === 'denied')
  return listed && !denied ? { ...rule, outcome: 'held' } : rule
}

function userRule(policy: Policy, userId: string, asked: PermissionQuestion): Rule {
  const user = policy.users.get(userId) ?? NOTHING
  return weigh('user', 'user_not_permitted', waysOf(policy, user, asked), userId)
}

/** What others were given says nothing here: not in the reason, nor in the audit log. */
function weigh(rule: RuleName, refusal: Refusal, found: AccessPath[], userId: string | null): Rule {
  const ways = waysHere(found, { userId, instance: null })
  return { rule, refusal, ways, outcome: outcomeOf(ways) }
}

function refuse(scope: string, code: Refusal): Decision {
  return { scope, granted: false, code, rules: [] }
}
