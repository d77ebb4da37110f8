/** Parent roles. Each role is visited once, however many paths lead to it. */

export const DEEPEST_ROLE = 10

/** The child roles of each role. */
type Children = ReadonlyMap<string, readonly string[]>

export function childrenIn(
  roles: ReadonlyMap<string, { id: string; parentIds: readonly string[] }>,
): Children {
  const children = new Map<string, string[]>()
  for (const { id, parentIds } of roles.values()) {
    for (const parent of parentIds) {
      const known = children.get(parent)
      if (known) known.push(id)
      else children.set(parent, [id])
    }
  }
  return children
}

/** These roles and all below them: whoever holds one of these holds what the roles give. */
export function familyOf(children: Children, ids: Iterable<string>): Set<string> {
  const family = new Set(ids)
  for (const id of family) for (const child of children.get(id) ?? []) family.add(child)
  return family
}

/** What is wrong with the hierarchy; null if nothing. */
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

/** The number of levels above a role; infinite in a cycle. */
function heightOf(
  parents: ReadonlyMap<string, readonly string[]>,
  id: string,
  heights: Map<string, number>,
  below: number,
): number {
  const known = heights.get(id)
  if (known !== undefined) return known
  if (below > DEEPEST_ROLE) return 0 // deep enough to decide
  heights.set(id, UNDER_WAY)
  const above = parents.get(id) ?? []
  const each = above.map((parent) => heightOf(parents, parent, heights, below + 1))
  const height = Math.max(-1, ...each) + 1
  heights.set(id, height)
  return height
}
