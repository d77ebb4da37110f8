/** What a switch could have been, as far as anybody outside can tell. */

export type Change = { on: boolean; start: number; end: number | null }

/**
 * Every value that could be in force at some moment between `from` and `to`. Changes of one switch
 * follow one another. One that was answered happened somewhere between its start and its end; one
 * that was lost happened then, later, or never, until the next one that was answered.
 */
export function possible(
  changes: readonly Change[],
  initial: boolean,
  from: number,
  to: number,
): Set<boolean> {
  let values = new Set([initial])
  for (const { on, start, end } of changes.toSorted((a, b) => a.start - b.start)) {
    if (start > to) break
    const isOver = end !== null && end < from
    values = isOver ? new Set([on]) : new Set([...values, on])
  }
  return values
}
