import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection, Reader } from './connection'
import {
  type Database,
  databaseOf,
  type Replica,
  type ReplicaState,
  replicaOf,
  sqlOf,
} from './database'
import { isUnavailable, reaching } from './unavailable'

/**
 * Lists and reports are read from a replica, if there is one. It is asked only when it has replayed
 * everything that the primary had committed when the read began. So a page that is shown after a
 * change shows the change, whichever process made it. Otherwise the primary answers.
 */

/** A replica nearby is some milliseconds behind. */
const CATCH_UP_MS = 250
const LOOK_AGAIN_MS = 5
/** For how long the primary alone is asked after the replica was away or behind. */
const REST_MS = 5_000

/** Not for a decision. `work` only reads: it may be called a second time. */
export async function readReplica<T>(
  connection: Connection,
  work: (db: Reader) => Promise<T>,
): Promise<T> {
  const primary = databaseOf(connection)
  const replica = replicaOf(primary)
  if (!replica || performance.now() < replica.restsUntil) return work(primary)
  const position = await positionOf(primary)
  try {
    if (await reaching(hasReplayed(replica.db, position))) {
      const result = await work(replica.db)
      turn(replica, 'used')
      return result
    }
    turn(replica, 'behind')
  } catch (error) {
    // Also if the replica ended the query because it stood in the way of the log.
    if (!isUnavailable(error)) throw error
    turn(replica, 'away', error)
  }
  return work(primary)
}

function turn(replica: Replica, state: ReplicaState, error?: unknown): void {
  if (state !== 'used') replica.restsUntil = performance.now() + REST_MS
  if (replica.state === state) return
  replica.state = state
  replica.report(state, error)
}

/** Everything that was committed until now is before it in the log. */
async function positionOf(primary: Database): Promise<string> {
  const [row] = await sqlOf(primary).all('SELECT pg_current_wal_flush_lsn()::text AS "lsn"', [])
  return String(row?.lsn)
}

/** Null on a server that is not a replica: it is never asked. */
const HAS_REPLAYED = 'SELECT pg_last_wal_replay_lsn() >= ?::pg_lsn AS "replayed"'

async function hasReplayed(replica: Database, position: string): Promise<boolean> {
  const deadline = performance.now() + CATCH_UP_MS
  for (;;) {
    const [row] = await sqlOf(replica).all(HAS_REPLAYED, [position])
    if (row?.replayed === true) return true
    if (row?.replayed === null || performance.now() > deadline) return false
    await sleep(LOOK_AGAIN_MS)
  }
}
