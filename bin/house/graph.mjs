// Which room of lib imports which? Read from the import declarations of every source file.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync } from 'vite'
import { FLOORS } from './floors.mjs'

const SOURCE = /\.tsx?$/
const TEST = /\.test\.tsx?$/

/** Every source file under `folder`, without tests and generated code. */
export function sourcesIn(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name) && !TEST.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes('/generated/') && !path.endsWith('.d.ts'))
    .sort()
}

/** { path, text, program }: the program is an ESTree. */
export function parse(root, path) {
  const text = readFileSync(join(root, path), 'utf8')
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`)
  return { path, text, program }
}

/** Every node of a tree, the outer before the inner. */
export function* nodesOf(node) {
  if (typeof node?.type === 'string') yield node
  for (const child of Object.values(node)) {
    if (typeof child === 'object' && child !== null) yield* nodesOf(child)
  }
}

/** { rooms, arrows: [{from, to, files}] } of lib; without `types`, only the imports at run time. */
export function graphOf(root, { types = true } = {}) {
  const files = sourcesIn(root, 'lib')
  const rooms = [...new Set(files.map(roomOf))].sort(byFloor)
  const arrows = new Map()
  for (const path of files) {
    const from = roomOf(path)
    for (const to of roomsImportedBy(parse(root, path), types)) {
      if (to === from) continue
      const arrow = arrows.get(`${from} ${to}`) ?? { from, to, files: [] }
      arrow.files.push(path)
      arrows.set(`${from} ${to}`, arrow)
    }
  }
  return { rooms, arrows: [...arrows.values()] }
}

/** `lib/oidc/grants/x.ts` is in `oidc`; `lib/op.ts` is a room of its own. */
function roomOf(path) {
  return path.split('/')[1].replace(SOURCE, '')
}

function roomsImportedBy({ path, program }, types) {
  const targets = [...nodesOf(program)]
    .filter((node) => types || !isTypeOnly(node))
    .map((node) => (isImport(node) ? node.source?.value : null))
    .filter((specifier) => specifier?.startsWith('.') || specifier?.startsWith('@/'))
    .map((specifier) => resolved(path, specifier))
  return new Set(targets.filter((target) => target.startsWith('lib/')).map(roomOf))
}

const IMPORTS = ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration']

function isImport({ type }) {
  return IMPORTS.includes(type) || type === 'ImportExpression' || type === 'TSImportType'
}

function isTypeOnly({ type, importKind, exportKind, specifiers = [] }) {
  if (type === 'TSImportType' || importKind === 'type' || exportKind === 'type') return true
  return specifiers.length > 0 && specifiers.every((one) => one.importKind === 'type')
}

function resolved(from, specifier) {
  return specifier.startsWith('@/') ? specifier.slice(2) : join(dirname(from), specifier)
}

// ---------------------------------------------------------------- what is wrong with it

function floorOf(room) {
  return FLOORS.indexOf(room)
}

function byFloor(a, b) {
  return floorOf(a) - floorOf(b) || a.localeCompare(b)
}

/** Rooms that have no floor. */
export function unplaced({ rooms }) {
  return rooms.filter((room) => floorOf(room) === -1)
}

export function climbing({ arrows }) {
  return arrows.filter(({ from, to }) => floorOf(to) > floorOf(from))
}

/** Rooms that import each other, directly or through others. */
export function rings({ rooms, arrows }) {
  const next = new Map(rooms.map((room) => [room, []]))
  for (const { from, to } of arrows) next.get(from).push(to)
  const reach = new Map(rooms.map((room) => [room, reachedFrom(room, next)]))
  const seen = new Set()
  const found = []
  for (const room of rooms) {
    if (seen.has(room)) continue
    const ring = rooms.filter((other) => reach.get(room).has(other) && reach.get(other).has(room))
    for (const member of ring) seen.add(member)
    if (ring.length > 1) found.push(ring)
  }
  return found
}

function reachedFrom(room, next) {
  const reached = new Set()
  const waiting = [...next.get(room)]
  while (waiting.length > 0) {
    const one = waiting.pop()
    if (reached.has(one)) continue
    reached.add(one)
    waiting.push(...(next.get(one) ?? []))
  }
  return reached
}
