// npm test: installs what it needs and runs the checks that every change has to pass.
//   npm test -- -t WORDS         only tests whose title contains the words
//   npm test -- --changed [REV]  the checks, and the tests that the changes since REV (HEAD) can reach
//   npm test -- --all            everything: both databases, thorough tests, samples, the newest Node
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main, prepareTests, ROOT, SetupError } from './setup.mjs'
import { startDatabases } from './test/databases.mjs'
import { newestNode } from './test/newest-node.mjs'
import { createSummary } from './test/summary.mjs'

const RESULTS = join(ROOT, 'e2e/results')
const USAGE = `usage: npm test
       npm test -- -t "words of a test title"
       npm test -- --changed [REV]
       npm test -- --all`

/** Also for the workers, which inherit it: more memory for the young saves a tenth of the CPU time. */
const MEMORY = '--max-semi-space-size=64'
const VITEST = [MEMORY, 'node_modules/vitest/vitest.mjs', 'run', '--config', 'e2e/vitest.config.ts']
const PLAYWRIGHT = ['node_modules/@playwright/test/cli.js', 'test', '--config']
const FIND_BROWSER =
  "import('./bin/chromium.mjs').then(async (m) => console.log(await m.findChromium()))"

const summary = createSummary()
/** Made while the first parts run, which need none. */
let databases

await main(async () => {
  const wanted = readArguments(process.argv.slice(2))
  await summary.timed('set-up', prepareTests)
  rmSync(RESULTS, { recursive: true, force: true })
  mkdirSync(RESULTS, { recursive: true })
  await inTemporaryFolder(() => withDatabases(() => runWanted(wanted)))
  summary.print()
  if (summary.failed()) process.exitCode = 1
})

function readArguments([first, second, ...rest]) {
  if (first === undefined) return { pattern: null }
  if (rest.length > 0) throw new SetupError(USAGE)
  if (first === '-t' && second !== undefined) return { pattern: second }
  if (first === '--changed') return { pattern: null, since: second ?? 'HEAD' }
  if (first === '--all' && second === undefined) return { pattern: null, all: true }
  throw new SetupError(USAGE)
}

/** Everything that the tests write goes when they are done. */
async function inTemporaryFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  // PostgreSQL does not run as root, but as a user of its own, who needs a place here too.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  try {
    await work()
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function withDatabases(work) {
  databases = startDatabases(RESULTS)
  try {
    await work()
  } finally {
    await databases.stop()
  }
}

function runWanted({ pattern, since, all }) {
  if (since) return runChanged(since)
  return all ? runAll() : runUsual(pattern)
}

/** What needs no build runs beside the build and what follows it. */
async function runUsual(pattern) {
  await beside(
    async () => {
      if (!pattern) await checks()
      await vitest('unit', { pattern })
    },
    async () => {
      const chromium = await buildAndFindBrowser()
      await vitest('http', { pattern })
      await playwright('browser', chromium, { pattern })
    },
  )
}

async function runAll() {
  process.env.THOROUGH = '1'
  await runUsual(null)
  const chromium = await findBrowser()
  await vitest('thorough', {})
  await playwright('browser-thorough', chromium, {})
  await onNewestNode()
  await samples()
}

async function onNewestNode() {
  const node = await newestNode()
  if (node === null) return summary.skipped('unit and http on the newest long-term Node')
  await vitest('unit', { node, name: `unit on Node ${node.version}` })
  await vitest('http', { node, name: `http on Node ${node.version}` })
}

