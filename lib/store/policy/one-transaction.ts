import { outsideStorages } from '../../base/resting-storage'
import type { Snapshot, WantedSubjects } from '../../oidc/provider'
import type { Connection, Transaction } from '../database/connection'
import { databaseOf, prisma } from '../database/database'
import { readChangeLog } from './policy-version'
import { loadSnapshot, type ModelSnapshot, renewSnapshot, type Source } from './snapshot'
import { SubjectCache } from './subject-cache'
import { withWanted } from './wanted-subjects'

const MAX_MS = 10 * 60 * 1000

/** Prisma keeps the last hundred transactions, to tell of each how it ended. */
export function transact<T>(
  db: Connection,
  work: (tx: Transaction) => Promise<T>,
  options?: { timeout: number },
): Promise<T> {
  return outsideStorages(work, (inside) => databaseOf(db).$transaction(inside, options))
}

/** Many changes that are committed together or not at all; one such transaction at a time. */
export function inTransaction<T>(
  db: Connection,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const locking = async (tx: Transaction) => {
    // The lock that every change of the policy takes, before anything is read.
    await prisma(tx).policyVersion.updateMany({ data: { version: { increment: 0 } } })
    return work(tx)
  }
  return transact(db, locking, { timeout: MAX_MS })
}

const CACHE_BYTES = 32 * 1024 * 1024

/** The snapshot of what was written so far; reads again only what was changed. */
export function snapshotWithin(source: Source) {
  const subjects = new SubjectCache(source.db, source.kind, CACHE_BYTES)
  let known: ModelSnapshot | null = null
  let stale = true

  const logSince = ({ version }: ModelSnapshot) => readChangeLog(source.db, source.kind, version)

  async function fresh(): Promise<ModelSnapshot> {
    if (known && !stale) return known
    const { snapshot, changes } = known
      ? await renewSnapshot(source, known, await logSince(known))
      : { snapshot: await loadSnapshot(source), changes: null }
    if (changes) subjects.drop(changes)
    else subjects.clear()
    known = snapshot
    stale = false
    return snapshot
  }

  function changed(): void {
    stale = true
  }

  const models = { fresh, kept: () => known, outdated: changed }
  return {
    changed,
    get: (wanted?: WantedSubjects): Promise<Snapshot> => withWanted(models, subjects, wanted),
  }
}
