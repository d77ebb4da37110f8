/** Limits the size of a map: its keys are in insertion order, so the first is the oldest. */
export function forgetOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
