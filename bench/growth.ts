import { writeFileSync } from 'node:fs'
import { deriveKey, secretHasher } from '../lib/crypto/secrets'
import type { DatabaseKind } from '../lib/store/database/connection'
import { openDatabase } from '../lib/store/database/database'
import { type Contents, contentsOf, filled, type KeptFill, OWNER } from './fill'
import { type Line, lineTo } from './load'
import { machineLines } from './machine'
import { type Effort, type Figure, measure } from './measure'
import { type PageCost, visitPages } from './pages'
import { portalDialect, SECRET, signIn, signInAs, startPortal, type World } from './portal'
import { userId } from './seed'
import type { ServerUnderTest } from './server'
import { measureStart, type Start } from './start'
import { type Contender, GROWING } from './works'

/**
 * npm run bench -- --part=growth --size=10000000: databases of ten users, a thousand, and so on up to
 * that size (SQLite: up to a million), each beside the smallest one, in turns. --from=1000000 leaves
 * out what is smaller, --on=postgres the other database.
 */

const SIZES = [10, 1_000, 100_000, 1_000_000, 10_000_000]
const MAX_SQLITE = 1_000_000
const RESULTS = 'bench/growth.md'
/** What requests are spread over: those who are there today, not everybody who ever came. */
const PRESENT = 1_000
const MAX_SERVED = 1_000_000
const AT_ONCE = 50
const BATCH_MS = 250
const CRON_SECRET = 'mK3tQ8w-only-this-bench-will-ever-use-it-5Zr'

export type GrowthResult = {
  size: number
  contents: Contents
  start: Start
  /** CPU of one request in ms: here, and with the smallest database in the same rounds. */
  hot: Map<string, { here: Figure; smallest: Figure }>
  served: { users: number; rssMb: number }
  pages: PageCost[]
  cleanUp: CleanUp
  /** Plans that took longer than a second. */
  slowPlans: string[]
}

type CleanUp = { removed: number; seconds: number; beside: { p50: number; p99: number } }

export async function growTo(largest: number, effort: Effort): Promise<void> {
  const only = optionOf('on')
  const from = Number(optionOf('from') ?? 0)
  const lines: string[] = [
    HEAD,
    machineLines('')
      .map((line) => `- ${line}`)
      .join('\n'),
  ]
  for (const provider of ['postgres', 'sqlite'] as const) {
    if (only !== undefined && only !== provider) continue
    const most = provider === 'sqlite' ? Math.min(MAX_SQLITE, largest) : largest
    const [smallest = 0, ...larger] = SIZES
    const sizes = [smallest, ...larger.filter((size) => size >= from && size <= most)]
    lines.push(...(await growOn(provider, sizes, effort)))
    writeFileSync(RESULTS, `${lines.join('\n\n')}\n`)
  }
  process.stdout.write(`\nwritten to ${RESULTS}\n`)
}

function optionOf(name: string): string | undefined {
  const prefix = `--${name}=`
  return process.argv.find((arg) => arg.startsWith(prefix))?.slice(prefix.length)
}

async function growOn(provider: DatabaseKind, sizes: number[], effort: Effort): Promise<string[]> {
  const [smallest = 10] = sizes
  const least = await filled(provider, smallest)
  const grown: GrowthResult[] = []
  try {
    for (const size of sizes) {
      process.stdout.write(`\n${provider}, ${spaced(size)} users\n`)
      const kept = size === smallest ? least : await filled(provider, size)
      grown.push(await measureSize(kept, least, effort))
      if (size !== smallest) await kept.stop()
      process.stdout.write(`${tableOf(grown)}\n`)
    }
  } finally {
    await least.stop()
  }
  const name = provider === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  return [`## ${name}`, tableOf(grown), ...detailsOf(grown)]
}

// ---------------------------------------------------------------- one size

async function measureSize(kept: KeptFill, least: KeptFill, effort: Effort): Promise<GrowthResult> {
  const world = await worldOf(kept)
  const start = await measureStart(world, 1)
  const hot = await measureHot(world, kept === least ? world : await worldOf(least), effort)
  const retained = { CRON_SECRET, AUDIT_RETENTION_DAYS: '365' }
  const served = await startPortal(world, { env: retained })
  const line = lineTo([served.port])
  try {
    // First, because the pages bring their own memory.
    const everybody = await serveEverybody(kept.size, world, served, line)
    const pages = await visitPages(served, await ownerCookie(kept))
    const cleanUp = await cleanUpWhileServing(kept, world, served, line)
    return {
      size: kept.size,
      contents: contentsOf(kept.size),
      start,
      hot,
      pages,
      cleanUp,
      served: everybody,
      slowPlans: slowPlansIn(kept.log),
    }
  } finally {
    line.close()
    await served.stop()
  }
}

