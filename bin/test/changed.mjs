// `npm test -- --changed`: which tests can a change reach? By imports; and for the tests in process,
// which all import the whole portal, by the name of the feature.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { importsOf, parse } from '../structure/graph.mjs'

const FOLDERS = ['app', 'lib', 'e2e', 'bench', 'examples']
const CODE = /\.tsx?$/
const ENDINGS = ['', '.ts', '.tsx', '/index.ts', '/index.tsx']
/** Behind these files stands the whole portal: what only they reach says nothing about a test. */
const WHOLE_PORTAL = ['e2e/support/in-process.ts', 'e2e/support/portal.ts']
const IN_PROCESS = 'e2e/in-process/'
/** Where the tests in process of a layer are, if not in a folder of its name. */
const FEATURES = {
  access: ['permissions', 'oidc'],
  tokens: ['oidc'],
  policy: ['permissions'],
  authority: ['permissions', 'applications', 'users'],
  decision: ['permissions', 'impact'],
  audit: ['records'],
  upstream: ['accounts'],
  keys: ['oidc', 'settings'],
  openapi: ['reference'],
}
/** Pages are opened for a change of these; what lies below them is tested without pages. */
const OF_PAGES = /^(app|lib\/(browser|admin|i18n|quick-start|docs))\//

/** { files, tests, specs, pages }: tests for vitest, specs for Playwright, the paths of the pages. */
export function reachedByChanges(root, since) {
  const files = changedFiles(root, since)
  const graph = importersOf(root)
  const reached = reachedFrom(files, graph)
  const tests = [...reached].filter(isUnitTest)
  const features = new Set(files.flatMap(featuresOf))
  const inProcess = filesIn(root, 'e2e/in-process').filter(
    (path) => reached.has(path) || features.has('*') || features.has(featureOf(path)),
  )
  const pages = pagesOf(
    reachedFrom(
      files.filter((path) => OF_PAGES.test(path)),
      graph,
    ),
  )
  const unit = tests.filter((path) => !path.startsWith(IN_PROCESS))
  return {
    files,
    tests: [...new Set([...unit, ...scriptTests(root, files), ...inProcess.filter(isUnitTest)])],
    specs: [...new Set([...specsAbout(root, pages), ...files.filter(isSpec)])],
    pages,
  }
}

function changedFiles(root, since) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  const changed = git('diff', '--name-only', '--diff-filter=d', since)
  const added = git('ls-files', '--others', '--exclude-standard')
  return `${changed}${added}`.split('\n').filter((path) => path !== '')
}

/** Each file with the files that import it. */
function importersOf(root) {
  const files = FOLDERS.flatMap((folder) => filesIn(root, folder))
  const known = new Set(files)
  const importers = new Map()
  for (const path of files) {
    for (const target of importsOf(parse(root, path), true)) {
      const found = ENDINGS.map((ending) => target + ending).find((name) => known.has(name))
      if (found) importers.set(found, [...(importers.get(found) ?? []), path])
    }
  }
  return importers
}

function filesIn(root, folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && CODE.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/\/(generated|node_modules)\//.test(path) && !path.endsWith('compiled.ts'))
}

function reachedFrom(files, importers) {
  const reached = new Set(files)
  const waiting = [...files]
  while (waiting.length > 0) {
    const path = waiting.pop()
    if (WHOLE_PORTAL.includes(path) && !files.includes(path)) continue
    for (const importer of importers.get(path) ?? []) {
      if (reached.has(importer)) continue
      reached.add(importer)
      waiting.push(importer)
    }
  }
  return reached
}

function isUnitTest(path) {
  return /\.test\.ts$/.test(path) && !/^e2e\/(http|thorough)\//.test(path)
}

function isSpec(path) {
  return /^e2e\/browser\/.*\.spec\.ts$/.test(path)
}

/** `lib/api/reviews/decide.ts` -> reviews; `*` for what every feature stands on. */
function featuresOf(path) {
  const [, layer, folder] = /^lib\/(?:(?:api|store)\/)?([^/.]+)(?:\/([^/.]+))?/.exec(path) ?? []
  if (layer === undefined) return []
  if (['http', 'database', 'base', 'crypto', 'context', 'op', 'host'].includes(layer)) return ['*']
  return FEATURES[layer] ?? FEATURES[folder] ?? [layer]
}

function featureOf(path) {
  return path.slice(IN_PROCESS.length).split('/')[0]
}

/** Tests of scripts and documents read many files without importing them, and take seconds. */
function scriptTests(root, files) {
  const concerned = files.some((path) => /^(bin|docs|lib|app|prisma)\//.test(path))
  if (!concerned) return []
  return readdirSync(join(root, 'bin'), { recursive: true })
    .filter((name) => name.endsWith('.test.mjs'))
    .map((name) => `bin/${name}`)
}

/** The URLs of the pages among these files: app/admin/users/[user]/page.tsx -> /admin/users/[user] */
function pagesOf(reached) {
  return [...reached]
    .filter((path) => /^app\/.*page\.tsx$/.test(path))
    .map((path) => `/${dirname(path).split('/').slice(1).filter(isSegment).join('/')}`)
    .sort()
}

function isSegment(name) {
  return !name.startsWith('(')
}

/** The specs that name one of the pages, and the one that opens every page. */
function specsAbout(root, pages) {
  if (pages.length === 0) return []
  const fixed = pages.map((path) => path.replace(/\/\[.*$/, '')).filter((path) => path !== '/')
  const named = filesIn(root, 'e2e/browser').filter((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return isSpec(path) && fixed.some((page) => text.includes(page))
  })
  return ['e2e/browser/every-page.spec.ts', ...named]
}
