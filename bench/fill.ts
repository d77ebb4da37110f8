import { existsSync, mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Postgres, startPostgres } from '../e2e/support/postgres'
import { DAY_MS } from '../lib/base/time'
import { deriveKey, newSecret, secretHasher } from '../lib/crypto/secrets'
import { userKeysOf } from '../lib/store/accounts/user-search'
import { applicationKeysOf } from '../lib/store/applications/application-search'
import { type DatabaseKind, databaseKindOf } from '../lib/store/database/connection'
import { type Database, openDatabase } from '../lib/store/database/database'
import { Sqlite } from '../lib/store/database/sqlite-connection'
import { schemaVersion } from '../lib/store/operations/copy'
import { migrate } from '../lib/store/operations/migrations'
import { MODEL, SECRET } from './portal'
import {
  type InsertRows,
  machineId,
  type Seed,
  seedMachines,
  seedPolicy,
  seedUse,
  seedWeb,
  stampsOf,
  userId,
  WEB,
  WORDS,
} from './seed'

/**
 * Databases of up to ten million users, filled once and kept for later runs in a folder beside the
 * other temporary files, one for each size and version of the schema.
 *
 * The rows are made by the database itself from a series of numbers, one statement for each table:
 * nothing is sent over the line, so this takes less time than COPY. Meanwhile the indexes are gone
 * and foreign keys are not checked; afterwards every index is built again from its own definition.
 * Audit entries are synthetic: they satisfy the schema, but their hashes form no chain.
 */

export type Contents = {
  users: number
  machines: number
  /** Users with a session, a consent and a live token grant. */
  live: number
  spaces: number
  groups: number
  members: number
  /** Assignments of one single user. */
  assignments: number
  /** Access keys of one single application. */
  keys: number
  auditEntries: number
}

const ROLES_OF_A_SPACE = 100
const ITEMS_OF_A_SPACE = 20
const GRANTS_OF_A_ROLE = 5
const AUDIT_DAYS = 390

/** The user with thousands of assignments, and the application with a thousand keys. */
export const LADEN_USER = userId(1)
export const LADEN_MACHINE = machineId(1)
export const OWNER = 'usr_owner'
export const GROUP = 'grp_bench_0'

/** `--audit=20000000`: no more entries than that, where the disk has no room for five a user. */
const MAX_AUDIT = Number(
  process.argv.find((arg) => arg.startsWith('--audit='))?.slice('--audit='.length) ?? 50_000_000,
)

export function contentsOf(size: number): Contents {
  const part = Math.min(size, 1_000 + Math.floor(size / 10))
  return {
    users: size,
    machines: part,
    live: part,
    spaces: Math.min(1_000, Math.ceil(size / 10_000)),
    groups: Math.ceil(size / 1_000_000),
    members: Math.min(size, 100_000),
    assignments: Math.min(size, 10_000),
    keys: Math.min(size, 1_000),
    auditEntries: Math.min(size * 5, MAX_AUDIT),
  }
}

// ---------------------------------------------------------------- what is kept between runs

export type FilledDatabase = { url: string; folder: string; size: number; clientSecret: string }

/** `stop` ends the server of the database, if it has one; the data stay. */
export type KeptFill = FilledDatabase & { log: readonly string[]; stop(): Promise<void> }

export async function filled(provider: DatabaseKind, size: number): Promise<KeptFill> {
  const folder = join(
    ...[tmpdir(), 'gatehouse-bench'],
    `${provider}-${size}-${contentsOf(size).auditEntries}-${schemaVersion()}`,
  )
  mkdirSync(folder, { recursive: true })
  const complete = join(folder, 'complete.json')
  if (!existsSync(complete)) {
    const clientSecret = await fill(provider, folder, size)
    writeFileSync(complete, JSON.stringify({ clientSecret }))
  }
  const { clientSecret } = JSON.parse(readFileSync(complete, 'utf8'))
  const { url, log, stop } = await serverOf(provider, folder, SERVING)
  return { url, folder, size, clientSecret, log, stop }
}

