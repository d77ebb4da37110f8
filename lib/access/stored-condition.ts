import { canBeCompiledAhead, compileCondition } from './condition'
import type { Condition } from './policy'
import { takingTurns } from './turns'

/**
 * Conditions that were read from the database. A policy may have thousands, and one decision may
 * need hundreds of them. So they are compiled in turns, soon after they were read; one that is
 * needed earlier, or has no place in the cache, is compiled when it is needed.
 */

const waiting = new Set<string>()
let working: Promise<void> | null = null

/** A condition that no longer compiles is never skipped. */
export function compileStored(source: string): Condition {
  if (canBeCompiledAhead(source)) compileSoon(source)
  let made: Condition | null = null
  return {
    source,
    evaluate(context) {
      made ??= orUnanswerable(source)
      return made.evaluate(context)
    },
  }
}

function orUnanswerable(source: string): Condition {
  try {
    return compileCondition(source)
  } catch {
    return { source, evaluate: () => 'unanswerable' }
  }
}

/** So few are compiled in less time than waiting takes. */
const FEW = 10

/** For whoever decides next: a promise if many conditions are not compiled yet, otherwise null. */
export function whenCompiled(): Promise<void> | null {
  return waiting.size > FEW ? working : null
}

function compileSoon(source: string): void {
  waiting.add(source)
  working ??= compileWaiting().finally(() => {
    working = null
  })
}

async function compileWaiting(): Promise<void> {
  await null // Whoever reads them has not finished.
  const turn = takingTurns()
  for (const source of waiting) {
    waiting.delete(source)
    if (canBeCompiledAhead(source)) orUnanswerable(source)
    const pause = turn()
    if (pause) await pause
  }
}
