import { type GraphEdge, type GraphNode, NODE, type RoleGraph } from '@/lib/admin/role-graph'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'

const MARGIN = 4
const MAX_LENGTH = 19

/** Drawn on the server; the table of roles says the same for those who cannot see it. */
export async function Graph({ graph }: { graph: RoleGraph }) {
  const { rolePages: words } = (await currentMessages()).admin
  const [width, height] = [graph.width + 2 * MARGIN, graph.height + 2 * MARGIN]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section aria-label={words.graphTitle} tabIndex={0} className="overflow-x-auto py-1">
      <svg
        viewBox={`${-MARGIN} ${-MARGIN} ${width} ${height}`}
        width={width}
        height={height}
        className="mx-auto"
      >
        <title>{words.graphTitle}</title>
        {graph.edges.map((edge) => (
          <Edge key={`${edge.from.role.key} ${edge.to.role.key}`} edge={edge} />
        ))}
        {graph.nodes.map((node) => (
          <Node key={node.role.key} node={node} label={labelOf(node)} />
        ))}
      </svg>
    </section>
  )

  function labelOf({ role: { name, parents } }: GraphNode): string {
    return fill(words.graphLabel, { name, parents: parents.join(', ') || words.graphTop })
  }
}

/** From the foot of the one above to the head of the one below. */
function Edge({ edge: { from, to } }: { edge: GraphEdge }) {
  const [x1, y1] = [from.x + NODE.width / 2, from.y + NODE.height]
  const [x2, y2] = [to.x + NODE.width / 2, to.y]
  const middle = (y1 + y2) / 2
  return (
    <path
      d={`M ${x1} ${y1} C ${x1} ${middle}, ${x2} ${middle}, ${x2} ${y2}`}
      className="fill-none stroke-edge"
      strokeWidth="1.5"
    />
  )
}

function Node({ node: { role, x, y }, label }: { node: GraphNode; label: string }) {
  const centre = x + NODE.width / 2
  return (
    <a href={`/admin/roles/${role.id}`} aria-label={label} className="group">
      <rect
        x={x}
        y={y}
        width={NODE.width}
        height={NODE.height}
        rx="6"
        className="fill-paper stroke-edge group-hover:fill-wash group-hover:stroke-accent"
      />
      <text x={centre} y={y + 21} textAnchor="middle" className="fill-ink font-semibold text-small">
        {shortened(role.name)}
      </text>
      <text
        x={centre}
        y={y + 38}
        textAnchor="middle"
        fontSize="12"
        className="fill-muted font-mono"
      >
        {shortened(role.key)}
      </text>
    </a>
  )
}

function shortened(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text
}
