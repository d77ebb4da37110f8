import { MOST_STEPS_OF_DECISION } from './condition'
import type { Context } from './policy'

/**
 * One budget for all conditions that one question about one item comes to. Whoever asks about many
 * items or subjects lets others have their turn in between: see turns.ts.
 */
export function withBudget(context: Context): Context {
  return { ...context, budget: { left: MOST_STEPS_OF_DECISION } }
}
