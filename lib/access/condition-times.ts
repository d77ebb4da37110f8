import type { Environment } from '@marcbachmann/cel-js'

/**
 * The library knows a time by its constructor, as it was when the library was loaded. Next.js
 * replaces `Date` when it is loaded, and with it the constructor of every date: then a condition on
 * `request.time` could not be answered any more. So the constructor of the moment is made known.
 */

type Evaluator = {
  objectTypes: ReadonlyMap<string, unknown>
  objectTypesByConstructor: Map<unknown, unknown>
}

const TIMESTAMP = 'google.protobuf.Timestamp'

/** To be called before an evaluation: times are recognized whoever replaced `Date` since. */
export function timesKnownTo(environment: Environment): () => void {
  const { objectTypes, objectTypesByConstructor } = evaluatorOf(environment)
  const timestamp = objectTypes.get(TIMESTAMP)
  if (!timestamp) throw new TypeError(`the library has no ${TIMESTAMP}`)
  return () => {
    const ofDates = Date.prototype.constructor
    if (!objectTypesByConstructor.has(ofDates)) objectTypesByConstructor.set(ofDates, timestamp)
  }
}

/** It is handed to each node of an expression that is evaluated. */
function evaluatorOf(environment: Environment): Evaluator {
  let found: Evaluator | null = null
  const expression = environment.parse('true')
  // The types of the library show less of its tree than evaluation needs: see meter.ts.
  const root = expression.ast as unknown as { evaluate(evaluator: Evaluator): boolean }
  root.evaluate = (evaluator) => {
    found = evaluator
    return true
  }
  expression({})
  if (found) return found
  throw new TypeError('the library evaluates in another way')
}
