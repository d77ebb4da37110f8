import type { AuditEvent } from '../oidc/provider'
import type { Prisma, PrismaClient } from './generated/sqlite/client'
import { PostgresAdapter } from './postgres'
import { PostgresSql } from './postgres-sql'
import type { SqlClient } from './sql'
import { isSqliteUrl, SqliteAdapter } from './sqlite'

/**
 * Two clients are generated from the same models; SQLite's types are the narrower ones, so code
 * that compiles against them runs on both. The store contract suite proves it.
 */
export type Database = PrismaClient
export type Transaction = Parameters<Parameters<Database['$transaction']>[0]>[0]
/** One transaction; what it audits is written in it, and told to whoever listens. */
export type Write = <T>(
  work: (tx: Transaction, audit: (event: AuditEvent) => void) => Promise<T>,
) => Promise<T>
export type InputJsonObject = Prisma.InputJsonObject
export type DatabaseKind = 'sqlite' | 'postgres'

const TRANSACTION_OPTIONS = { maxWait: 10_000, timeout: 15_000 }

/** `longestQueryMs`: for work that may take its time. */
export async function openDatabase(url: string, longestQueryMs?: number): Promise<Database> {
  return isSqliteUrl(url) ? openSqlite(url) : openPostgres(url, longestQueryMs)
}

export function databaseKindOf(url: string): DatabaseKind {
  return isSqliteUrl(url) ? 'sqlite' : 'postgres'
}

async function openSqlite(url: string): Promise<Database> {
  const { PrismaClient } = await import('./generated/sqlite/client')
  const adapter = new SqliteAdapter(url)
  const client = new PrismaClient({ adapter, transactionOptions: TRANSACTION_OPTIONS })
  sqlClients.set(client, adapter.sql)
  return client
}

async function openPostgres(url: string, longestQueryMs?: number): Promise<Database> {
  const { PrismaClient } = await import('./generated/postgres/client')
  const adapter = new PostgresAdapter(url, longestQueryMs)
  const client = new PrismaClient({ adapter, transactionOptions: TRANSACTION_OPTIONS })
  const connect = async () => {
    await client.$connect()
    return adapter.openPool()
  }
  const sql = new PostgresSql(async () => adapter.openPool() ?? (await connect()))
  sqlClients.set(client as unknown as Database, sql)
  return client as unknown as Database
}

const sqlClients = new WeakMap<Database, SqlClient>()

/** Plain SQL to the same database, beside Prisma. */
export function sqlOf(db: Database): SqlClient {
  const sql = sqlClients.get(db)
  if (!sql) throw new Error('only a database that was opened here has a sql')
  return sql
}
