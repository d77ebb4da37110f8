import type { OwnApi } from '../access/portal-api'
import type { Reader } from './connection'
import { readPolicyVersion } from './policy-version'
import { type HouseSnapshot, loadSnapshot, renewSnapshot } from './snapshot'
import { reaching } from './unavailable'

const STALE_AFTER_MS = 1_000
const WAIT_MS = 500

/**
 * The snapshot that answers. One checked over a second ago is checked before it answers again, so a
 * change made by another instance is seen within a second; `invalidate` makes a change of this
 * process visible at once. Callers that arrive together share one check. Where everything has to be
 * read again and there is much of it, the old one answers until the new one is there.
 */
export function freshSnapshot(db: Reader, own: OwnApi) {
  let current: HouseSnapshot | null = null
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Check | null = null
  /** A change of our own: nobody may be answered from before it. */
  let forced = false

  async function read(version: number): Promise<HouseSnapshot> {
    if (!current) return loadSnapshot(db, own)
    return version === current.version ? current : renewSnapshot(db, own, current)
  }

  function startCheck(): Check {
    const startedAt = performance.now()
    const version = reaching(readPolicyVersion(db))
    const mine: Check = { version, snapshot: version.then(read).then(keep, leave) }
    mine.snapshot.catch(() => {}) // whoever waits hears of it; nobody may be waiting
    checking = mine
    return mine

    // A check that was overtaken by `invalidate` still answers its own callers, who asked before
    // the change, but must not stay.
    function keep(snapshot: HouseSnapshot): HouseSnapshot {
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

  async function get(): Promise<HouseSnapshot> {
    if (current && performance.now() - checkedAt < STALE_AFTER_MS) return current
    const check = checking ?? startCheck()
    if (!current || forced) return check.snapshot
    // A database that does not answer is told; one that has much to tell may take its time.
    await check.version
    return orMeanwhile(check.snapshot, current)
  }

  /** For those who asked for the latest: the version is read again, whoever wrote it. */
  function latest(): Promise<HouseSnapshot> {
    checkedAt = Number.NEGATIVE_INFINITY
    return startCheck().snapshot
  }

  function invalidate(): void {
    forced = true
    checkedAt = Number.NEGATIVE_INFINITY
    checking = null
  }

  /** What is here already, however old; null before the first one. */
  const known = () => current

  return { get, latest, known, invalidate }
}

type Check = { version: Promise<number>; snapshot: Promise<HouseSnapshot> }

/** What takes long goes on behind an answer from before. */
async function orMeanwhile(
  check: Promise<HouseSnapshot>,
  current: HouseSnapshot,
): Promise<HouseSnapshot> {
  let timer: NodeJS.Timeout | undefined
  const meanwhile = new Promise<HouseSnapshot>((resolve) => {
    timer = setTimeout(() => resolve(current), WAIT_MS)
  })
  try {
    return await Promise.race([check, meanwhile])
  } finally {
    clearTimeout(timer)
  }
}
