// What `npm test` says at its end: the time of each phase, the slowest files, what failed, the count.
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from '../setup.mjs'

const BUDGETS = join(ROOT, 'e2e/budgets.json')
const SLOWEST = 10

export function createSummary() {
  const started = performance.now()
  const total = { passed: 0, failed: 0 }
  const phases = []
  const files = []
  const failures = []
  const repeated = []
  const left = []
  const count = (_phase, { passed, failed, names = [] }) => {
    total.passed += passed
    total.failed += failed
    failures.push(...names)
  }
  return {
    count,
    skipped: (name) => left.push(name),
    failed: () => total.failed > 0 || total.passed === 0,
    async timed(name, work) {
      const began = performance.now()
      await work()
      phases.push({ name, minutes: minutesSince(began) })
    },
    readVitest(name, report, status, { mayBeEmpty }) {
      const json = readReport(report)
      files.push(...(json?.testResults ?? []).map((file) => timeOf(name, file)))
      count(name, countVitest(json, status, mayBeEmpty))
    },
    /** A test that passes only at the second try is a fault of its own, and is named. */
    readPlaywright(name, report, status) {
      const json = readReport(report)
      const suites = json?.suites ?? []
      repeated.push(...suites.flatMap((suite) => titlesOf(suite, ['flaky'])))
      files.push(...suites.map((suite) => timeOfSuite(name, suite)))
      count(name, countPlaywright(json, status))
    },
    print() {
      printSlowest(files)
      printPhases(phases, minutesSince(started))
      for (const name of left) console.log(`not run: ${name}`)
      for (const name of repeated) console.log(`passed at the second try: ${name}`)
      for (const name of failures) console.log(`failed: ${name}`)
      console.log(`${total.passed} passed, ${total.failed} failed`)
    },
  }
}

function minutesSince(began) {
  return (performance.now() - began) / 60_000
}

function printSlowest(files) {
  const slowest = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
  if (slowest.length === 0) return
  console.log('\nthe slowest files, in seconds')
  for (const { phase, name, seconds } of slowest) {
    console.log(`  ${seconds.toFixed(1).padStart(6)}  ${name} (${phase})`)
  }
}

function printPhases(phases, minutes) {
  const budgets = JSON.parse(readFileSync(BUDGETS, 'utf8'))
  const parts = phases.map((phase) => `${phase.name} ${phase.minutes.toFixed(1)}`)
  console.log(`\ntotal time: ${minutes.toFixed(1)} minutes (${parts.join(', ')})`)
  for (const { name, minutes: taken } of [...phases, { name: 'total', minutes }]) {
    const budget = budgets[name]
    if (budget === undefined || taken <= budget) continue
    console.log(`over its budget: ${name} took ${taken.toFixed(1)} of ${budget} minutes`)
  }
}

function readReport(report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null
}

// ---------------------------------------------------------------- vitest

function countVitest(json, status, mayBeEmpty) {
  const passed = json?.numPassedTests ?? 0
  const names = (json?.testResults ?? []).flatMap(failedOfFile)
  // A suite that cannot be loaded has no tests to count.
  const broken = json?.success || (mayBeEmpty && status === 0) ? 0 : 1
  return { passed, failed: json?.numFailedTests || broken, names }
}

function failedOfFile({ name, status, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (failed.length > 0) return failed.map((test) => test.fullName)
  return status === 'failed' ? [relative(ROOT, name)] : []
}

function timeOf(phase, { name, startTime, endTime }) {
  return { phase, name: relative(ROOT, name), seconds: (endTime - startTime) / 1000 }
}

// ---------------------------------------------------------------- playwright

function countPlaywright(json, status) {
  if (!json) return { passed: 0, failed: 1, names: ['playwright gave no report'] }
  const { stats, errors, suites } = json
  const failed = stats.unexpected + stats.skipped + errors.length
  return {
    passed: stats.expected + stats.flaky,
    failed: failed || (status === 0 ? 0 : 1),
    names: suites.flatMap((suite) => titlesOf(suite, ['unexpected', 'skipped'])),
  }
}

/** The titles of the tests that ended so. */
function titlesOf({ title, suites = [], specs = [] }, statuses) {
  const own = specs.filter(({ tests }) => tests.some(({ status }) => statuses.includes(status)))
  return [
    ...own.map((spec) => spec.title),
    ...suites.flatMap((suite) => titlesOf(suite, statuses)),
  ].map((name) => `${title} > ${name}`)
}

function timeOfSuite(phase, suite) {
  return { phase, name: `e2e/browser/${suite.title}`, seconds: millisecondsOf(suite) / 1000 }
}

function millisecondsOf({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results))
  const inner = suites.reduce((sum, suite) => sum + millisecondsOf(suite), 0)
  return own.reduce((sum, { duration }) => sum + duration, inner)
}
