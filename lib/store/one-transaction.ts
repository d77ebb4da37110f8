import type { OwnApi } from '../access/portal-api'
import type { Snapshot } from '../oidc/provider'
import type { Connection, Reader, Transaction } from './connection'
import { databaseOf } from './database'
import { loadSnapshot, type PortalSnapshot, renewSnapshot } from './snapshot'

const LONGEST_MS = 10 * 60 * 1000

export function transact<T>(db: Connection, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return databaseOf(db).$transaction(work)
}

/** Many changes that are committed together or not at all; one such transaction at a time. */
export function inTransaction<T>(
  db: Connection,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return databaseOf(db).$transaction(
    async (tx) => {
      // The lock that every change of the policy takes, before anything is read.
      await tx.policyVersion.updateMany({ data: { version: { increment: 0 } } })
      return work(tx)
    },
    { timeout: LONGEST_MS },
  )
}

/** The snapshot of what was written so far; reads again only what was changed. */
export function snapshotWithin(db: Reader, own: OwnApi) {
  let known: PortalSnapshot | null = null
  let stale = true
  return {
    async get(): Promise<Snapshot> {
      if (!known) known = await loadSnapshot(db, own)
      else if (stale) known = await renewSnapshot(db, own, known)
      stale = false
      return known
    },
    changed(): void {
      stale = true
    },
  }
}
