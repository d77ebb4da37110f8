// The layers of lib from the lowest (below) to the highest, with the arrows between them, as SVG.
// An arrow down is grey and on the right; one up is red and on the left.
import { pointingUp } from './graph.mjs'

const ROW = 30
const WIDTH = 980
const MIDDLE = WIDTH / 2
const BOX = 150

export function draw(graph) {
  const height = graph.layers.length * ROW + 60
  const y = new Map(graph.layers.map((layer, at) => [layer, height - 30 - at * ROW]))
  const up = new Set(pointingUp(graph))
  const arrows = graph.arrows.map((arrow) => curve(y, arrow, up.has(arrow)))
  const boxes = graph.layers.map((layer) => box(layer, y.get(layer)))
  const title = `${graph.layers.length} layers, ${graph.arrows.length} arrows, ${up.size} pointing up`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/><text x="12" y="20" font-size="14">${title}</text>
${[...arrows, ...boxes].join('\n')}
</svg>
`
}

function curve(y, { from, to, files }, up) {
  const side = up ? -1 : 1
  const [start, end] = [y.get(from), y.get(to)]
  const x = MIDDLE + (side * BOX) / 2
  const out = x + side * (20 + Math.abs(end - start) * 0.55)
  const colour = up ? '#d33' : '#8899aa'
  const width = Math.min(4, 0.6 + files.length / 12).toFixed(1)
  return `<path d="M${x} ${start} C${out} ${start} ${out} ${end} ${x} ${end}" fill="none" stroke="${colour}" stroke-width="${width}" opacity="0.6"><title>${from} -> ${to} (${files.length})</title></path>`
}

function box(layer, y) {
  const x = MIDDLE - BOX / 2
  return `<rect x="${x}" y="${y - 11}" width="${BOX}" height="22" rx="4" fill="#eef" stroke="#446"/><text x="${MIDDLE}" y="${y + 4}" text-anchor="middle">${layer}</text>`
}
