// What has to happen before the code of the portal can run: install, generate, build. Plain
// JavaScript without packages, because a fresh clone has none.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeDocuments } from './documents.mjs'
import { writeTemplates } from './quick-starts.mjs'
import { SetupError } from './setup-error.mjs'
import { trimTraces } from './traces.mjs'
import { writeWords } from './words.mjs'

export { SetupError } from './setup-error.mjs'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MINIMUM_NODE = [20, 19]
const GENERATED = join(ROOT, 'lib/store/generated')
const DIST = join(ROOT, 'dist')
const BUILD_STAMP = join(DIST, 'build-stamp')
const GENERATE_STAMP = join(GENERATED, 'stamp')
const PROVIDERS = ['sqlite', 'postgres']
const BUILD_INPUTS = [
  'app',
  'lib',
  'public',
  'prisma',
  'bin/setup.mjs',
  'bin/traces.mjs',
  'server.ts',
  'proxy.ts',
  'instrumentation.ts',
  'next.config.js',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/** Prints what is done, does it, and prints how long it took. */
export async function step(name, work) {
  const started = performance.now()
  process.stdout.write(`  ${name} ...`)
  const note = await work()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(` ${note ?? 'done'} (${seconds} s)\n`)
}

/** What a portal needs, and no tool of the tests. */
export function prepare() {
  return prepareWith(installForPortal)
}

export function prepareTests() {
  return prepareWith(() => installIn('.'))
}

async function prepareWith(install) {
  requireNode()
  await step('dependencies', install)
  await step('database clients', generate)
  await step('documents', writeDocuments)
  await step('quick starts', writeTemplates)
  await step('words', writeWords)
}

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1])) return
  throw new SetupError(
    `Node.js ${process.versions.node} is too old: install ${MINIMUM_NODE.join('.')} or newer`,
  )
}

function installForPortal() {
  return installIn('.', 'omit')
}

/** `folder` has its own package.json and lockfile. */
export async function installIn(folder, tools = 'include') {
  if (installedMatchesLockfile(join(ROOT, folder), tools)) return 'up to date'
  const where = folder === '.' ? [] : ['--prefix', folder]
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['ci', ...where, `--${tools}=dev`, ...quiet], 'npm ci failed')
  return 'installed'
}

/**
 * npm lists what it installed in node_modules/.package-lock.json, in the format of the lockfile.
 */
function installedMatchesLockfile(folder, tools) {
  const hidden = join(folder, 'node_modules/.package-lock.json')
  if (!existsSync(hidden)) return false
  const wanted = readJson(join(folder, 'package-lock.json')).packages
  const installed = readJson(hidden).packages
  const mayBeMissing = ({ optional, devOptional, dev }) =>
    optional || devOptional || (dev && tools === 'omit')
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    const found = installed[path]
    return found ? found.version === entry.version : mayBeMissing(entry)
  })
}

export async function generate() {
  const stamp = hashOf(['prisma', 'bin/setup.mjs', 'package-lock.json'])
  if (readIfThere(GENERATE_STAMP) === stamp) return 'up to date'
  rmSync(GENERATED, { recursive: true, force: true })
  mkdirSync(GENERATED, { recursive: true })
  await Promise.all(PROVIDERS.map(generateClient))
  writeMigrations()
  writeFileSync(GENERATE_STAMP, stamp)
  return 'generated'
}

/** One source of models, two schemas: Prisma fixes the kind of database inside a schema. */
function generateClient(provider) {
  const folder = join(ROOT, 'prisma/generated')
  mkdirSync(folder, { recursive: true })
  const schema = join(folder, `${provider}.prisma`)
  writeFileSync(schema, joinedSchema(provider))
  // The generator needs no engine, but the CLI insists on one and would download it: any
  // executable satisfies the check.
  return run(
    process.execPath,
    ['node_modules/prisma/build/index.js', 'generate', '--schema', schema],
    'prisma generate failed',
    {
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  )
}

function joinedSchema(provider) {
  const datasource = readFileSync(join(ROOT, `prisma/${provider}.prisma`), 'utf8')
  return `${datasource}\n${readFileSync(join(ROOT, 'prisma/models.prisma'), 'utf8')}`
}

/**
 * The build contains the migrations, so that a bundle cannot meet the migrations of another
 * version.
 */
function writeMigrations() {
  const all = Object.fromEntries(PROVIDERS.map((provider) => [provider, readMigrations(provider)]))
  const schemas = Object.fromEntries(
    PROVIDERS.map((provider) => [provider, joinedSchema(provider)]),
  )
  writeFileSync(
    join(GENERATED, 'migrations.ts'),
    [
      'type Migration = { name: string; sql: string }',
      `export const migrations: Record<'sqlite' | 'postgres', Migration[]> = ${JSON.stringify(all, null, 2)}`,
      `export const schemas = ${JSON.stringify(schemas, null, 2)}`,
    ].join('\n\n'),
  )
}

function readMigrations(provider) {
  const folder = join(ROOT, 'prisma/migrations', provider)
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => ({ name, sql: readFileSync(join(folder, name, 'migration.sql'), 'utf8') }))
}

