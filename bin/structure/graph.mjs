// Which layer of lib imports which? Read from the import declarations of every source file.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync } from 'vite'
import { LAYERS } from './layers.mjs'

const SOURCE = /\.tsx?$/
const TEST = /\.test\.tsx?$/

/** Every source file under `folder`, without tests and generated code. */
export function sourcesIn(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name) && !TEST.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/\/(generated|compiled)\//.test(path) && !path.endsWith('.d.ts'))
    .sort()
}

const parsed = new Map()

/**
 * { path, text, module, program }: the program is an ESTree, made when it is asked for. A file is read
 * once.
 */
export function parse(root, path) {
  const file = join(root, path)
  if (!parsed.has(file)) parsed.set(file, parseFile(file, path))
  return parsed.get(file)
}

function parseFile(file, path) {
  const text = readFileSync(file, 'utf8')
  const result = parseSync(path, text)
  const [error] = result.errors
  if (error) throw new Error(`${path}: ${error.message}`)
  return {
    path,
    text,
    module: result.module,
    get program() {
      return result.program
    },
  }
}

/** Every node of a tree, the outer before the inner. */
export function* nodesOf(tree) {
  const waiting = [tree]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (typeof node.type === 'string') yield node
    for (const child of Object.values(node).reverse()) {
      if (typeof child === 'object' && child !== null) waiting.push(child)
    }
  }
}

/**
 * { order, layers, arrows: [{from, to, files}] } of `folder`, whose layers are listed in layers.mjs;
 * without `types`, only the imports at run time.
 */
export function graphOf(root, { folder = 'lib', types = true } = {}) {
  const order = LAYERS[folder]
  const files = sourcesIn(root, folder)
  const layerNameOf = layerNamesIn(folder)
  const layers = [...new Set(files.map(layerNameOf))].sort(byPosition(order))
  const arrows = new Map()
  for (const path of files) {
    const from = layerNameOf(path)
    const inside = importsOf(parse(root, path), types).filter((to) => to.startsWith(`${folder}/`))
    for (const to of new Set(inside.map(layerNameOf))) {
      if (to === from) continue
      const arrow = arrows.get(`${from} ${to}`) ?? { from, to, files: [] }
      arrow.files.push(path)
      arrows.set(`${from} ${to}`, arrow)
    }
  }
  return { order, layers, arrows: [...arrows.values()] }
}

/** `lib/oidc/grants/x.ts` is in `oidc`; `lib/op.ts` is a layer of its own. */
function layerNamesIn(folder) {
  const at = folder.split('/').length
  return (path) => path.split('/')[at].replace(SOURCE, '')
}

/** The files of ours that a file imports, without their endings. */
export function importsOf(file, types) {
  return (types ? importsInTree(file) : importsAtRunTime(file))
    .filter((specifier) => specifier?.startsWith('.') || specifier?.startsWith('@/'))
    .map((specifier) => resolved(file.path, specifier))
}

/** `import('./x').Y` in a type stands only in the tree. */
const IN_TYPE = /\bimport\(/

function importsInTree(file) {
  const all = recordedImports(file, () => true)
  if (!IN_TYPE.test(file.text)) return all
  const inTypes = [...nodesOf(file.program)].filter(({ type }) => type === 'TSImportType')
  return [...all, ...inTypes.map((node) => node.source?.value)]
}

function importsAtRunTime(file) {
  return recordedImports(file, ({ isType }) => !isType)
}

function recordedImports({ text, module }, isWanted) {
  const { staticImports, staticExports, dynamicImports } = module
  const named = ({ entries }) => entries.length === 0 || entries.some(isWanted)
  return [
    ...staticImports.filter(named).map((one) => one.moduleRequest.value),
    ...staticExports
      .flatMap(({ entries }) => entries.filter(isWanted))
      .map((one) => one.moduleRequest?.value),
    // As it is written, in its quotes.
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ]
}

/** Files of `folder` that import each other, directly or through others, types included. */
export function fileCycles(root, folder) {
  const files = sourcesIn(root, folder)
  const nameOf = (path) => path.replace(SOURCE, '')
  const known = new Set(files.map(nameOf))
  const arrows = files.flatMap((path) =>
    importsOf(parse(root, path), true)
      .map((to) => (known.has(to) ? to : `${to}/index`))
      .filter((to) => known.has(to))
      .map((to) => ({ from: nameOf(path), to })),
  )
  return cycles({ layers: [...known], arrows })
}

export function resolved(from, specifier) {
  return specifier.startsWith('@/') ? specifier.slice(2) : join(dirname(from), specifier)
}

// ---------------------------------------------------------------- what is wrong with it

function byPosition(order) {
  return (a, b) => order.indexOf(a) - order.indexOf(b) || a.localeCompare(b)
}

/** Layers that have no position. */
export function unplaced({ order, layers }) {
  return layers.filter((layer) => !order.includes(layer))
}

export function pointingUp({ order, arrows }) {
  return arrows.filter(({ from, to }) => order.indexOf(to) > order.indexOf(from))
}

/** Layers that import each other, directly or through others. */
export function cycles({ layers, arrows }) {
  const next = new Map(layers.map((layer) => [layer, []]))
  for (const { from, to } of arrows) next.get(from).push(to)
  const reach = new Map(layers.map((layer) => [layer, reachedFrom(layer, next)]))
  const seen = new Set()
  const found = []
  for (const layer of layers) {
    if (seen.has(layer)) continue
    const cycle = layers.filter(
      (other) => reach.get(layer).has(other) && reach.get(other).has(layer),
    )
    for (const member of cycle) seen.add(member)
    if (cycle.length > 1) found.push(cycle)
  }
  return found
}

function reachedFrom(layer, next) {
  const reached = new Set()
  const waiting = [...next.get(layer)]
  while (waiting.length > 0) {
    const one = waiting.pop()
    if (reached.has(one)) continue
    reached.add(one)
    waiting.push(...(next.get(one) ?? []))
  }
  return reached
}
