// npm test: installs what it needs and runs every check. `npm test -- -t WORDS` runs only the
// matching tests.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { findChromium } from './chromium.mjs'
import { build, main, prepare, ROOT, SetupError, step } from './setup.mjs'

const RESULTS = join(ROOT, 'e2e/results')
const total = { passed: 0, failed: 0 }
/** Where the time went: one entry for each part. */
const minutes = []
const failures = []
/** A test that passes only now and then is a fault of its own: it is named until it is mended. */
const repeated = []

await main(async () => {
  const pattern = readPattern(process.argv.slice(2))
  const started = performance.now()
  await timed('set-up and build', async () => {
    await prepare()
    await step('build', build)
  })
  let chromium = ''
  await step('browser', async () => {
    chromium = await findChromium()
    return chromium
  })
  rmSync(RESULTS, { recursive: true, force: true })
  mkdirSync(RESULTS, { recursive: true })
  await inTemporaryFolder(async () => {
    if (!pattern) await timed('checks', runChecks)
    await timed('unit', () => runVitest('unit', pattern))
    await timed('http', () => runVitest('http', pattern))
    await timed('browser', () => runPlaywright(chromium, pattern))
  })
  console.log(`\ntotal time: ${minutesSince(started)} minutes (${minutes.join(', ')})`)
  for (const name of repeated) console.log(`passed at the second try: ${name}`)
  for (const name of failures) console.log(`failed: ${name}`)
  console.log(`${total.passed} passed, ${total.failed} failed`)
  if (total.failed > 0 || total.passed === 0) process.exitCode = 1
})

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

async function timed(name, part) {
  const started = performance.now()
  await part()
  minutes.push(`${name} ${minutesSince(started)}`)
}

function minutesSince(started) {
  return ((performance.now() - started) / 60_000).toFixed(1)
}

function readPattern(args) {
  if (args.length === 0) return null
  if (args.length === 2 && args[0] === '-t') return args[1]
  throw new SetupError('usage: npm test, or npm test -- -t "words of a test title"')
}

function runChecks() {
  check('format and lint', [
    'node_modules/@biomejs/biome/bin/biome',
    'check',
    '--error-on-warnings',
    '.',
  ])
  check('types', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'])
}

function check(name, args) {
  heading(name)
  const { status } = node(args)
  count(status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, names: [name] })
}

function runVitest(project, pattern) {
  heading(`vitest: ${project}`)
  const report = join(RESULTS, `${project}.json`)
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'e2e/vitest.config.ts']
  args.push('--project', project, '--reporter=default', '--reporter=json', `--outputFile=${report}`)
  if (pattern) args.push('-t', escapeRegex(pattern), '--passWithNoTests')
  const { status } = node(args)
  countReport(report, status, (json) => ({
    passed: json.numPassedTests,
    // A suite that cannot be loaded has no tests to count.
    failed: json.numFailedTests || (json.success || pattern ? 0 : 1),
    names: json.testResults.flatMap(failedOfFile),
  }))
}

function failedOfFile({ name, status, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (failed.length > 0) return failed.map((test) => test.fullName)
  return status === 'failed' ? [relative(ROOT, name)] : []
}

function runPlaywright(chromium, pattern) {
  heading('playwright')
  const report = join(RESULTS, 'playwright.json')
  const args = [
    'node_modules/@playwright/test/cli.js',
    'test',
    '--config',
    'e2e/playwright.config.ts',
  ]
  args.push('--reporter=list,json')
  if (pattern) args.push('--grep', escapeRegex(pattern), '--pass-with-no-tests')
  const env = { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report }
  const { status } = node(args, env)
  countReport(report, status, ({ stats, errors, suites }) => {
    repeated.push(...suites.flatMap((suite) => titlesOf(suite, ['flaky'])))
    return {
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected + stats.skipped + errors.length,
      names: suites.flatMap((suite) => titlesOf(suite, ['unexpected', 'skipped'])),
    }
  })
}

/** The titles of the tests that ended so. */
function titlesOf({ title, suites = [], specs = [] }, statuses) {
  const own = specs.filter(({ tests }) => tests.some(({ status }) => statuses.includes(status)))
  return [
    ...own.map((spec) => spec.title),
    ...suites.flatMap((suite) => titlesOf(suite, statuses)),
  ].map((name) => `${title} > ${name}`)
}

function countReport(report, status, read) {
  const counted = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : null
  const silent = status !== 0 && !counted?.failed
  count({ passed: 0, failed: 0, ...counted, ...(silent && { failed: 1 }) })
}

function node(args, env = {}) {
  // Tests set their own environment; variables of the caller's shell must not leak in.
  const { PORT, ISSUER, DATABASE_URL, DATA_DIR, GATEHOUSE_SECRET, GATEHOUSE_MODE, ...rest } =
    process.env
  return spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...rest, ...env },
  })
}

function count({ passed, failed, names = [] }) {
  total.passed += passed
  total.failed += failed
  failures.push(...names)
}

function heading(name) {
  console.log(`\n--- ${name}`)
}

function escapeRegex(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
