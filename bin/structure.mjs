// The structure of the code in numbers: `node bin/structure.mjs [--root DIR] [--draw FILE.svg] [--biome]`.
// `--draw` draws the layers of lib and the arrows between them; `--biome` writes the import rules of
// biome.json from the layers.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { biomeOverrides } from './structure/biome-rules.mjs'
import { draw } from './structure/draw.mjs'
import { cycles, graphOf, pointingUp } from './structure/graph.mjs'
import { measure } from './structure/measure.mjs'

const args = process.argv.slice(2)
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : null)
const root = resolve(option('--root') ?? fileURLToPath(new URL('..', import.meta.url)))

if (args.includes('--biome')) writeBiomeRules()
else print()

function print() {
  const graph = graphOf(root)
  const atRunTime = graphOf(root, { types: false })
  const numbers = {
    ...measure(root),
    'layers (folders and loose files of lib)': graph.layers.length,
    'arrows between layers': graph.arrows.length,
    'imports that point up': show(pointingUp(graph).map(({ from, to }) => `${from} -> ${to}`)),
    'cycles, types included': show(cycles(graph).map((cycle) => cycle.join(', '))),
    'cycles at run time': show(cycles(atRunTime).map((cycle) => cycle.join(', '))),
  }
  for (const [name, value] of Object.entries(numbers)) console.log(`${name.padEnd(44)} ${value}`)
  const file = option('--draw')
  if (file) writeFileSync(file, draw(graph))
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
