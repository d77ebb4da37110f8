import type { Snapshot } from '../oidc/provider'
import type { OwnApi } from '../portal-api'
import type { Database } from './database'
import { readPolicyVersion } from './policy-version'
import { loadSnapshot } from './snapshot'
import { reaching } from './unavailable'

const STALE_AFTER_MS = 1_000

/**
 * The snapshot that answers. One checked over a second ago is checked before it answers again, so a
 * change made by another instance is seen within a second; `invalidate` makes a change of this
 * process visible at once. Callers that arrive together share one check.
 */
export function freshSnapshot(db: Database, own: OwnApi) {
  let current: Snapshot | null = null
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<Snapshot> | null = null

  async function check(): Promise<Snapshot> {
    const unchanged = current && (await readPolicyVersion(db)) === current.version
    return current && unchanged ? current : loadSnapshot(db, own)
  }

  function startCheck(): Promise<Snapshot> {
    const startedAt = performance.now()
    const mine = reaching(check())
      .then((snapshot) => {
        // A check that was overtaken by `invalidate` still answers its own callers, who asked
        // before the change, but must not stay.
        if (checking === mine) {
          current = snapshot
          checkedAt = startedAt
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
    return checking ?? startCheck()
  }

  /** For those who asked for the latest: the version is read again, whoever wrote it. */
  function latest(): Promise<Snapshot> {
    checkedAt = Number.NEGATIVE_INFINITY
    return startCheck()
  }

  function invalidate(): void {
    checkedAt = Number.NEGATIVE_INFINITY
    checking = null
  }

  return { get, latest, invalidate }
}
