import type { AuditEvent } from '../oidc/provider'
import type { Queries } from './database'

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
