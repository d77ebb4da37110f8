import { MAX_STEPS_OF_DECISION } from './condition'
import type { Context } from './policy'

/**
 * The context of one question about one permission, with one budget for all conditions. Questions about many
 * permissions or subjects pause between decisions, so that other requests get their turn: see
 * turns.ts.
 */
export function withBudget(context: Context, resource: Context['resource']): Context {
  const { request, client, user, auth, subject, action } = context
  const budget = { left: MAX_STEPS_OF_DECISION }
  return { request, client, resource, user, auth, subject, action, budget }
}
