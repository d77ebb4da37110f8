import type { Prisma, PrismaClient } from '../generated/sqlite/client'
import type { Connection, DatabaseKind, Reader, Transaction } from './connection'
import { numbered } from './pipeline'
import { type PoolOptions, PostgresAdapter } from './postgres'
import { PostgresSql } from './postgres-sql'
import type { Row, SqlClient, Value } from './sql'
import { isSqliteUrl, SqliteAdapter, sqlitePath } from './sqlite'
import { IN_MEMORY } from './sqlite-connection'

/**
 * Two clients are generated from the same models. The types of SQLite are narrower, so code that
 * compiles with them runs on both. The contract tests of the store prove it.
 */
export type Queries = Prisma.TransactionClient
export type Database = Omit<PrismaClient, '$transaction'> &
  Connection & { $transaction: Transact & PrismaClient['$transaction'] }
export type { Prisma }
export type InputJsonObject = Prisma.InputJsonObject

type Transact = <T>(
  work: (tx: Queries & Transaction) => Promise<T>,
  options?: { maxWait?: number; timeout?: number },
) => Promise<T>

/** Only files of lib/store import this; all others call functions of the store. */
export function prisma(reader: Reader): Queries {
  return reader as unknown as Queries // a `Reader` hides its type
}

export function databaseOf(connection: Connection): Database {
  return connection as Database // there is no other connection
}

const TRANSACTION_OPTIONS = { maxWait: 10_000, timeout: 15_000 }

/** `workers`: how many processes of this portal share the connections of PostgreSQL. */
export async function openDatabase(url: string, options: PoolOptions = {}): Promise<Database> {
  return isSqliteUrl(url) ? openSqlite(url) : openPostgres(url, options)
}

async function openSqlite(url: string): Promise<Database> {
  const { PrismaClient } = await import('../generated/sqlite/client')
  const adapter = new SqliteAdapter(url)
  const client = new PrismaClient({ adapter, transactionOptions: TRANSACTION_OPTIONS })
  return opened(client, adapter.sql)
}

/** In memory, of what a change may read; without what only requests of users and clients need. */
export async function openSqliteCopy(url: string): Promise<Database> {
  const { PrismaClient } = await import('../generated/sqlite/client')
  const adapter = new SqliteAdapter(IN_MEMORY)
  await adapter.copyFrom(sqlitePath(url))
  const client = new PrismaClient({ adapter, transactionOptions: TRANSACTION_OPTIONS })
  return opened(client, adapter.sql)
}

async function openPostgres(url: string, options: PoolOptions): Promise<Database> {
  const { PrismaClient } = await import('../generated/postgres/client')
  const adapter = new PostgresAdapter(url, options)
  const client = new PrismaClient({ adapter, transactionOptions: TRANSACTION_OPTIONS })
  const connect = async () => {
    await client.$connect()
    return adapter.openPool()
  }
  const find = async () => adapter.openPool() ?? (await connect())
  const sql = new PostgresSql(find, adapter.clientOptions)
  const db = opened(client, sql)
  adapter.onClose(async () => {
    await sql.close()
    await replicaOf(db)?.db.$disconnect()
  })
  return db
}

function opened(client: object, sql: SqlClient): Database {
  const db = client as Database // of either kind, see above
  sqlClients.set(db, sql)
  return db
}

/** `behind`: it has not replayed what the primary has committed. */
export type ReplicaState = 'used' | 'behind' | 'away'

/** Called when the state changes. */
type ReportReplica = (state: ReplicaState, error?: unknown) => void

export type Replica = {
  db: Database
  report: ReportReplica
  state: ReplicaState
  restsUntil: number
}

const replicas = new WeakMap<Database, Replica>()

export function replicaOf(db: Database): Replica | null {
  return replicas.get(db) ?? null
}

/**
 * A replica of the same PostgreSQL, from which `readReplica` in replica.ts reads. It is connected to
 * when it is first used, and closed with the primary.
 */
export async function addReplica(db: Database, url: string, report: ReportReplica): Promise<void> {
  const replica = await openDatabase(url)
  replicas.set(db, { db: replica, report, state: 'used', restsUntil: 0 })
}

const sqlClients = new WeakMap<Database, SqlClient>()

/**
 * One statement of plain SQL that reads, inside or outside a transaction. `?` stands for a value.
 */
export function readPlain(
  reader: Reader,
  kind: DatabaseKind,
  text: string,
  values: readonly Value[],
): Promise<Row[]> {
  const sql = sqlClients.get(reader as Database) // a transaction is not among them
  if (sql) return sql.all(text, values)
  const written = kind === 'postgres' ? numbered(text) : text
  return prisma(reader).$queryRawUnsafe<Row[]>(written, ...values)
}

/** Plain SQL to the same database, beside Prisma. */
export function sqlOf(db: Database): SqlClient {
  const sql = sqlClients.get(db)
  if (!sql) throw new Error('only a database that was opened here has plain SQL')
  return sql
}
