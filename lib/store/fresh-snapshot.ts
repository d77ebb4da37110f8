import type { OwnApi } from '../access/portal-api'
import type { Reader } from './connection'
import { readPolicyVersion } from './policy-version'
import { loadSnapshot, type PortalSnapshot, renewSnapshot } from './snapshot'
import { reaching } from './unavailable'

const STALE_AFTER_MS = 1_000
const WAIT_MS = 500

/**
 * The current snapshot. If its last check is over a second ago, it is checked before it is used
 * again, so a change by another server process is seen within a second; `invalidate` makes a change
 * of this process visible at once. Concurrent callers share one check. If a large snapshot has to
 * be read again, the old one is used until the new one is complete.
 */
export function freshSnapshot(db: Reader, own: OwnApi) {
  let current: PortalSnapshot | null = null
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Check | null = null
  /** A change by this process: no answer may use an older snapshot. */
  let forced = false

  async function read(version: number): Promise<PortalSnapshot> {
    if (!current) return loadSnapshot(db, own)
    return version === current.version ? current : renewSnapshot(db, own, current)
  }

  function startCheck(): Check {
    const startedAt = performance.now()
    const version = reaching(readPolicyVersion(db))
    const mine: Check = { version, snapshot: version.then(read).then(keep, leave) }
    mine.snapshot.catch(() => {}) // waiting callers get the error; there may be none
    checking = mine
    return mine

    // A check that was overtaken by `invalidate` still answers its own callers, who asked before
    // the change, but is not kept.
    function keep(snapshot: PortalSnapshot): PortalSnapshot {
      if (checking !== mine) return snapshot
      current = snapshot
      checkedAt = startedAt
      forced = false
      checking = null
      return snapshot
    }
    function leave(error: unknown): never {
      if (checking === mine) checking = null
      throw error
    }
  }

  async function get(): Promise<PortalSnapshot> {
    if (current && performance.now() - checkedAt < STALE_AFTER_MS) return current
    const check = checking ?? startCheck()
    if (!current || forced) return check.snapshot
    // A database that does not answer is an error; reading a large snapshot may take long.
    await check.version
    return orMeanwhile(check.snapshot, current)
  }

  /** For callers who ask for the latest: the version is read again. */
  function latest(): Promise<PortalSnapshot> {
    checkedAt = Number.NEGATIVE_INFINITY
    return startCheck().snapshot
  }

  function invalidate(): void {
    forced = true
    checkedAt = Number.NEGATIVE_INFINITY
    checking = null
  }

  /** The snapshot in memory, however old; null before the first one. */
  const known = () => current

  return { get, latest, known, invalidate }
}

type Check = { version: Promise<number>; snapshot: Promise<PortalSnapshot> }

/** Returns the older snapshot while a long read goes on. */
async function orMeanwhile(
  check: Promise<PortalSnapshot>,
  current: PortalSnapshot,
): Promise<PortalSnapshot> {
  let timer: NodeJS.Timeout | undefined
  const meanwhile = new Promise<PortalSnapshot>((resolve) => {
    timer = setTimeout(() => resolve(current), WAIT_MS)
  })
  try {
    return await Promise.race([check, meanwhile])
  } finally {
    clearTimeout(timer)
  }
}
