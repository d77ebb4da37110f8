import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callApi, machineToken } from '../../support/api'
import { runCommand } from '../../support/command'
import { aliceAtWeb, exchange, getCode, webRequest } from '../../support/flow'
import { OldBrowser } from '../../support/old-browser'
import { type Portal, startPortal } from '../../support/portal'
import type { Arena, Part } from '../arena'
import { type Line, newTally, type Tally } from '../report'
import { type PauseWatch, watchPauses } from './pauses'

/**
 * Users sign in while an admin makes thousands of changes. Nobody is refused, and nobody waits more
 * than 500 ms longer than the slowest did before. The time in which the machine stood still counts
 * for nobody.
 */

const CHANGES = 5_000
const QUICK_CHANGES = 300
const MAX_WAIT_MS = 500
const BEFORE_MS = 10_000
/** So many users are on their way at the same time. */
const USERS = 3
const THINKING_MS = 20
/** The most that one call changes. */
const BATCH = 200

export const changes: Part = async (arena) => {
  const lines: Line[] = []
  for (const [what, change] of Object.entries(WAYS)) {
    if (arena.wants(what)) lines.push(await beside(arena, what, change))
  }
  return lines
}

type Change = (portal: Portal, count: number) => Promise<string | null>

/** What an admin does; null if it was done, otherwise what was said instead. */
const WAYS: Record<string, Change> = {
  apply: (portal, count) => applied(portal, { users: usersOf(count) }),
  'dry run': (portal, count) => applied(portal, { users: usersOf(count) }, '--dry-run'),
  'sent document': async (portal, count) => {
    const document = { version: 1, users: usersOf(count) }
    const token = await machineToken(portal)
    const { status, raw } = await callApi(portal, token, 'POST', '/configuration', document)
    return status === 200 ? null : `${status} ${raw}`
  },
  'users:batch': changedInBatches,
}

function usersOf(count: number) {
  return Array.from({ length: count }, (_, at) => ({ username: `worker${at}`, name: `W ${at}` }))
}

async function applied(portal: Portal, document: object, ...options: string[]) {
  const file = join(portal.dataDir, 'document.json')
  writeFileSync(file, JSON.stringify({ version: 1, ...document }))
  const env = { ...portal.env, ISSUER: portal.origin }
  const { status, said } = await runCommand(env, 'apply', file, ...options)
  return status === 0 ? null : said
}

async function changedInBatches(portal: Portal, count: number): Promise<string | null> {
  const failed = await applied(portal, { users: usersOf(count) })
  if (failed !== null) return failed
  const token = await machineToken(portal)
  for (let at = 0; at < count; at += BATCH) {
    const users = usersOf(count)
      .slice(at, at + BATCH)
      .map(({ username }) => username)
    const body = { do: 'delete', users }
    const { status, raw } = await callApi(portal, token, 'POST', '/users:batch', body)
    if (status !== 200) return `${status} ${raw}`
  }
  return null
}

async function beside(arena: Arena, what: string, change: Change): Promise<Line> {
  const count = arena.quick ? QUICK_CHANGES : CHANGES
  const tally = newTally('changes', `${what}, ${count} changes`, arena.kind)
  const env = { DATABASE_URL: await arena.emptyDatabase(), LOG_LEVEL: 'silent' }
  const portal = await startPortal({ args: ['--demo'], env })
  const pauses = watchPauses()
  try {
    const before = await measured(portal, () => sleep(BEFORE_MS).then(() => null))
    const during = await measured(portal, () => change(portal, count))
    tally.rounds = during.spans.length
    arena.say(`${what}: before: ${told(before)}`)
    arena.say(`${what}: ${count} changes in ${(during.ms / 1000).toFixed(1)} s: ${told(during)}`)
    arena.say(`${what}: the machine stood still for ${(pauses.totalMs() / 1000).toFixed(1)} s`)
    check(tally, before, during, pauses)
  } finally {
    pauses.stop()
    await portal.stop()
  }
  return tally
}

/** When a sign-in began and when it was done. */
type Span = { from: number; to: number }
type Measured = { spans: Span[]; failures: string[]; ms: number; said: string | null }

function check(tally: Tally, before: Measured, during: Measured, pauses: PauseWatch): void {
  tally.check(during.said === null, `the change was not made: ${during.said}`)
  for (const failure of during.failures) tally.check(false, `a sign-in failed: ${failure}`)
  const slowest = ({ spans }: Measured) =>
    spans.reduce((most, { from, to }) => Math.max(most, pauses.net(from, to)), 0)
  const waited = slowest(during) - slowest(before)
  tally.check(waited <= MAX_WAIT_MS, `a sign-in waited ${Math.round(waited)} ms longer`)
  tally.check(during.spans.length > 0, 'nobody signed in meanwhile')
}

function told({ spans, failures }: Measured): string {
  const sorted = spans.map(({ from, to }) => to - from).sort((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  return `${spans.length} sign-ins and code flows, median ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms, ${failures.length} failures`
}

/** One user signs in with the password, the others have a session, until the work is done. */
async function measured(portal: Portal, work: () => Promise<string | null>): Promise<Measured> {
  const users = await Promise.all(Array.from({ length: USERS }, () => aliceAtWeb(portal)))
  const found: Measured = { spans: [], failures: [], ms: 0, said: null }
  let isDone = false
  const started = performance.now()
  const onTheirWay = users.map((browser, at) =>
    goThrough(
      at === 0 ? () => signIn(portal) : () => codeFlow(portal, browser),
      found,
      () => isDone,
    ),
  )
  found.said = await work().catch(String)
  found.ms = performance.now() - started
  isDone = true
  await Promise.all(onTheirWay)
  return found
}

async function goThrough(step: () => Promise<void>, found: Measured, isDone: () => boolean) {
  while (!isDone()) {
    const from = Date.now()
    try {
      await step()
      found.spans.push({ from, to: Date.now() })
    } catch (error) {
      found.failures.push(String(error))
    }
    await sleep(THINKING_MS)
  }
}

async function codeFlow(portal: Portal, browser: OldBrowser): Promise<void> {
  const code = await getCode(browser, webRequest(portal.demo()))
  const { status, body } = await exchange(portal, code)
  if (status !== 200) throw new Error(`the exchange answered ${status} ${body}`)
}

async function signIn(portal: Portal): Promise<void> {
  const [, bob] = portal.demo().users
  const browser = new OldBrowser(portal.origin)
  const page = await browser.signIn(
    await browser.open('/login'),
    bob ?? { email: '', password: '' },
  )
  if (page.status !== 200 || page.url.includes('/login')) {
    throw new Error(`the sign-in ended at ${page.url} with ${page.status}`)
  }
}
