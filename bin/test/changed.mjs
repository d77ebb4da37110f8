// `npm test -- --changed`: which tests can a change reach? By imports; and for the tests that import
// the whole portal, by the name of the feature.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { importsOf, parse } from '../structure/graph.mjs'

const FOLDERS = ['app', 'lib', 'e2e', 'bench', 'examples']
const CODE = /\.tsx?$/
const ENDINGS = ['', '.ts', '.tsx', '/index.ts', '/index.tsx']
/** Behind these files stands the whole portal: what only they reach says nothing about a test. */
const WHOLE_PORTAL = ['e2e/support/in-process.ts', 'e2e/support/portal.ts']
/** Through these a test in process loads every operation; FEATURES says which ones it asks. */
const EVERY_OPERATION = ['lib/api/table.ts', 'lib/operations/demo.ts']
/** A test that opens a portal is about the feature in whose folder it lies. */
const OPENS_PORTAL = ['lib/op.ts', 'e2e/support/operations.ts']
const ENDS = [...WHOLE_PORTAL, ...EVERY_OPERATION, ...OPENS_PORTAL]
const IN_PROCESS = 'e2e/in-process/'
export const EVERY_FEATURE = ['http', 'database', 'base', 'crypto', 'context', 'op', 'host']
const PROTOCOL =
  /access-tokens|assertion|authorize|client|device|discovery|first-party|introspection|logout|origins|pkce|refresh|refusal|scopes|round-trips|step-up|token|userinfo/
const DECISIONS =
  /scope|permission|polic|condition|role|authority|grants|authzen|introspection|ends/
/** Which tests in process ask a feature: by the names of their files. */
export const FEATURES = {
  access: DECISIONS,
  accounts:
    /impersonation|user|claims|first-start|first-party|home|invitations|news|step-up|sign-in|limits|device/,
  applications: /app|client|first-party|origins|refusals|grants|versions/,
  audit: /audit|deleted-ids/,
  authority: /authority|grants|managers|callers|matrix|users|roles/,
  authzen: /authzen|permission-checks/,
  configuration: /configuration|demo|restore/,
  decision: DECISIONS,
  delivery: /outbox|webhooks|logout|private-hosts/,
  impact: /policy-model|tools|agents/,
  keys: /keys|token|discovery/,
  limits: /limits/,
  mcp: /mcp|agents|tools/,
  oidc: PROTOCOL,
  openapi: /openapi|conventions/,
  operations: /scheduled|readiness|restore|demo|ends|first-start|outbox/,
  permissions: DECISIONS,
  policy: DECISIONS,
  records: /audit|lists/,
  reference: /openapi|conventions/,
  registration: /registration|client-documents|private-hosts|deleted-ids/,
  replay: /\breplay/,
  requests: /access-requests|deciders|emergency|ends|user-merge/,
  reviews: /reviews|emergency|user-merge/,
  settings: /settings|limits|upstream/,
  tokens: PROTOCOL,
  upstream: /upstream/,
  users: /user|invitations|impersonation/,
}
/** Pages are opened for a change of these; what lies below them is tested without pages. */
const OF_PAGES = /^(app|lib\/(browser|admin|i18n|quick-start|docs))\//

/** { files, tests, specs, pages }: tests for vitest, specs for Playwright, the paths of the pages. */
export function reachedByChanges(root, since) {
  return reachedBy(root, changedFiles(root, since))
}

export function reachedBy(root, files) {
  const { importers, subjects } = importsIn(root)
  const features = new Set(files.flatMap(featuresOf))
  const near = reachedFrom(files, importers, ENDS)
  const helped = reachedFrom(files.filter(isOfTests), importers)
  const isAbout = (path) => helped.has(path) || subjects(path).some((one) => near.has(one))
  const unit = [...reachedFrom(files, importers)].filter(
    (path) => isUnitTest(path) && (isAbout(path) || sharesFeature(features, path)),
  )
  const inProcess = filesIn(root, 'e2e/in-process').filter(
    (path) => isAbout(path) || asksOneOf(features, path),
  )
  const pages = pagesOf(
    reachedFrom(
      files.filter((path) => OF_PAGES.test(path)),
      importers,
    ),
  )
  return {
    files,
    tests: [
      ...new Set([
        ...unit.filter((path) => !isInProcess(path)),
        ...scriptTests(root, files),
        ...inProcess.filter(isUnitTest),
      ]),
    ],
    specs: [...new Set([...specsAbout(root, pages), ...[...helped].filter(isSpec)])],
    pages,
  }
}

