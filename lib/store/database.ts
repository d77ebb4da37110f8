import type { AuditEvent } from '../oidc/provider'
import type { Prisma, PrismaClient } from './generated/sqlite/client'
import { PostgresAdapter } from './postgres'
import { PostgresLane } from './postgres-sql'
import type { Lane } from './sql'
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
export type Provider = 'sqlite' | 'postgres'

const TRANSACTION_OPTIONS = { maxWait: 10_000, timeout: 15_000 }

/** `longestQueryMs`: for work that may take its time. */
export async function openDatabase(url: string, longestQueryMs?: number): Promise<Database> {
  return isSqliteUrl(url) ? openSqlite(url) : openPostgres(url, longestQueryMs)
}

export function providerOf(url: string): Provider {
  return isSqliteUrl(url) ? 'sqlite' : 'postgres'
}

async function openSqlite(url: string): Promise<Database> {
  const { PrismaClient } = await import('./generated/sqlite/client')
  const adapter = new SqliteAdapter(url)
  const client = new PrismaClient({ adapter, transactionOptions: TRANSACTION_OPTIONS })
  lanes.set(client, adapter.lane)
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
  const lane = new PostgresLane(async () => adapter.openPool() ?? (await connect()))
  lanes.set(client as unknown as Database, lane)
  return client as unknown as Database
}

const lanes = new WeakMap<Database, Lane>()

/** Plain SQL to the same database, beside Prisma. */
export function laneOf(db: Database): Lane {
  const lane = lanes.get(db)
  if (!lane) throw new Error('only a database that was opened here has a lane')
  return lane
}
