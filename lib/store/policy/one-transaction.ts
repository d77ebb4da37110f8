import { outsideStorages } from '../../base/resting-storage'
import type { Snapshot, WantedSubjects } from '../../oidc/provider'
import type { Connection, Transaction } from '../database/connection'
import { databaseOf, openSqliteCopy, prisma } from '../database/database'
import { isSqliteUrl } from '../database/sqlite'
import {
  type ChangedSubject,
  type Changes,
  changesBy,
  changesModel,
  readChangeLog,
  readPolicyVersion,
} from './policy-version'
import { loadSnapshot, type ModelSnapshot, patched, renewSnapshot, type Source } from './snapshot'
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

class TakenBack extends Error {}

/**
 * Everything that `work` writes is taken back. On PostgreSQL in a transaction; on SQLite, where one
 * that writes would hold up every other writer, in a copy of the database.
 */
export async function inRehearsal<T>(
  db: Connection,
  url: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const copy = isSqliteUrl(url) ? await openSqliteCopy(url) : null
  const done: T[] = []
  const takenBack = async (tx: Transaction) => {
    done.push(await work(tx))
    throw new TakenBack()
  }
  try {
    await transact(copy ?? db, takenBack, { timeout: MAX_MS }).catch((error) => {
      if (!(error instanceof TakenBack)) throw error
    })
  } finally {
    await copy?.$disconnect()
  }
  const [result] = done
  return result as T // it was put there before anything was taken back
}

/**
 * The snapshot of a rehearsal. Nothing is written into the change log, whose lock every change of
 * the policy takes: what was changed is remembered here.
 */
export function snapshotOfRehearsal(source: Source) {
  const subjects = new SubjectCache(source.db, source.kind, CACHE_BYTES)
  const touched: ChangedSubject[] = []
  let unseen: readonly ChangedSubject[] = []
  let known: ModelSnapshot | null = null
  let isBehind = false

  async function fresh(): Promise<ModelSnapshot> {
    known ??= await loadSnapshot(source)
    if (isBehind) known = { ...known, version: await readPolicyVersion(source.db) }
    isBehind = false
    if (unseen.length === 0) return known
    const changes = changesBy(known.version, unseen)
    unseen = []
    subjects.clear()
    if (!changes) known = await loadSnapshot(source)
    else if (changesModel(changes)) known = await patched(source, known, known.version, changes)
    return known
  }

  const models = {
    fresh,
    kept: () => known,
    outdated: () => {
      isBehind = true
    },
  }
  return {
    changed(subjectsOfChange: readonly ChangedSubject[] = [{ kind: 'all' }]): void {
      touched.push(...subjectsOfChange)
      unseen = [...unseen, ...subjectsOfChange]
    },
    /** Everything that was changed so far; null if it could be anything. */
    changes: (): Changes | null => changesBy(known?.version ?? 0, touched),
    get: (wanted?: WantedSubjects): Promise<Snapshot> => withWanted(models, subjects, wanted),
  }
}

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
