import { ConditionError, compileCondition, KEPT_CHARACTERS } from '../access/condition'
import { eachInTurn } from '../access/turns'
import { Problem } from './problem'

/** A document may contain thousands of conditions, and compiling each of them takes time. */

export function conditionsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  if (Array.isArray(value)) {
    for (const one of value) conditionsIn(one, found)
    return found
  }
  for (const [name, member] of Object.entries(value)) {
    if (name === 'condition' && typeof member === 'string') found.add(member)
    else conditionsIn(member, found)
  }
  return found
}

/**
 * Compiles the conditions in advance and caches them. Mistakes are reported later, by the schema.
 */
export async function compileInTurns(sources: ReadonlySet<string>): Promise<void> {
  const characters = [...sources].reduce((sum, source) => sum + source.length, 0)
  if (characters > KEPT_CHARACTERS) {
    const most = `${KEPT_CHARACTERS / 1_000} 000 characters`
    throw new Problem('invalid', `the conditions of one request may have at most ${most}`)
  }
  await eachInTurn(sources, compileQuietly)
}

function compileQuietly(source: string): void {
  try {
    compileCondition(source)
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
  }
}
