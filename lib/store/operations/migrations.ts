import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm'
import { failpoint } from '../../base/failpoint'
import { indexUsers } from '../accounts/user-search'
import { indexApplications } from '../applications/application-search'
import { type Connection, type DatabaseKind, databaseKindOf } from '../database/connection'
import { type Database, databaseOf, openDatabase } from '../database/database'
import { wholeScriptPostgres } from '../database/postgres'
import { areIndexed } from '../database/search-keys'
import { SqliteAdapter } from '../database/sqlite'
import { Turns } from '../database/sqlite-connection'
import { migrations, schemas } from '../generated/migrations'
import { withMigrationLock } from './migration-lock'
import { migrationStatus, NewerSchemaError } from './migration-status'

/**
 * Prisma's own migrations and history, through its schema engine compiled to WebAssembly: nothing
 * is downloaded, and Prisma's tools can still read `_prisma_migrations`.
 */

const NO_FILTERS = { externalTables: [], externalEnums: [] }
const HISTORY_TABLE = '_prisma_migrations'

/**
 * Applies pending migrations and returns their names. Safe to run from several processes at once.
 */
export async function migrate(url: string, using?: Connection): Promise<string[]> {
  const db = using ? databaseOf(using) : await openDatabase(url)
  if ((await pendingWork(db, url)) === null) return []
  return withMigrationLock(url, async () => {
    const interrupted = await pendingWork(db, url)
    if (interrupted === null) return []
    failpoint('migration:locked')
    const applied = await withEngine(url, async (engine, kind) => {
      // A script and the statement that finishes its history row are committed together (see
      // `migrationAdapter`). So a row without an end means that nothing of its script was applied,
      // and it can run again.
      for (const migrationName of interrupted)
        await engine.markMigrationRolledBack({ migrationName })
      const input = { migrationsList: listOf(kind), filters: NO_FILTERS }
      return (await engine.applyMigrations(input)).appliedMigrationNames
    })
    failpoint('migration:applied')
    await fillIn(db, databaseKindOf(url))
    return applied
  })
}

/** A database as an earlier version left it: with the migrations up to this one. */
export async function migrateUpTo(url: string, last: string): Promise<void> {
  await withEngine(url, (engine, kind) =>
    engine.applyMigrations({ migrationsList: listOf(kind, last), filters: NO_FILTERS }),
  )
}

/** Data changes that SQL cannot express; repeating them changes nothing. */
async function fillIn(db: Database, kind: DatabaseKind): Promise<void> {
  try {
    await indexUsers(db, kind)
    await indexApplications(db, kind)
  } finally {
    await db.$disconnect()
  }
}

/**
 * Null if nothing is pending and everything is filled in; otherwise the interrupted migrations. Most starts end here. Closes
 * its connection before tables change; the client opens a new one when it is used again.
 */
async function pendingWork(db: Database, url: string): Promise<string[] | null> {
  try {
    const { unknown, pending, interrupted } = await migrationStatus(db, url)
    if (unknown.length > 0) throw new NewerSchemaError(unknown)
    if (pending.length + interrupted.length > 0) return interrupted
    return (await areIndexed(db)) ? null : []
  } finally {
    await db.$disconnect()
  }
}

/** The SQL that leads from the migrations to the models; empty if they agree. */
export function drift(url: string): Promise<string> {
  return withEngine(url, async (engine, kind) => {
    const { stdout } = await engine.diff({
      from:
        migrations[kind].length === 0 ? { tag: 'empty' } : { tag: 'migrations', ...listOf(kind) },
      to: { tag: 'schemaDatamodel', files: [schemaFile(kind)] },
      script: true,
      exitCode: null,
      filters: NO_FILTERS,
    })
    return withoutComments(stdout ?? '')
  })
}

function withoutComments(sql: string): string {
  const statements = sql.replaceAll(/^--.*$/gm, '').trim()
  return statements === '' ? '' : sql
}

type Use<T> = (engine: SchemaEngine, kind: DatabaseKind) => Promise<T>

const turns = new Turns()

