/**
 * Many decisions for one request: other requests get their turn in between. A single decision is
 * never interrupted; a loop pauses between two of them.
 */

/** Too short to be noticed, and longer than an ordinary request takes. */
const SLICE_MS = 10

/**
 * Await the result after each piece of work: a promise if this turn was long enough, otherwise
 * null.
 */
export function takingTurns(): () => Promise<void> | null {
  let since = performance.now()
  const letGo = async () => {
    await afterOthers()
    since = performance.now()
  }
  return () => (performance.now() - since < SLICE_MS ? null : letGo())
}

let began: number | null = null

/**
 * For steps that many pieces of work share, such as a statement: await it before each. A promise if
 * this turn of the event loop was long already, otherwise null.
 */
export function pauseIfLong(): Promise<void> | null {
  if (began === null) {
    began = performance.now()
    setImmediate(() => {
      began = null
    })
    return null
  }
  if (performance.now() - began < SLICE_MS) return null
  return afterOthers()
}

/** The first one comes in the same turn of the event loop if it was a socket that woke this one. */
function afterOthers(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
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

/** For work that marks with `yield` where it can be interrupted. */
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
