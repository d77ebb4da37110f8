/** Keeps a memory bounded: a map has its keys in the order in which they came. */
export function forgetOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