/** Every plan over a second is in its log, with what it read. */
const SERVING = [
  ...['-c', 'shared_buffers=1GB', '-c', 'session_preload_libraries=auto_explain'],
  ...['-c', 'auto_explain.log_min_duration=1s', '-c', 'auto_explain.log_analyze=off'],
]
const FILLING = [
  ...['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'wal_level=minimal'],
  ...['-c', 'max_wal_senders=0', '-c', 'max_wal_size=2GB', '-c', 'shared_buffers=2GB'],
  ...['-c', 'maintenance_work_mem=1GB', '-c', 'autovacuum=off', '-c', 'jit=off'],
]

async function serverOf(
  provider: DatabaseKind,
  folder: string,
  flags: string[],
): Promise<Pick<Postgres, 'url' | 'log' | 'stop'>> {
  if (provider === 'sqlite')
    return { url: `file:${join(folder, 'gatehouse.db')}`, log: [], stop: async () => {} }
  return startPostgres({ folder: join(folder, 'postgres'), durable: true, flags })
}

async function fill(provider: DatabaseKind, folder: string, size: number): Promise<string> {
  const { url, stop } = await serverOf(provider, folder, FILLING)
  try {
    await migrate(url)
    return await fillDatabase(url, contentsOf(size))
  } finally {
    await stop()
  }
}

/** Fills a database that has today's tables and no rows; gives the secret of its applications. */
export async function fillDatabase(url: string, contents: Contents): Promise<string> {
  const provider = databaseKindOf(url)
  const clientSecret = newSecret('ghcs')
  const target = provider === 'sqlite' ? sqliteTarget(url) : await postgresTarget(url)
  const db = await openDatabase(url)
  try {
    const rebuild = await target.withoutIndexes()
    await fillTables({ db, provider, insert: target.insert }, contents, clientSecret)
    await rebuild()
    await requireOwnSearchKeys(db, contents)
  } finally {
    await target.close()
    await db.$disconnect()
  }
  return clientSecret
}

// ---------------------------------------------------------------- the rows

async function fillTables(to: Seed, contents: Contents, clientSecret: string): Promise<void> {
  const secretHash = secretHasher(deriveKey(SECRET, 'pepper'))(clientSecret)
  await seedPolicy(to, { users: contents.users, ...MODEL })
  await seedMachines(to, contents.machines, secretHash)
  await seedWeb(to, secretHash)
  await seedUse(to, contents.live)
  await fillSearchKeys(to, contents)
  await fillSpaces(to, contents)
  await fillLaden(to, contents, secretHash)
  await fillOwner(to)
  await fillAudit(to, contents)
}

/** As `userKeysOf` and `applicationKeysOf` make them: `requireOwnSearchKeys` compares. */
async function fillSearchKeys(to: Seed, { users, machines }: Contents): Promise<void> {
  const keys = [`'user ' || i`, `'' || i`, `'u' || i || '@example.com'`, `'example.com'`, `'com'`]
  for (const key of keys)
    await put(to, 'UserSearchKey', users, { key, userId: `'usr_bench_' || i` })
  const even = Math.ceil(users / 2)
  const username = { key: `'person' || (i * 2)`, userId: `'usr_bench_' || (i * 2)` }
  await put(to, 'UserSearchKey', even, username)
  const applicationId = `'app_bench_' || i`
  for (const key of [`'machine ' || i`, `'' || i`, applicationId, `'bench_' || i`])
    await put(to, 'ApplicationSearchKey', machines, { key, applicationId })
}

async function requireOwnSearchKeys(db: Database, { users, machines }: Contents): Promise<void> {
  for (let part = 0; part < 10; part += 1) {
    const user = await db.user.findUniqueOrThrow({
      where: { id: userId(Math.floor((users * part) / 10)) },
      include: { searchKeys: true },
    })
    requireSame(user.id, user.searchKeys, userKeysOf(user))
    const application = await db.application.findUniqueOrThrow({
      where: { id: machineId(Math.floor((machines * part) / 10)) },
      include: { searchKeys: true },
    })
    requireSame(application.id, application.searchKeys, applicationKeysOf(application))
  }
}

function requireSame(id: string, rows: { key: string }[], keys: string[]): void {
  const [stored, wanted] = [rows.map(({ key }) => key), keys].map((some) => some.toSorted().join())
  if (stored !== wanted) throw new Error(`${id} is found by ${stored}, not by ${wanted}`)
}

async function fillSpaces(to: Seed, { spaces }: Contents): Promise<void> {
  const at = stampsOf(to)
  const space = (of: number) => `'spc_more_' || (i / ${of})`
  await put(to, 'Space', spaces, {
    id: `'spc_more_' || i`,
    key: `'more' || i`,
    name: `'Space ' || i`,
    ...at,
  })
  await put(to, 'Api', spaces, {
    id: `'api_more_' || i`,
    spaceId: space(1),
    audience: `'https://api.example/' || i`,
    prefix: `'more' || i`,
    name: `'API ' || i`,
    tokenSeconds: '3600',
    ...at,
  })
  await put(to, 'PermissionItem', spaces * ITEMS_OF_A_SPACE, {
    id: `'itm_more_' || i`,
    apiId: `'api_more_' || (i / ${ITEMS_OF_A_SPACE})`,
    key: `'more' || (i / ${ITEMS_OF_A_SPACE}) || ':item' || (i % ${ITEMS_OF_A_SPACE})`,
    descriptions: WORDS[to.provider].json({}),
    ...at,
  })
  const roles = spaces * ROLES_OF_A_SPACE
  await put(to, 'Role', roles, {
    id: `'rol_more_' || i`,
    spaceId: space(ROLES_OF_A_SPACE),
    key: `'role' || i`,
    name: `'Role ' || i`,
    ...at,
  })
  const role = `(i / ${GRANTS_OF_A_ROLE})`
  await put(to, 'Grant', roles * GRANTS_OF_A_ROLE, {
    id: `'grn_more_' || i`,
    roleId: `'rol_more_' || ${role}`,
    pattern: `'more' || (${role} / ${ROLES_OF_A_SPACE}) || ':item' || (i % ${ITEMS_OF_A_SPACE})`,
    ...at,
  })
}

/** Groups of 100 000, a user with 10 000 assignments, an application with 1 000 access keys. */
async function fillLaden(to: Seed, contents: Contents, secretHash: string): Promise<void> {
  const { users, groups, members, assignments, keys } = contents
  const at = stampsOf(to)
  await put(to, 'Group', groups, {
    id: `'grp_bench_' || i`,
    key: `'group' || i`,
    name: `'Group ' || i`,
    ...at,
  })
  await put(to, 'GroupMember', groups * members, {
    groupId: `'grp_bench_' || (i / ${members})`,
    userId: `'usr_bench_' || (i % ${users})`,
    createdAt: at.createdAt,
  })
  await put(to, 'Assignment', groups, {
    ...{
      id: `'asg_group_' || i`,
      roleId: `'rol_bench_' || i`,
      groupId: `'grp_bench_' || i`,
      ...at,
    },
  })
  await put(to, 'Assignment', assignments, {
    id: `'asg_laden_' || i`,
    roleId: `'rol_bench_' || (i % ${MODEL.roles})`,
    userId: `'${LADEN_USER}'`,
    instance: `'instance' || i`,
    ...at,
  })
  await put(to, 'AccessKey', keys, {
    id: `'ak_bench_' || i`,
    applicationId: `'${LADEN_MACHINE}'`,
    name: `'Key ' || i`,
    secretHash: `'${secretHash}'`,
    hint: `'ench'`,
    createdAt: at.createdAt,
  })
}

async function fillOwner(to: Seed): Promise<void> {
  const { json } = WORDS[to.provider]
  await put(to, 'User', 1, {
    id: `'${OWNER}'`,
    name: `'Olive Owner'`,
    adminRole: `'owner'`,
    profile: json({}),
    attributes: json({}),
    ...stampsOf(to),
  })
}

/** Of twenty entries, fourteen are tokens; spread evenly over thirteen months. */
async function fillAudit(to: Seed, contents: Contents): Promise<void> {
  const { users, machines, auditEntries } = contents
  const { json, time, moment } = WORDS[to.provider]
  const from = Date.now() - AUDIT_DAYS * DAY_MS
  if (to.provider === 'postgres')
    await to.db.$queryRaw`
      SELECT "make_audit_partition"("month")::text
      FROM generate_series(${new Date(from)}::timestamp, now() AT TIME ZONE 'UTC', '20 days') AS "month"`
  const byUser = 'i % 20 >= 12'
  const user = `'usr_bench_' || ((i * 7919) % ${users})`
  await put(to, 'AuditEntry', auditEntries, {
    seq: 'i + 1',
    id: `'aud_bench_' || i`,
    at: moment(time(new Date(from)), `(i * ${(AUDIT_DAYS * DAY_MS) / auditEntries})`),
    event: `CASE i % 20 WHEN 19 THEN 'user.changed' WHEN 18 THEN 'login.failed'
      WHEN 17 THEN 'token.refused' WHEN 16 THEN 'login.succeeded' WHEN 15 THEN 'login.succeeded'
      WHEN 14 THEN 'code.issued' ELSE 'token.issued' END`,
    result: `CASE WHEN i % 20 IN (17, 18) THEN 'failure' ELSE 'success' END`,
    actorKind: `CASE WHEN ${byUser} THEN 'user' ELSE 'client' END`,
    actorId: `CASE WHEN ${byUser} THEN ${user} ELSE 'app_bench_' || ((i * 7919) % ${machines}) END`,
    targetKind: `CASE WHEN i % 20 = 19 THEN 'user' END`,
    targetId: `CASE WHEN i % 20 = 19 THEN 'usr_bench_' || ((i * 31) % ${users}) END`,
    applicationId: `CASE WHEN ${byUser} THEN '${WEB}' END`,
    ip: `'10.' || (i % 200) || '.' || ((i * 7) % 250) || '.1'`,
    requestId: `'req_bench_' || i`,
    decisionId: `CASE WHEN i % 20 < 14 THEN 'dec_bench_' || i END`,
    detail: json({ grant_type: 'client_credentials', scope: ['bench:item0'], refused: [] }),
    previousHash: `'synthetic-hash-of-an-entry-of-the-bench-' || i`,
    hash: `'synthetic-hash-of-an-entry-of-the-bench-' || (i + 1)`,
  })
  const hash = `synthetic-hash-of-an-entry-of-the-bench-${auditEntries}`
  await to.db.auditHead.update({ where: { id: 1 }, data: { seq: auditEntries, hash } })
}

function put(to: Seed, table: string, count: number, values: Record<string, string>) {
  if (!to.insert) throw new Error('a database is filled in large pieces')
  return to.insert(table, count, values)
}

// ---------------------------------------------------------------- how they reach the database

type Target = {
  insert: InsertRows
  /** Drops every index that can be dropped; the result builds them again. */
  withoutIndexes(): Promise<() => Promise<void>>
  close(): Promise<void>
}

const KEPT_FREE_BYTES = 8e9

/** Others need the disk too. */
function requireRoom(): void {
  const { bavail, bsize } = statfsSync(tmpdir())
  if (bavail * bsize < KEPT_FREE_BYTES) throw new Error('the disk is nearly full')
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  requireRoom()
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  if (seconds > 1) process.stdout.write(`  ${what}: ${seconds.toFixed(0)} s\n`)
}

const AT_ONCE = 5_000_000

function statements(table: string, count: number, values: Record<string, string>, series: Series) {
  const columns = Object.keys(values).map((column) => `"${column}"`)
  const all: string[] = []
  for (let from = 0; from < count; from += AT_ONCE) {
    const until = Math.min(count, from + AT_ONCE)
    all.push(
      `INSERT INTO "${table}" (${columns.join(', ')})
       SELECT ${Object.values(values).join(', ')} FROM ${series(from, until)}`,
    )
  }
  return all
}

type Series = (from: number, until: number) => string

async function postgresTarget(url: string): Promise<Target> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // Neither foreign keys nor the triggers of the audit log.
  await client.query('SET session_replication_role = replica')
  await client.query(`SET work_mem = '256MB'`)
  const series: Series = (from, until) =>
    `generate_series(${from}::bigint, ${until - 1}::bigint) AS n(i)`
  return {
    async insert(table, count, values) {
      for (const sql of statements(table, count, values, series))
        await timed(table, () => client.query(sql))
    },
    async withoutIndexes() {
      const { rows } = await client.query<{ away: string; back: string }>(POSTGRES_INDEXES)
      for (const { away } of rows) await client.query(away)
      return async () => {
        for (const { back } of rows)
          await timed(back.slice(0, 60), () => client.query(back.replace(' ON ONLY ', ' ON ')))
        await timed('VACUUM ANALYZE', () => client.query('VACUUM ANALYZE'))
      }
    },
    close: () => client.end(),
  }
}