export async function build() {
  const { pages } = await beginBuild()
  return pages
}

/** Resolves when the server can be started; its `pages` are still being built. */
export async function beginBuild() {
  const stamp = hashOf(BUILD_INPUTS)
  const built = existsSync(join(ROOT, '.next/BUILD_ID')) && readIfThere(BUILD_STAMP) === stamp
  if (built) return { pages: Promise.resolve('up to date') }
  rmSync(DIST, { recursive: true, force: true })
  const pages = buildPages(stamp)
  // Whoever waits for the pages is told; until then the error is nobody's.
  pages.catch(() => {})
  await bundle()
  return { pages }
}

async function buildPages(stamp) {
  const next = ['node_modules/next/dist/bin/next', 'build']
  const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  await run(process.execPath, next, 'next build failed', env)
  trimTraces(ROOT)
  writeFileSync(BUILD_STAMP, stamp)
  return 'built'
}

const PORTAL = { server: 'server.ts', commands: 'lib/operations/commands.ts' }
/**
 * Native packages, packages that read WebAssembly from their own folder, and those that Next.js
 * loads too: these are not bundled.
 */
const LEFT_IN_NODE_MODULES = [
  'next',
  '@node-rs/argon2',
  '@prisma/schema-engine-wasm',
  'libsql',
  'nodemailer',
  'pg',
  'sharp',
]

/** The Node host and the commands in few files: a start reads megabytes less, in half the time. */
function bundlePortal() {
  return runEsbuild({
    entryPoints: PORTAL,
    external: LEFT_IN_NODE_MODULES,
    minifySyntax: true,
    minifyWhitespace: true,
    // CommonJS packages load Node's own modules with `require`.
    banner: {
      js: "import { createRequire as requireAt } from 'node:module'; const require = requireAt(import.meta.url);",
    },
  })
}

/**
 * Other programs of the repository: our own code bundled, packages left in node_modules.
 */
export function bundle(entryPoints, outdir = 'dist') {
  if (!entryPoints) return bundlePortal()
  return runEsbuild({ entryPoints, outdir, packages: 'external' })
}

async function runEsbuild(options) {
  const esbuild = await import('esbuild')
  await esbuild.build({
    absWorkingDir: ROOT,
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
    ...options,
  })
}

/** Ends with this process. */
export async function run(command, args, failure, env = {}) {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    shell: process.platform === 'win32' && command === 'npm',
  })
  const kill = () => child.kill()
  process.once('exit', kill)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const [error, status] = await new Promise((resolve) => {
    child.once('error', (error) => resolve([error, null]))
    child.once('close', (status) => resolve([null, status]))
  })
  process.off('exit', kill)
  if (status === 0) return
  process.stderr.write(`\n${output}\n`)
  throw new SetupError(`${failure}: ${error?.message ?? 'see the lines above'}`)
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(listFiles).sort()) {
    hash.update(relative(ROOT, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

function listFiles(path) {
  const full = join(ROOT, path)
  if (!existsSync(full)) return []
  if (!/\.[^/]+$/.test(path) || path.startsWith('.')) return listFolder(full)
  return [full]
}

function listFolder(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !file.includes(`${join('/generated', '/')}`))
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

/** Loads `.env`, for Next.js and the portal alike; variables that are set already win. */
function loadEnvFile() {
  const file = join(ROOT, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}

/** The only place where a command fails: one line that says what to do. */
export async function main(work) {
  try {
    loadEnvFile()
    await work()
  } catch (error) {
    const line = error instanceof SetupError ? error.message : (error?.stack ?? String(error))
    process.stderr.write(`\n${line}\n`)
    process.exitCode = 1
  }
}
