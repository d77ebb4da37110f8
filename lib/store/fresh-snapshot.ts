import type { Snapshot } from '../oidc/provider'
import type { OwnApi } from '../portal-api'
import type { Database } from './database'
import { readPolicyVersion } from './policy-version'
import { loadSnapshot, renewSnapshot } from './snapshot'
import { reaching } from './unavailable'

const STALE_AFTER_MS = 1_000
const WAIT_MS = 500

/**
 * The snapshot that answers. One checked over a second ago is checked before it answers again, so a
 * change made by another instance is seen within a second; `invalidate` makes a change of this
 * process visible at once. Callers that arrive together share one check. Where everything has to be
 * read again and there is much of it, the old one answers until the new one is there.
 */
export function freshSnapshot(db: Database, own: OwnApi) {
  let current: Snapshot | null = null
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<Snapshot> | null = null
  /** A change of our own: nobody may be answered from before it. */
  let forced = false

  async function check(): Promise<Snapshot> {
    // A database that does not answer is told at once; reading much of it may take its time.
    const version = await reaching(readPolicyVersion(db))
    const unchanged = version === current?.version
    if (current && unchanged) return current
    return current ? renewSnapshot(db, own, current) : loadSnapshot(db, own)
  }

  function startCheck(): Promise<Snapshot> {
    const startedAt = performance.now()
    const mine = check()
      .then((snapshot) => {
        // A check that was overtaken by `invalidate` still answers its own callers, who asked
        // before the change, but must not stay.
        if (checking === mine) {
          current = snapshot
          checkedAt = startedAt
          forced = false
        }
        return snapshot
      })
      .finally(() => {
        if (checking === mine) checking = null
      })
    checking = mine
    return mine
  }

  function get(): Promise<Snapshot> {
    if (current && performance.now() - checkedAt < STALE_AFTER_MS) return Promise.resolve(current)
    const check = checking ?? startCheck()
    return current && !forced ? orMeanwhile(check, current) : check
  }

  /** For those who asked for the latest: the version is read again, whoever wrote it. */
  function latest(): Promise<Snapshot> {
    checkedAt = Number.NEGATIVE_INFINITY
    return startCheck()
  }

  function invalidate(): void {
    forced = true
    checkedAt = Number.NEGATIVE_INFINITY
    checking = null
  }

  return { get, latest, invalidate }
}

/** A check that fails is told; one that takes long goes on behind an answer from before. */
async function orMeanwhile(check: Promise<Snapshot>, current: Snapshot): Promise<Snapshot> {
  let timer: NodeJS.Timeout | undefined
  const meanwhile = new Promise<Snapshot>((resolve) => {
    timer = setTimeout(() => resolve(current), WAIT_MS)
  })
  try {
    return await Promise.race([check, meanwhile])
  } finally {
    clearTimeout(timer)
  }
}
