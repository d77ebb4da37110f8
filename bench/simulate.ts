import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../e2e/support/postgres'
import { portalApi } from '../lib/access/portal-api'
import { type Database, openDatabase } from '../lib/store/database/database'
import { migrate } from '../lib/store/operations/migrations'
import { freshSnapshot } from '../lib/store/policy/fresh-snapshot'
import { bumpPolicyVersion } from '../lib/store/policy/policy-version'

/**
 * npm run bench -- simulate: many server processes that share one change log, on a real PostgreSQL.
 * Each "instance" is what a process keeps in memory: its own snapshot, its own cache of users. They
 * share a few connections, so the machine's two cores do not decide the outcome. Measured: how old an
 * answer may be, how many statements the database gets, and what happens when all start at once.
 */

const quick = process.argv.includes('--quick')
const INSTANCES = 50
const USERS = 100_000
const HOT = 100
const SECONDS = quick ? 6 : 30
const READS_PER_SECOND = 20
const CHANGES_PER_SECOND = 10
const CACHE_BYTES = 16 * 1024 * 1024
const OWN = portalApi('http://localhost:3000')

type Instance = ReturnType<typeof freshSnapshot>

/** When each value of a user was committed: an answer with an older value is stale since then. */
type Commits = Map<string, { level: number; at: number }[]>

const userId = (at: number) => `usr_${String(at).padStart(8, '0')}`

/** Few users are asked about often, most of them seldom. */
function someUser(): string {
  return userId(Math.floor(Math.random() < 0.8 ? Math.random() * HOT : Math.random() * USERS))
}

async function seed(db: Database): Promise<void> {
  await db.$executeRawUnsafe(`
    INSERT INTO "User" ("id", "profile", "attributes", "createdAt", "updatedAt")
    SELECT 'usr_' || lpad(i::text, 8, '0'), '{}', '{"level": 0}', now(), now()
    FROM generate_series(0, ${USERS - 1}) i`)
  await db.$executeRawUnsafe('ANALYZE')
}

function instances(db: Database, count: number): Instance[] {
  const source = { db, kind: 'postgres', own: OWN } as const
  return Array.from({ length: count }, () => freshSnapshot(source, CACHE_BYTES))
}

async function levelOf(instance: Instance, id: string): Promise<number> {
  const { policy } = await instance.get({ users: [id] })
  return Number(policy.users.get(id)?.attributes.level)
}

async function change(db: Database, commits: Commits, level: number): Promise<void> {
  const id = userId(Math.floor(Math.random() * HOT))
  await db.$transaction(async (tx) => {
    await tx.user.update({ where: { id }, data: { attributes: { level } } })
    await bumpPolicyVersion(tx, [{ kind: 'user', id }])
  })
  const known = commits.get(id) ?? []
  commits.set(id, [...known, { level, at: performance.now() }])
}

/** How long ago the value was replaced, by the time of the question; 0 if it is the newest. */
function staleness(commits: Commits, id: string, level: number, askedAt: number): number {
  const replaced = (commits.get(id) ?? []).find((one) => one.level > level)
  return replaced ? Math.max(0, askedAt - replaced.at) : 0
}

class Statements {
  readonly #client: pg.Client

  constructor(url: string) {
    this.#client = new pg.Client({ connectionString: url })
  }

  async open(): Promise<this> {
    await this.#client.connect()
    return this
  }

  /** Transactions so far: every statement of ours outside a change is one. */
  async count(): Promise<number> {
    await this.#client.query('SELECT pg_stat_clear_snapshot()')
    const { rows } = await this.#client.query<{ n: string }>(
      'SELECT xact_commit AS n FROM pg_stat_database WHERE datname = current_database()',
    )
    return Number(rows[0]?.n)
  }

  close(): Promise<void> {
    return this.#client.end()
  }
}

async function steady(db: Database, all: readonly Instance[]) {
  const commits: Commits = new Map()
  const ages: number[] = []
  const until = performance.now() + SECONDS * 1_000
  let level = 0
  const writer = async () => {
    while (performance.now() < until) {
      level += 1
      await change(db, commits, level)
      await sleep(1_000 / CHANGES_PER_SECOND)
    }
  }
  const reader = async (instance: Instance) => {
    while (performance.now() < until) {
      const id = someUser()
      const askedAt = performance.now()
      ages.push(staleness(commits, id, await levelOf(instance, id), askedAt))
      await sleep((1_000 / READS_PER_SECOND) * 2 * Math.random())
    }
  }
  await Promise.all([writer(), ...all.map(reader)])
  return { answers: ages.length, changes: level, oldest: Math.max(...ages) }
}

/** All begin at once with empty memories, and everybody asks for the same hundred users. */
async function herd(db: Database) {
  const all = instances(db, INSTANCES)
  const started = performance.now()
  const times = await Promise.all(
    all.flatMap((instance) =>
      Array.from({ length: 200 }, async (_, at) => {
        await levelOf(instance, userId(at % 100))
        return performance.now() - started
      }),
    ),
  )
  return { answers: times.length, slowest: Math.max(...times) }
}

const { url, stop } = await startPostgres()
try {
  await migrate(url)
  const db = await openDatabase(url)
  await seed(db)
  const statements = await new Statements(url).open()
  const all = instances(db, INSTANCES)
  await Promise.all(all.map((instance) => instance.get()))
  await sleep(1_500) // PostgreSQL counts with a delay
  const before = await statements.count()
  const { answers, changes, oldest } = await steady(db, all)
  await sleep(1_500)
  const used = (await statements.count()) - before
  console.log(`${INSTANCES} instances, ${USERS} users, ${SECONDS} s`)
  console.log(`answers                         ${answers}`)
  console.log(`changes                         ${changes}`)
  console.log(`oldest answer                   ${oldest.toFixed(0)} ms`)
  console.log(`transactions a second           ${(used / SECONDS).toFixed(0)}`)
  console.log(`... per answer                  ${(used / answers).toFixed(2)}`)
  const [first] = all
  console.log(`cache of one instance           ${JSON.stringify(first?.cached())}`)
  const quiet = await statements.count()
  const started = await herd(db)
  await sleep(1_500)
  const stampede = (await statements.count()) - quiet
  console.log(`\nall ${INSTANCES} start at once, ${started.answers} questions about 100 users`)
  console.log(`slowest answer                  ${started.slowest.toFixed(0)} ms`)
  console.log(`transactions for one instance   ${(stampede / INSTANCES).toFixed(0)}`)
  await statements.close()
  await db.$disconnect()
} finally {
  await stop()
}
