// The structure of the code in numbers: `node bin/structure.mjs [--root DIR] [--draw FILE.svg] [--biome]`.
// `--draw` draws the layers of lib, or of `--folder lib/api`, and the arrows between them; `--biome` writes the import rules of
// biome.json from the layers.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { biomeOverrides } from './structure/biome-rules.mjs'
import { draw } from './structure/draw.mjs'
import { cycles, fileCycles, graphOf, pointingUp } from './structure/graph.mjs'
import { LAYERS } from './structure/layers.mjs'
import { looseFiles, measure } from './structure/measure.mjs'

const args = process.argv.slice(2)
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : null)
const root = resolve(option('--root') ?? fileURLToPath(new URL('..', import.meta.url)))

if (args.includes('--biome')) writeBiomeRules()
else print()

function print() {
  const numbers = {
    ...measure(root),
    'loose files by folder, over 20': show(looseFiles(root, 20)),
    'files of lib that import each other': show(fileCycles(root, 'lib').map(joined)),
    ...Object.fromEntries(Object.keys(LAYERS).flatMap(layersOf)),
  }
  for (const [name, value] of Object.entries(numbers)) console.log(`${name.padEnd(44)} ${value}`)
  const file = option('--draw')
  if (file) writeFileSync(file, draw(graphOf(root, { folder: option('--folder') ?? 'lib' })))
}

function layersOf(folder) {
  const graph = graphOf(root, { folder })
  return [
    [`${folder}: layers, arrows`, `${graph.layers.length}, ${graph.arrows.length}`],
    [
      `${folder}: imports that point up`,
      show(pointingUp(graph).map(({ from, to }) => `${from} -> ${to}`)),
    ],
    [`${folder}: cycles, types included`, show(cycles(graph).map(joined))],
  ]
}

function joined(names) {
  return names.join(', ')
}

function show(list) {
  if (list.length === 0) return '0'
  return `${list.length}\n${list.map((entry) => `    ${entry}`).join('\n')}`
}

function writeBiomeRules() {
  const file = `${root}/biome.json`
  const config = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, `${JSON.stringify({ ...config, overrides: biomeOverrides() }, null, 2)}\n`)
}