/** The programs of others that the quick starts and the guides show. */
async function samples() {
  const status = await run('samples', process.execPath, ['bin/samples.mjs'])
  summary.count('samples', status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
}

async function runChanged(since) {
  // It parses with a package, and a fresh clone has none before set-up.
  const { reachedByChanges } = await import('./test/changed.mjs')
  const { files, tests, specs, pages } = reachedByChanges(ROOT, since)
  if (files.length === 0) throw new SetupError(`nothing has changed since ${since}`)
  console.log(`changed since ${since}: ${files.join(', ')}`)
  await beside(
    async () => {
      await checks()
      if (tests.length > 0) await vitest('unit', { files: tests })
    },
    async () => {
      if (specs.length === 0) return
      const chromium = await buildAndFindBrowser()
      const usual = specs.filter((path) => !path.includes('/thorough/'))
      const thorough = specs.filter((path) => path.includes('/thorough/'))
      const env = { ONLY_PAGES: pages.join(' ') }
      if (usual.length > 0) await playwright('browser', chromium, { files: usual, env })
      // They are written for --all, which loads the fonts too.
      const all = { THOROUGH: '1' }
      if (thorough.length > 0)
        await playwright('browser-thorough', chromium, { files: thorough, env: all })
    },
  )
}

/** Both to their end, also if one of them throws. */
async function beside(...works) {
  const ended = await Promise.allSettled(works.map((work) => work()))
  const broken = ended.find(({ status }) => status === 'rejected')
  if (broken) throw broken.reason
}

async function buildAndFindBrowser() {
  const browser = findBrowser()
  await summary.timed('build', async () => {
    const status = await run('build', process.execPath, ['bin/build.mjs'])
    if (status !== 0) throw new SetupError('the build failed: see the lines above')
  })
  return browser
}

async function findBrowser() {
  let found = ''
  const status = await run('browser', process.execPath, ['-e', FIND_BROWSER], {}, (text) => {
    found += text
  })
  const chromium = found.trim().split('\n').at(-1) ?? ''
  if (status === 0 && existsSync(chromium)) return chromium
  throw new SetupError(
    'no browser for the tests: install Chromium or Chrome (Debian: apt-get install -y chromium) and run npm test again',
  )
}

function checks() {
  return summary.timed('checks', async () => {
    await check('format and lint', [
      'node_modules/@biomejs/biome/bin/biome',
      'check',
      '--error-on-warnings',
      '.',
    ])
    await check('types', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'])
  })
}

async function check(name, args) {
  const status = await run(name, process.execPath, args)
  const count = status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, names: [name] }
  summary.count('checks', count)
}

function vitest(project, { pattern, files = [], node, name = project }) {
  return summary.timed(name, async () => {
    const report = join(RESULTS, `${name.replaceAll(' ', '-')}.json`)
    const args = [...VITEST, '--project', project, '--reporter=default', '--reporter=json']
    args.push(`--outputFile=${report}`, ...files)
    if (pattern) args.push('-t', escapeRegex(pattern), '--passWithNoTests')
    const env = { E2E_DATABASES: await databases.made() }
    const status = await run(name, node?.path ?? process.execPath, args, env)
    summary.readVitest(name, report, status, { mayBeEmpty: Boolean(pattern) })
  })
}

function playwright(name, chromium, { pattern, files = [], env = {} }) {
  return summary.timed(name, async () => {
    const report = join(RESULTS, `${name}.json`)
    const args = [...PLAYWRIGHT, 'e2e/playwright.config.ts', '--project', name]
    args.push('--reporter=list,json', ...files)
    if (pattern) args.push('--grep', escapeRegex(pattern), '--pass-with-no-tests')
    const own = { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...env }
    const status = await run(name, process.execPath, args, own)
    summary.readPlaywright(name, report, status)
  })
}

/**
 * Several parts run at once, so each part's output is printed in one piece when it ends. Tests set
 * their own environment: variables of the caller's shell must not leak in.
 */
function run(name, command, args, env = {}, listen = () => {}) {
  const { PORT, ISSUER, DATABASE_URL, DATA_DIR, GATEHOUSE_SECRET, GATEHOUSE_MODE, ...rest } =
    process.env
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...rest, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const keep = (chunk) => {
      output += chunk
      listen(String(chunk))
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('close', (status) => {
      console.log(`\n--- ${name}\n${output}`)
      resolve(status)
    })
  })
}

function escapeRegex(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