/** One at a time in this process: two engines would write into each other's memory. */
async function withEngine<T>(url: string, use: Use<T>): Promise<T> {
  const done = await turns.take()
  try {
    return await withOwnEngine(url, use)
  } finally {
    done()
  }
}

async function withOwnEngine<T>(url: string, use: Use<T>): Promise<T> {
  const kind = databaseKindOf(url)
  const connected: SqlDriverAdapter[] = []
  const { SchemaEngine } = await loadEngine()
  const engine = await SchemaEngine.new(
    { datamodels: [[`${kind}.prisma`, schemas[kind]]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(migrationAdapter(url, connected)),
  )
  try {
    return await use(engine, kind)
  } finally {
    engine.free()
    // The engine leaves its connections open, and with them a session-wide lock on PostgreSQL.
    for (const adapter of connected) await adapter.dispose()
  }
}

type Engine = typeof import('@prisma/schema-engine-wasm/schema_engine_bg')

let engine: Promise<Engine> | undefined

function loadEngine(): Promise<Engine> {
  engine ??= instantiateEngine()
  return engine
}

/** The entry of the package expects a bundler with WebAssembly imports. */
async function instantiateEngine(): Promise<Engine> {
  installPanicRegistry()
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm')
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const wasm = await WebAssembly.instantiate(
    await readFile(join(dirname(entry), 'schema_engine_bg.wasm')),
    { './schema_engine_bg.js': bindings as unknown as WebAssembly.ModuleImports },
  )
  const glue = bindings as unknown as { __wbg_set_wasm(exports: WebAssembly.Exports): void }
  glue.__wbg_set_wasm(wasm.instance.exports)
  ;(wasm.instance.exports.__wbindgen_start as () => void)()
  return bindings
}

/** The engine reports a panic through this global before it traps. */
function installPanicRegistry() {
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message(message: string) {
        throw new Error(`schema engine: ${message}`)
      },
    },
  })
}

/**
 * Migration scripts run completely or not at all, and finish their own history row when they
 * commit.
 */
function migrationAdapter(
  url: string,
  connected: SqlDriverAdapter[],
): SqlMigrationAwareDriverAdapterFactory {
  const factory =
    databaseKindOf(url) === 'sqlite' ? new SqliteAdapter(url) : wholeScriptPostgres(url)
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = finishing(await factory.connect())
      connected.push(adapter)
      return adapter
    },
    connectToShadowDb: async () => whole(await factory.connectToShadowDb()),
  }
}

function finishing(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const executeScript = adapter.executeScript.bind(adapter)
  adapter.executeScript = async (script) => {
    if (script.includes(HISTORY_TABLE)) return executeScript(script)
    failpoint('migration:script')
    await executeScript(`${script}\n;${endHistoryRow(adapter)}`)
    failpoint('migration:committed')
  }
  return adapter
}

/** On a scratch database the engine sends complete scripts as if they were single statements. */
function whole(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const executeRaw = adapter.executeRaw.bind(adapter)
  adapter.executeRaw = async (query) => {
    if (query.args.length > 0) return executeRaw(query)
    await adapter.executeScript(query.sql)
    return 0
  }
  return adapter
}

function endHistoryRow({ provider }: SqlDriverAdapter): string {
  const now = provider === 'sqlite' ? `${Date.now()}` : 'now()'
  return `UPDATE "${HISTORY_TABLE}" SET finished_at = ${now} WHERE finished_at IS NULL AND rolled_back_at IS NULL;`
}

/** All of them, or those up to `last`. Their names begin with their time, so they sort by it. */
function listOf(kind: DatabaseKind, last?: string): MigrationList {
  const known = migrations[kind].filter(({ name }) => last === undefined || name <= last)
  return {
    baseDir: `prisma/migrations/${kind}`,
    lockfile: {
      path: 'migration_lock.toml',
      content: `provider = "${kind === 'sqlite' ? 'sqlite' : 'postgresql'}"\n`,
    },
    shadowDbInitScript: '',
    migrationDirectories: known.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  }
}

function schemaFile(kind: DatabaseKind) {
  return { path: `${kind}.prisma`, content: schemas[kind] }
}
