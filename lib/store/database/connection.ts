import type { AuditEvent } from '../../oidc/audit-event'
import { isSqliteUrl } from './sqlite'

/**
 * What functions of the store are given. The type hides its content, so a query can only be written
 * in lib/store: `prisma(reader)` in database.ts opens it.
 */
declare const inside: unique symbol

/** Reads, inside or outside a transaction. */
export type Reader = { readonly [inside]: 'connection' | 'transaction' }
export type Connection = { readonly [inside]: 'connection' }
/** Everything written with it is committed together or not at all. */
export type Transaction = { readonly [inside]: 'transaction' }

/** One transaction; its audit entries are written in it, and webhook deliveries are queued. */
export type Write = <T>(
  work: (tx: Transaction, audit: (event: AuditEvent) => void) => Promise<T>,
) => Promise<T>

export type DatabaseKind = 'sqlite' | 'postgres'

export function databaseKindOf(url: string): DatabaseKind {
  return isSqliteUrl(url) ? 'sqlite' : 'postgres'
}
