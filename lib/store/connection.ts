import type { AuditEvent } from '../oidc/provider'
import { openDatabase } from './database'
import { isSqliteUrl } from './sqlite'

/**
 * What functions of the store are given. Nobody else can look inside, so a query can only be
 * written in lib/store: `prisma(reader)` in database.ts opens it.
 */
declare const inside: unique symbol

/** Reads, within a transaction or not. */
export type Reader = { readonly [inside]: 'connection' | 'transaction' }
export type Connection = { readonly [inside]: 'connection' }
/** What is written with it happens together or not at all. */
export type Transaction = { readonly [inside]: 'transaction' }

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
