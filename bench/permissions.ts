import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPermission } from '../lib/access/check'
import type { Context } from '../lib/access/policy'
import { deriveKey, newId, secretHasher } from '../lib/crypto/secrets'
import { portalApi } from '../lib/portal-api'
import { type Database, openDatabase } from '../lib/store/database'
import { migrate } from '../lib/store/migrations'
import { bumpPolicyVersion } from '../lib/store/policy-version'
import { grantsOfRole, replaceRoleGrants } from '../lib/store/roles'
import { type HouseSnapshot, loadSnapshot, renewSnapshot } from '../lib/store/snapshot'
import { CLIENT, itemKey, type Size, seed, seedClient, userId } from './seed'
import { type Served, serve } from './server'

/**
 * How a permission check grows. Both worlds stand in this process and are asked in turn, so that
 * whatever else the machine does happens to both; costs are CPU time, and the ratio is what counts.
 */

const quick = process.argv.includes('--quick')
const SMALL: Size = { users: 1_000, roles: 1_000, permissions: 5_000 }
const LARGE: Size = { ...SMALL, users: quick ? 20_000 : 100_000 }
const CHECKS = quick ? 100_000 : 400_000
const ROUNDS = 9
const LARGE_ROLE = 9_000
const REQUESTS = quick ? 1_000 : 4_000
const SECRET = 'a secret that only this bench will ever use'
const OWN = portalApi('http://localhost:3000')

type World = {
  size: Size
  db: Database
  url: string
  snapshot: HouseSnapshot
  megabytes: number
  folder: string
}

async function world(size: Size): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const url = `file:${join(folder, 'bench.db')}`
  await migrate(url)
  const db = await openDatabase(url)
  await seed(db, size)
  await seedClient(db, secretHasher(deriveKey(SECRET, 'pepper')))
  const before = heap()
  const snapshot = await loadSnapshot(db, OWN)
  return { size, db, url, snapshot, megabytes: (heap() - before) / 1e6, folder }
}

function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

const CONTEXT: Context = {
  request: { time: new Date() },
  client: {},
  resource: {},
  user: {},
  auth: {},
  subject: {},
  action: {},
}

/** Microseconds of CPU for one check, over users and items in no order that a cache would like. */
function costOf({ size, snapshot }: World, count: number): number {
  const questions = Array.from({ length: 1_000 }, (_, at) => ({
    subject: { kind: 'user' as const, id: userId((at * 7_919) % size.users) },
    permission: itemKey((at * 31) % size.permissions),
    instance: null,
    context: CONTEXT,
  }))
  const started = process.cpuUsage()
  for (let at = 0; at < count; at += 1) {
    const question = questions[at % questions.length]
    if (question) checkPermission(snapshot.policy, question)
  }
  const { user, system } = process.cpuUsage(started)
  return (user + system) / count
}

/** Milliseconds of the server's CPU for one POST /api/v1/permissions/check, asked in turn. */
async function costsOverHttp(worlds: World[]): Promise<number[][]> {
  const servers: Asked[] = []
  for (const one of worlds) servers.push(await asked(one))
  const costs = worlds.map((): number[] => [])
  for (const server of servers) await askMany(server, REQUESTS / 4) // warm
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, server] of servers.entries()) {
      const before = server.served.cpuSeconds()
      await askMany(server, Math.ceil(REQUESTS / ROUNDS))
      const spent = server.served.cpuSeconds() - before
      costs[at]?.push((spent * 1000) / Math.ceil(REQUESTS / ROUNDS))
    }
  }
  for (const { served } of servers) served.stop()
  return costs
}

type Asked = { served: Served; size: Size; headers: Record<string, string> }

