/** Roles above roles. Each is looked at once, however many ways lead to it. */

export const DEEPEST_ROLE = 10

/** What is wrong with who stands above whom; null: nothing. */
export function misplacedIn(
  parents: ReadonlyMap<string, readonly string[]>,
): 'cycle' | 'too_deep' | null {
  const heights = new Map<string, number>()
  for (const start of parents.keys()) {
    if (heightOf(parents, start, heights, 0) === Infinity) return 'cycle'
  }
  return [...heights.values()].some((height) => height > DEEPEST_ROLE) ? 'too_deep' : null
}

const UNDER_WAY = Infinity

/** How many roles stand above it, one over the other; infinite in a circle. */
function heightOf(
  parents: ReadonlyMap<string, readonly string[]>,
  id: string,
  heights: Map<string, number>,
  below: number,
): number {
  const known = heights.get(id)
  if (known !== undefined) return known
  if (below > DEEPEST_ROLE) return 0 // enough stand below it to know
  heights.set(id, UNDER_WAY)
  const above = parents.get(id) ?? []
  const each = above.map((parent) => heightOf(parents, parent, heights, below + 1))
  const height = Math.max(-1, ...each) + 1
  heights.set(id, height)
  return height
}
