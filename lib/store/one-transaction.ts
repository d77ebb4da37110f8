import type { OwnApi } from '../access/portal-api'
import type { Snapshot } from '../oidc/provider'
import type { Database, Transaction } from './database'
import { type HouseSnapshot, loadSnapshot, renewSnapshot } from './snapshot'

const LONGEST_MS = 10 * 60 * 1000

/**
 * Many changes that happen together or not at all. What is read within it is what was written within
 * it, on the one connection: `db` is the transaction, for those who only ask.
 */
export function inTransaction<T>(
  db: Database,
  work: (tx: Transaction, db: Database) => Promise<T>,
): Promise<T> {
  return db.$transaction(
    async (tx) => {
      // One at a time: the lock that every change of the policy takes, before anybody has looked.
      await tx.policyVersion.updateMany({ data: { version: { increment: 0 } } })
      return work(tx, tx as unknown as Database)
    },
    { timeout: LONGEST_MS },
  )
}

/** The snapshot of what has been written so far; reads again only what was changed. */
export function snapshotWithin(db: Database, own: OwnApi) {
  let known: HouseSnapshot | null = null
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