/** Indexes, and the primary keys that no foreign key refers to; of a partition, its parent's. */
const POSTGRES_INDEXES = `
  SELECT format('DROP INDEX %I', i.relname) AS "away", pg_get_indexdef(i.oid) AS "back"
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
  WHERE t.relnamespace = 'public'::regnamespace AND NOT t.relispartition
    AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.oid)
    AND t.relname <> '_prisma_migrations'
  UNION ALL
  SELECT format('ALTER TABLE %I DROP CONSTRAINT %I', t.relname, c.conname),
    format('ALTER TABLE %I ADD CONSTRAINT %I %s', t.relname, c.conname, pg_get_constraintdef(c.oid))
  FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
  WHERE c.contype = 'p' AND t.relnamespace = 'public'::regnamespace AND NOT t.relispartition
    AND t.relname <> '_prisma_migrations'
    AND NOT EXISTS (SELECT 1 FROM pg_constraint f WHERE f.contype = 'f' AND f.confrelid = t.oid)`

function sqliteTarget(url: string): Target {
  const db = new Sqlite(url.slice('file:'.length))
  db.exec('PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000')
  const series: Series = (from, until) =>
    `(WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${until})
      SELECT i FROM n)`
  return {
    async insert(table, count, values) {
      for (const sql of statements(table, count, values, series))
        await timed(table, async () => db.exec(sql))
    },
    async withoutIndexes() {
      const rows = db
        .prepare(`SELECT "name", "sql" FROM sqlite_master WHERE "type" = 'index' AND "sql" <> ''`)
        .all() as { name: string; sql: string }[]
      for (const { name } of rows) db.exec(`DROP INDEX "${name}"`)
      return async () => {
        for (const { name, sql } of rows) await timed(name, async () => db.exec(sql))
        await timed('checkpoint', async () => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
      }
    },
    close: async () => {
      db.close()
    },
  }
}