async function worldOf({ url, folder, size, clientSecret }: KeptFill): Promise<World> {
  const db = await openDatabase(url)
  const cookies = await signIn(db, secretHasher(deriveKey(SECRET, 'pepper')), size)
  await db.$disconnect()
  const present = Math.min(PRESENT, contentsOf(size).machines)
  return { url, folder, size: present, machines: present, clientSecret, cookies }
}

async function ownerCookie({ url }: KeptFill): Promise<string> {
  const db = await openDatabase(url)
  const cookie = await signInAs(db, secretHasher(deriveKey(SECRET, 'pepper')), OWNER)
  await db.$disconnect()
  return cookie
}

async function contenderOf(
  name: string,
  world: World,
): Promise<Contender & { stop: ServerUnderTest['stop'] }> {
  const served = await startPortal(world)
  const line = lineTo([served.port])
  const dialect = portalDialect(world)
  const { usage, stop } = served
  return { name, line, dialect, behindMs: BATCH_MS, processes: 1, served: [served], usage, stop }
}

async function measureHot(
  world: World,
  least: World,
  effort: Effort,
): Promise<GrowthResult['hot']> {
  const sides = [await contenderOf('smallest', least), await contenderOf('here', world)]
  const hot: GrowthResult['hot'] = new Map()
  try {
    for (const row of GROWING) {
      const works = sides.flatMap((side) => row.work(side) ?? [])
      const [smallest, here] = await measure(works, effort)
      if (smallest && here) hot.set(row.id, { here, smallest })
    }
  } finally {
    for (const { line, stop } of sides) {
      line.close()
      await stop()
    }
  }
  return hot
}

/** A check about every user there is, or about a million of them. */
async function serveEverybody(
  size: number,
  world: World,
  served: ServerUnderTest,
  line: Line,
): Promise<GrowthResult['served']> {
  const { checkToken } = portalDialect(world)
  if (!checkToken) throw new Error('the portal answers checks')
  const [answer] = (await line.send([checkToken])).answers
  const token = JSON.parse(answer?.body ?? '').access_token
  const users = Math.min(MAX_SERVED, size)
  for (let from = 0; from < users; from += AT_ONCE * 200) {
    const batches = Math.ceil(Math.min(AT_ONCE * 200, users - from) / AT_ONCE)
    await line.send(
      Array.from({ length: batches }, (_, at) => checksOf(from + at * AT_ONCE, users, token)),
    )
  }
  const { rssMb } = await served.usage()
  return { users, rssMb }
}

function checksOf(from: number, until: number, token: string) {
  const count = Math.min(AT_ONCE, until - from)
  const checks = Array.from({ length: count }, (_, at) => ({
    user: userId(from + at),
    permission: 'bench:item0',
  }))
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...HOST }
  const path = '/api/v1/permissions/check:batch'
  return { method: 'POST' as const, path, headers, body: JSON.stringify({ checks }) }
}

const HOST = { host: 'id.bench.example' }

const TOKENS_BESIDE = 100

/** A tenth of what lives is over at once, and a month of the audit log; tokens are issued meanwhile. */
async function cleanUpWhileServing(
  kept: KeptFill,
  world: World,
  { port }: ServerUnderTest,
  line: Line,
): Promise<CleanUp> {
  await endSome(kept)
  const { token } = portalDialect(world)
  const latencies: number[] = []
  let isDone = false
  const started = performance.now()
  const work = fetch(`http://127.0.0.1:${port}/api/scheduled`, {
    headers: { ...HOST, authorization: `Bearer ${CRON_SECRET}` },
  }).finally(() => {
    isDone = true
  })
  while (!isDone) {
    const asks = Array.from({ length: TOKENS_BESIDE }, (_, at) => token(at))
    latencies.push(...(await line.send(asks)).latenciesMs)
  }
  const { done } = (await (await work).json()) as { done: Record<string, number> }
  const sorted = latencies.toSorted((a, b) => a - b)
  const quantile = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0
  return {
    removed: (done.rowsRemoved ?? 0) + (done.auditRemoved ?? 0),
    seconds: (performance.now() - started) / 1000,
    beside: { p50: quantile(0.5), p99: quantile(0.99) },
  }
}

