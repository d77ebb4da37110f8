/**
 * Positions of roles in the drawing: what holds more stands above. A role has all permissions of its
 * parents, so it is in the row above its highest parent.
 */

type GraphRole = { id: string; key: string; name: string; parents: readonly string[] }
export type GraphNode = { role: GraphRole; x: number; y: number }
export type GraphEdge = { from: GraphNode; to: GraphNode }
export type RoleGraph = { nodes: GraphNode[]; edges: GraphEdge[]; width: number; height: number }

export const NODE = { width: 168, height: 48 }
const GAP = { x: 24, y: 44 }

/** Only roles that have a parent or a child; `parents` are keys. */
export function roleGraph(roles: readonly GraphRole[]): RoleGraph {
  const byKey = new Map(roles.map((role) => [role.key, role]))
  const above = new Set(roles.flatMap(({ parents }) => parents))
  const related = roles.filter(({ key, parents }) => parents.length > 0 || above.has(key))
  const rows = rowsOf(related, byKey)
  const widest = Math.max(0, ...rows.map((row) => row.length))
  const width = Math.max(0, widest * (NODE.width + GAP.x) - GAP.x)
  const placed = new Map<string, GraphNode>()
  for (const [at, row] of rows.entries()) {
    const start = (width - (row.length * (NODE.width + GAP.x) - GAP.x)) / 2
    for (const [index, role] of inOrder(row, placed).entries()) {
      const x = start + index * (NODE.width + GAP.x)
      placed.set(role.key, { role, x, y: (rows.length - 1 - at) * (NODE.height + GAP.y) })
    }
  }
  const nodes = [...placed.values()]
  const edges = nodes.flatMap((from) =>
    from.role.parents.flatMap((key) => {
      const to = placed.get(key)
      return to ? [{ from, to }] : []
    }),
  )
  const height = Math.max(0, rows.length * (NODE.height + GAP.y) - GAP.y)
  return { nodes, edges, width, height }
}

function rowsOf(roles: readonly GraphRole[], byKey: ReadonlyMap<string, GraphRole>): GraphRole[][] {
  const depths = new Map<string, number>()
  const depthOf = ({ key, parents }: GraphRole): number => {
    const known = depths.get(key)
    if (known !== undefined) return known
    const held = parents.flatMap((parent) => byKey.get(parent) ?? [])
    const depth = Math.max(0, ...held.map((parent) => depthOf(parent) + 1))
    depths.set(key, depth)
    return depth
  }
  const rows: GraphRole[][] = []
  for (const role of roles) {
    const depth = depthOf(role)
    rows[depth] = [...(rows[depth] ?? []), role]
  }
  return rows
}

/** Ordered by the middle of the parents, so that few lines cross. */
function inOrder(row: readonly GraphRole[], placed: ReadonlyMap<string, GraphNode>): GraphRole[] {
  const middle = ({ parents }: GraphRole) => {
    const at = parents.flatMap((key) => placed.get(key)?.x ?? [])
    return at.length === 0 ? 0 : at.reduce((sum, x) => sum + x, 0) / at.length
  }
  return [...row].sort((a, b) => middle(a) - middle(b) || a.name.localeCompare(b.name))
}
