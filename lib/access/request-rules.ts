import { patternCovers } from './pattern'
import type {
  Approver,
  Condition,
  Context,
  Item,
  RequestRule,
  RequestStage,
  RequestTerms,
} from './policy'
import { isPortalScope } from './portal-api'

/**
 * The rule by which this user may ask for this permission: the one that names it most closely. Of
 * several that cover it, the shortest time counts. Null if it cannot be asked for.
 */
export function ruleFor(item: Item, context: Context): RequestRule | null {
  const { requestRules = [], enabled } = item.api
  if (requestRules.length === 0 || !enabled || isPortalScope(item.scope)) return null
  const covering = requestRules.filter(
    (rule) => covers(rule, item.scope) && isMet(rule.askers, context),
  )
  const [closest] = covering.sort((a, b) => byCloseness(item.scope, a, b))
  if (!closest) return null
  return { ...closest, maxSeconds: Math.min(...covering.map(({ maxSeconds }) => maxSeconds)) }
}

/** What `askers` reads: who asks and when, wherever it was refused. */
export function askerContext(
  id: string,
  attributes: Readonly<Record<string, unknown>>,
  { request: { time }, budget }: Pick<Context, 'request' | 'budget'>,
): Context {
  return {
    request: { time },
    client: {},
    resource: {},
    auth: {},
    subject: {},
    action: {},
    user: { ...attributes, id },
    ...(budget && { budget }),
  }
}

function covers({ patterns }: Pick<RequestRule, 'patterns'>, scope: string): boolean {
  return patterns.some((pattern) => patternCovers(pattern, scope))
}

function isMet(condition: Condition | null, context: Context): boolean {
  return condition === null || condition.evaluate(context) === 'met'
}

function byCloseness(scope: string, a: RequestRule, b: RequestRule): number {
  return closeness(b, scope) - closeness(a, scope) || (a.id < b.id ? -1 : 1)
}

function closeness({ patterns }: RequestRule, scope: string): number {
  const covering = patterns.filter((pattern) => patternCovers(pattern, scope))
  return Math.max(...covering.map((pattern) => (pattern === scope ? Infinity : pattern.length)))
}

/** A condition that cannot be answered leaves the decision to people; a refusal wins. */
export function decidedByRule(
  { autoApprove, autoRefuse }: Pick<RequestRule, 'autoApprove' | 'autoRefuse'>,
  context: Context,
): 'approve' | 'refuse' | null {
  const refuses = autoRefuse?.evaluate(context) ?? 'condition_failed'
  if (refuses === 'met') return 'refuse'
  if (refuses !== 'condition_failed') return null
  return autoApprove?.evaluate(context) === 'met' ? 'approve' : null
}

/** Where nobody is asked, only a refusal that certainly does not hold lets it through. */
export function isNotRefused(
  { autoRefuse }: Pick<RequestRule, 'autoRefuse'>,
  context: Context,
): boolean {
  return autoRefuse === null || autoRefuse.evaluate(context) === 'condition_failed'
}

/** Who may decide in a stage; after its deadline also those whom it escalates to. */
export function approversIn(
  { approvers, escalateTo }: RequestStage,
  escalated: boolean,
): readonly Approver[] {
  return escalated ? [...approvers, ...escalateTo] : approvers
}

type Asking = { terms: RequestTerms; stage: number; escalated: boolean }

/** Who is asked: about a request its approvers, about what was opened alone its reviewers. */
export function askedAbout({ terms, stage, escalated }: Asking): readonly Approver[] {
  if (terms.emergency) return terms.emergency.reviewers
  const at = terms.stages[stage]
  return at ? approversIn(at, escalated) : []
}

// ---------------------------------------------------------------- what an approval gives

/** A grant to an application that counts for one user only. */
export function conditionForUser(userId: string): string {
  return `user.id == ${JSON.stringify(userId)}`
}

/** A grant for one resource instance. */
export function conditionForInstance(instance: string): string {
  return `resource.id == ${JSON.stringify(instance)}`
}

const OF_ONE = /^(?:user|resource)\.id == "(?:[^"\\]|\\.)*"$/

/** Nobody or null: a request without a user, or about no instance. */
export type RequestPlace = { userId: string | null; instance: string | null }

/** The grant was given for another user or another instance: here it is as if it did not exist. */
export function isForAnother(
  condition: Condition | null,
  { userId, instance }: RequestPlace,
): boolean {
  if (condition === null || !OF_ONE.test(condition.source)) return false
  const { source } = condition
  const isIts =
    (userId !== null && source === conditionForUser(userId)) ||
    (instance !== null && source === conditionForInstance(instance))
  return !isIts
}