async function endSome({ url, size }: KeptFill): Promise<void> {
  const some = Math.ceil(contentsOf(size).live / 10)
  const db = await openDatabase(url, { longestQueryMs: 10 * 60 * 1000 })
  const expiresAt = new Date(Date.now() - 100 * 24 * 60 * 60 * 1000)
  const open = await db.tokenGrant.findMany({
    where: { expiresAt: { gt: new Date() }, id: { startsWith: 'tgr_bench_' } },
    select: { id: true, sessionId: true },
    take: some,
  })
  for (let at = 0; at < open.length; at += 500) {
    const part = open.slice(at, at + 500)
    const ids = part.map(({ id }) => id)
    const sessions = part.flatMap(({ sessionId }) => sessionId ?? [])
    await db.tokenGrant.updateMany({ where: { id: { in: ids } }, data: { expiresAt } })
    await db.session.updateMany({ where: { id: { in: sessions } }, data: { expiresAt } })
  }
  await db.$disconnect()
}

/** auto_explain prints the plan behind the statement and its duration. */
function slowPlansIn(log: readonly string[]): string[] {
  return log
    .join('')
    .split(/(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/)
    .filter((entry) => entry.includes('plan:'))
    .map((entry) => entry.slice(0, 2_000))
}

// ---------------------------------------------------------------- as tables

const HEAD = `# What grows with the number of users

Written by \`npm run bench -- --part=growth --size=10000000\`. Each size has an application for every ten users (at least one for each of the first thousand), as many live sessions and token grants, a space with a hundred roles for every ten thousand users (at most 1 000 spaces), a group of up to 100 000 for every million, a user with up to 10 000 assignments, an application with up to 1 000 access keys, and five audit entries a user over thirteen months. Hot requests are spread over a thousand applications and users; each figure is divided by that of the smallest database in the same rounds.`

const GOALS = { startMs: 3_000, idleMb: 250, servedMb: 400, times: 1.2 }
/** What two equal portals differ by on a busy machine. */
const NOISE = 1.05

function tableOf(grown: GrowthResult[]): string {
  const works = GROWING.map(({ id }) => id)
  const head = [
    ...['users', 'to the first token', 'idle', 'after all were served'],
    ...works.map((id) => `${id}, ms (ratio)`),
    ...['slowest admin page', 'rows removed while serving'],
  ]
  const lines = grown.map(({ size, start, served, hot, pages, cleanUp }) => [
    spaced(size),
    goal(`${(start.tokenMs / 1000).toFixed(2)} s`, start.tokenMs <= GOALS.startMs),
    goal(`${start.rssMb.toFixed(0)} MB`, start.rssMb <= GOALS.idleMb),
    goal(`${served.rssMb.toFixed(0)} MB`, served.rssMb <= GOALS.servedMb),
    ...works.map((id) => hotCell(hot.get(id))),
    slowestOf(pages),
    `${spaced(cleanUp.removed)} in ${cleanUp.seconds.toFixed(1)} s; a token meanwhile ${cleanUp.beside.p50.toFixed(1)} / ${cleanUp.beside.p99.toFixed(0)} ms`,
  ])
  return [head, head.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function goal(text: string, isMet: boolean): string {
  return isMet ? text : `**${text}**`
}

function hotCell(costs: { here: Figure; smallest: Figure } | undefined): string {
  if (!costs) return '-'
  const ratio = costs.here.cpuMs / costs.smallest.cpuMs
  return goal(`${costs.here.cpuMs.toFixed(2)} (${ratio.toFixed(2)})`, ratio <= GOALS.times * NOISE)
}

function slowestOf(pages: PageCost[]): string {
  const [slowest] = pages.toSorted((a, b) => b.wallMs - a.wallMs)
  return slowest ? `\`${slowest.path}\` ${slowest.wallMs.toFixed(0)} ms` : '-'
}

function detailsOf(grown: GrowthResult[]): string[] {
  const paths = [...new Set(grown.flatMap(({ pages }) => pages.map(({ path }) => path)))]
  const head = ['page, wall ms (CPU ms)', ...grown.map(({ size }) => spaced(size))]
  const lines = paths.map((path) => [
    `\`${path}\``,
    ...grown.map(({ pages }) => pageCell(pages.find((page) => page.path === path))),
  ])
  const slow = grown.flatMap(({ size, slowPlans }) =>
    slowPlans.map((plan) => `${spaced(size)} users:\n\n\`\`\`text\n${plan}\n\`\`\``),
  )
  return [
    `Plans that took longer than a second: ${slow.length === 0 ? 'none.' : slow.length}`,
    ...slow.slice(0, 10),
    [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
  ]
}

function pageCell(page: PageCost | undefined): string {
  if (!page) return '-'
  if (page.status !== 200) return `**${page.status}**`
  return `${page.wallMs.toFixed(0)} (${page.cpuMs.toFixed(0)})`
}

function spaced(count: number): string {
  return count.toLocaleString('en').replaceAll(',', ' ')
}
