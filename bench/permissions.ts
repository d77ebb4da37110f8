import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decidePermission } from '../lib/access/check'
import type { Context } from '../lib/access/policy'
import { portalApi } from '../lib/access/portal-api'
import { newId } from '../lib/crypto/secrets'
import { type Database, openDatabase } from '../lib/store/database/database'
import { migrate } from '../lib/store/operations/migrations'
import { grantsOfRole, replaceRoleGrants } from '../lib/store/permissions/roles'
import { freshSnapshot } from '../lib/store/policy/fresh-snapshot'
import { bumpPolicyVersion, readChangeLog } from '../lib/store/policy/policy-version'
import {
  loadSnapshot,
  type ModelSnapshot,
  type PortalSnapshot,
  renewSnapshot,
} from '../lib/store/policy/snapshot'
import { median } from './measure'
import { itemKey, type Size, seedPolicy, userId } from './seed'

/**
 * npm run bench -- permissions: how the decision alone grows, and what its snapshot costs. Both worlds stand in this process and are asked in turn, so that
 * whatever else the machine does happens to both; costs are CPU time, and the ratio is what counts.
 */

const quick = process.argv.includes('--quick')
const SMALL: Size = { users: 1_000, roles: 1_000, permissions: 5_000 }
const LARGE: Size = { ...SMALL, users: quick ? 20_000 : 100_000 }
const CHECKS = quick ? 100_000 : 400_000
const ROUNDS = 9
const LARGE_ROLE = 9_000
const OWN = portalApi('http://localhost:3000')
const CACHE_BYTES = 64 * 1024 * 1024
/** How many of the users are asked about: they are in the cache. */
const ASKED = 1_000

type World = {
  size: Size
  db: Database
  snapshot: PortalSnapshot
  model: ModelSnapshot
  megabytes: number
  folder: string
}

async function world(size: Size): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const url = `file:${join(folder, 'bench.db')}`
  await migrate(url)
  const db = await openDatabase(url)
  await seedPolicy({ db, provider: 'sqlite' }, size)
  const before = heap()
  const snapshots = freshSnapshot(sourceOf(db), CACHE_BYTES)
  const snapshot = await snapshots.get({
    users: [...Array(ASKED).keys()].map((at) => asked(at, size)),
  })
  const megabytes = (heap() - before) / 1e6
  return { size, db, snapshot, model: await loadSnapshot(sourceOf(db)), megabytes, folder }
}

function sourceOf(db: Database) {
  return { db, kind: 'sqlite', own: OWN } as const
}

/** Spread over all users. */
function asked(at: number, { users }: Size): string {
  return userId((at * 7_919) % users)
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
  const questions = Array.from({ length: ASKED }, (_, at) => ({
    subject: { kind: 'user' as const, id: asked(at, size) },
    permission: itemKey((at * 31) % size.permissions),
    instance: null,
    context: CONTEXT,
  }))
  const started = process.cpuUsage()
  for (let at = 0; at < count; at += 1) {
    const question = questions[at % questions.length]
    if (question) decidePermission(snapshot.policy, question)
  }
  const { user, system } = process.cpuUsage(started)
  return (user + system) / count
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
  const source = sourceOf(large.db)
  return longestPause(async () => {
    const log = await readChangeLog(source.db, source.kind, large.model.version)
    await renewSnapshot(source, large.model, log)
  })
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
const whole = await longestPause(() => loadSnapshot(sourceOf(large.db)))
const part = await renewal(large)
const role = await largeRole(large)

line('permission checks', `${SMALL.users} users`, `${LARGE.users} users`, 'ratio')
line('---', '---', '---', '---')
const [a, b] = [median(costs.small), median(costs.large)]
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
