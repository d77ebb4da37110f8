import type { AuditEvent } from '../oidc/provider'
import { openDatabase, type Queries } from './database'
import { isSqliteUrl } from './sqlite'

/** Reads, within a transaction or not. */
export type Reader = Queries
export type Connection = Queries
/** What is written with it happens together or not at all. */
export type Transaction = Queries

/** One transaction; its audit entries are written in it, and sent to the webhooks. */
export type Write = <T>(
  work: (tx: Transaction, audit: (event: AuditEvent) => void) => Promise<T>,
) => Promise<T>

export type DatabaseKind = 'sqlite' | 'postgres'

export function databaseKindOf(url: string): DatabaseKind {
  return isSqliteUrl(url) ? 'sqlite' : 'postgres'
}

/** Opened for one piece of work, and closed after it. */
export async function withConnection<T>(
  url: string,
  work: (db: Connection) => Promise<T>,
): Promise<T> {
  const db = await openDatabase(url)
  try {
    return await work(db)
  } finally {
    await db.$disconnect()
  }
}
