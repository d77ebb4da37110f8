import { ConditionError, compileCondition, KEPT_CHARACTERS } from '../access/condition'
import { eachInTurn } from '../access/turns'
import { Problem } from './problem'

/** A document may bring thousands of conditions, and each takes its time to compile. */

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

/** Made ahead, and kept; what is wrong with one is said by whoever reads it. */
export async function compileInTurns(sources: ReadonlySet<string>): Promise<void> {
  const characters = [...sources].reduce((sum, source) => sum + source.length, 0)
  if (characters > KEPT_CHARACTERS) {
    const most = `${KEPT_CHARACTERS / 1_000} 000 characters`
    throw new Problem('invalid', `different conditions of at most ${most} in one request`)
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