async function asked({ url, folder, size }: World): Promise<Asked> {
  const served = await serve({
    DATABASE_URL: url,
    DATA_DIR: folder,
    GATEHOUSE_SECRET: SECRET,
    GATEHOUSE_MODE: 'development',
  })
  const fields = {
    grant_type: 'client_credentials',
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
  }
  const answer = await served.ask('/oidc/token', new URLSearchParams(fields).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })
  const { access_token } = JSON.parse(answer)
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${access_token}`,
  }
  return { served, size, headers }
}

async function askMany({ served, size, headers }: Asked, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const user = userId((at * 7_919) % size.users)
    const body = JSON.stringify({ user, permission: itemKey((at * 31) % size.permissions) })
    await served.ask('/api/v1/permissions/check', body, headers)
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** The longest time in which nothing else could run, while `work` ran. */
async function longestPause(work: () => Promise<unknown>): Promise<{ ms: number; pause: number }> {
  let last = performance.now()
  let pause = 0
  const timer = setInterval(() => {
    pause = Math.max(pause, performance.now() - last)
    last = performance.now()
  }, 1)
  const started = performance.now()
  await work()
  clearInterval(timer)
  return { ms: performance.now() - started, pause: Math.max(pause, performance.now() - last) }
}

async function renewal(large: World) {
  await large.db.$transaction(async (tx) => {
    await tx.assignment.deleteMany({ where: { userId: userId(1) } })
    await bumpPolicyVersion(tx, [{ kind: 'user', id: userId(1) }])
  })
  return longestPause(() => renewSnapshot(large.db, OWN, large.snapshot))
}

async function largeRole({ db }: World) {
  const id = 'rol_bench_0'
  const grants = Array.from({ length: LARGE_ROLE }, (_, at) => ({
    id: newId('grn'),
    pattern: `bench:item${at}`,
    effect: 'allow',
    condition: null,
    validFrom: null,
    validUntil: null,
  }))
  const written = await longestPause(() =>
    db.$transaction((tx) => replaceRoleGrants(tx, id, grants, new Date())),
  )
  let read = 0
  const took = await longestPause(async () => {
    read = (await grantsOfRole(db, id)).length
  })
  return { written: written.ms, took: took.ms, read }
}

function line(what: string, ...values: (string | number)[]): void {
  const shown = values.map((value) => (typeof value === 'number' ? value.toFixed(2) : value))
  process.stdout.write(`| ${[what, ...shown].join(' | ')} |\n`)
}

const small = await world(SMALL)
const large = await world(LARGE)
for (const one of [small, large]) costOf(one, CHECKS / 10) // warm
const costs = { small: [] as number[], large: [] as number[] }
for (let round = 0; round < ROUNDS; round += 1) {
  costs.small.push(costOf(small, CHECKS / ROUNDS))
  costs.large.push(costOf(large, CHECKS / ROUNDS))
}
const [httpSmall = [], httpLarge = []] = await costsOverHttp([small, large])
const whole = await longestPause(() => loadSnapshot(large.db, OWN))
const part = await renewal(large)
const role = await largeRole(large)

line('permission checks', `${SMALL.users} users`, `${LARGE.users} users`, 'ratio')
line('---', '---', '---', '---')
const [a, b] = [median(costs.small), median(costs.large)]
const [c, d] = [median(httpSmall), median(httpLarge)]
line('server CPU of one check over HTTP, ms', c, d, d / c)
line('CPU of the decision alone, µs', a, b, b / a)
line('snapshot, MB of heap', small.megabytes, large.megabytes, '-')
line('whole snapshot read, ms', '-', whole.ms, '-')
line('... longest pause meanwhile, ms', '-', whole.pause, '-')
line('one user changed: snapshot renewed, ms', '-', part.ms, '-')
line('... longest pause meanwhile, ms', '-', part.pause, '-')
line(`role with ${role.read} permissions, read in one query, ms`, '-', role.took, '-')
line('... written, ms', '-', role.written, '-')

for (const { db, folder } of [small, large]) {
  await db.$disconnect()
  rmSync(folder, { recursive: true, force: true })
}