function changedFiles(root, since) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  const changed = git('diff', '--name-only', '--diff-filter=d', since)
  const added = git('ls-files', '--others', '--exclude-standard')
  const paths = `${changed}${added}`.split('\n').filter((path) => path !== '')
  return [...new Set(paths.map(codeOf))]
}

/** Words are read by generated code; whatever shows them asks for them here. */
function codeOf(path) {
  return path.startsWith('lib/i18n/words/') ? 'lib/i18n/index.ts' : path
}

const graphs = new Map()

/**
 * `importers`: each file with the files that import it, without those that import only its types: for
 * types there is the check. `subjects(test)`: what a test is about.
 */
function importsIn(root) {
  if (!graphs.has(root)) graphs.set(root, readImports(root))
  return graphs.get(root)
}

function readImports(root) {
  const files = FOLDERS.flatMap((folder) => filesIn(root, folder))
  const known = new Set(files)
  const importers = new Map()
  const imports = new Map()
  for (const path of files) {
    const found = importsOf(parse(root, path), false).flatMap(
      (target) => ENDINGS.map((ending) => target + ending).find((name) => known.has(name)) ?? [],
    )
    imports.set(path, found)
    for (const target of found) importers.set(target, [...(importers.get(target) ?? []), path])
  }
  return { importers, subjects: (test) => subjectsOf(test, imports.get(test) ?? []) }
}

/**
 * What lies beside it or has its name. It makes its users, roles and so on by the operations of other
 * features, whose own tests find what breaks there. For a test in process, FEATURES says the rest.
 */
function subjectsOf(test, imports) {
  const product = imports.filter((path) => !isOfTests(path))
  const name = basename(test).replace(/\.test\.ts$/, '')
  const own = product.filter(
    (path) => dirname(path) === dirname(test) || namesOf(path).includes(name),
  )
  return own.length > 0 || isInProcess(test) ? own : product
}

function isOfTests(path) {
  return path.startsWith('e2e/') || path.endsWith('.test.ts')
}

/** `lib/api/decision/pass.ts` -> decision, pass */
function namesOf(path) {
  return path.replace(CODE, '').split('/').slice(-2)
}

function filesIn(root, folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && CODE.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter(
      (path) =>
        !/\/(generated|compiled|node_modules)\//.test(path) && !path.endsWith('compiled.ts'),
    )
}

function reachedFrom(files, importers, ends = WHOLE_PORTAL) {
  const reached = new Set(files)
  const waiting = [...files]
  while (waiting.length > 0) {
    const path = waiting.pop()
    if (ends.includes(path) && !files.includes(path)) continue
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

function isInProcess(path) {
  return path.startsWith(IN_PROCESS)
}

function sharesFeature(features, path) {
  return features.has('*') || featuresOf(path).some((feature) => features.has(feature))
}

function isSpec(path) {
  return /^e2e\/browser\/.*\.spec\.ts$/.test(path)
}

/** `lib/api/reviews/decide.ts` -> reviews; `*` for what every feature stands on. */
function featuresOf(path) {
  const [, feature] = /^lib\/(?:(?:api|store)\/)?([^/.]+)/.exec(path) ?? []
  if (feature === undefined) return []
  return EVERY_FEATURE.includes(feature) ? ['*'] : [feature]
}

function asksOneOf(features, path) {
  if (features.has('*')) return true
  const name = path.slice(IN_PROCESS.length)
  return [...features].some((feature) => FEATURES[feature]?.test(name))
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

/** The spec that opens every page, and for each page the specs that name it. */
function specsAbout(root, pages) {
  if (pages.length === 0) return []
  const specs = filesIn(root, 'e2e/browser')
    .filter(isSpec)
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const fixed = pages.map((path) => path.replace(/\/\[.*$/, '')).filter((path) => path !== '/')
  const named = fixed.flatMap((page) => specsNaming(page, specs))
  return ['e2e/browser/every-page.spec.ts', ...named]
}

/** The thorough ones only for a page that no other opens: they take minutes. */
function specsNaming(page, specs) {
  const all = specs.filter(({ text }) => text.includes(page)).map(({ path }) => path)
  const usual = all.filter((path) => !path.includes('/thorough/'))
  return usual.length > 0 ? usual : all
}
