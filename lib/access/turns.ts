/**
 * Many decisions for one request: others get their turn in between. A decision is made at once; it
 * is between two of them that a loop lets go.
 */

/** Well below what anybody notices, well above what an ordinary request takes. */
const SLICE_MS = 10

/** Wait for what it gives after each piece of work: something where this turn was long enough. */
export function takingTurns(): () => Promise<void> | null {
  let since = performance.now()
  const letGo = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
  return () => (performance.now() - since < SLICE_MS ? null : letGo())
}

export async function eachInTurn<T, R>(list: Iterable<T>, work: (one: T) => R): Promise<R[]> {
  const turn = takingTurns()
  const results: R[] = []
  for (const one of list) {
    results.push(work(one))
    const pause = turn()
    if (pause) await pause
  }
  return results
}

/** For work that says, with each `yield`, where it could be interrupted. */
export async function inTurns<T>(work: Iterator<unknown, T>): Promise<T> {
  const turn = takingTurns()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    const pause = turn()
    if (pause) await pause
  }
}

export function atOnce<T>(work: Iterator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
