// Which exports of lib and app does no other file import?
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parse, resolved } from './graph.mjs'

const SOURCE = /\.(tsx?|mjs)$/
const NOT_OURS = /node_modules|\/generated\/|\/compiled\/|\/templates\/|\.d\.ts$/
const FOLDERS = ['lib', 'app', 'e2e', 'bench', 'examples']
const LOOSE = ['server.ts', 'proxy.ts', 'instrumentation.ts']
/** What Next.js reads from files of these names. */
const NEXT_FILE =
  /^app\/(.*\/)?(page|layout|route|error|global-error|not-found|forbidden|unauthorized)\.tsx?$/

/** [{ path, name }] */
export function unusedExports(root) {
  const files = [...FOLDERS.flatMap((folder) => sources(root, folder)), ...LOOSE]
  const parsed = files.map((path) => parse(root, path))
  const used = new Set(parsed.flatMap(usesOf))
  return parsed
    .filter(({ path }) => /^(lib|app)\//.test(path) && !NEXT_FILE.test(path))
    .flatMap(({ path, program }) => exportsOf(program).map((name) => ({ path, name })))
    .filter(({ path, name }) => !used.has(`${moduleOf(path)} ${name}`))
}

function sources(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !NOT_OURS.test(path))
}

function moduleOf(path) {
  return path.replace(SOURCE, '').replace(/\/index$/, '')
}

function exportsOf(program) {
  return program.body.flatMap((node) => {
    if (node.type === 'ExportDefaultDeclaration') return ['default']
    if (node.type !== 'ExportNamedDeclaration') return []
    const { declaration, specifiers } = node
    if (!declaration) return specifiers.map(({ exported }) => exported.name)
    const declared = declaration.declarations ?? [declaration]
    return declared.flatMap(({ id }) => boundBy(id))
  })
}

/** The names in `{ a, b: { c } }`, or the one name. */
function boundBy({ type, name, properties, elements }) {
  if (type === 'ObjectPattern') return properties.flatMap(({ value }) => boundBy(value))
  if (type === 'ArrayPattern') return elements.filter(Boolean).flatMap(boundBy)
  return [name]
}

/** `lib/store/a find` for each name that a file has from another. */
function usesOf(file) {
  const whole = [...file.text.matchAll(/\bimport\(\s*'([^']+)'/g)].map(([, to]) =>
    use(to, all(file)),
  )
  const named = file.program.body
    .filter(({ source }) => source)
    .map((node) => use(node.source.value, namesFrom(node, file)))
  return [...whole, ...named].flatMap(({ to, names }) => {
    if (!/^(\.|@\/)/.test(to)) return []
    const from = moduleOf(resolved(file.path, to))
    return names.map((name) => `${from} ${name}`)
  })
}

function use(to, names) {
  return { to, names }
}

/** What is imported whole is used by any name that the file has in it. */
function all({ text }) {
  return ['default', ...text.match(/[\w$]+/g)]
}

function namesFrom({ type, specifiers }, file) {
  if (type === 'ExportAllDeclaration') return []
  if (specifiers.some((one) => one.type === 'ImportNamespaceSpecifier')) return all(file)
  return specifiers.map(({ type: kind, imported, local }) =>
    kind === 'ImportDefaultSpecifier' ? 'default' : (imported ?? local).name,
  )
}
