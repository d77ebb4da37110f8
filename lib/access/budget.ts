import { MOST_STEPS_OF_DECISION } from './condition'
import type { Context } from './policy'

/**
 * One budget for all conditions of one question about one permission. Questions about many
 * permissions or subjects pause between decisions, so that other requests get their turn: see
 * turns.ts.
 */
export function withBudget(context: Context): Context {
  return { ...context, budget: { left: MOST_STEPS_OF_DECISION } }
}
