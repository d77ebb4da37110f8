import { whenCompiled } from '../../access/stored-condition'
import type { WantedSubjects } from '../../oidc/provider'
import { reaching } from '../database/unavailable'
import { type ChangeLog, type Changes, readChangeLog } from './policy-version'
import {
  loadSnapshot,
  type ModelSnapshot,
  type PortalSnapshot,
  type RenewedSnapshot,
  renewSnapshot,
  type Source,
} from './snapshot'
import { SubjectCache } from './subject-cache'
import { type Models, withWanted } from './wanted-subjects'

const STALE_AFTER_MS = 1_000
const WAIT_MS = 500

/** The current snapshot, with the subjects that a caller wants. */
export function freshSnapshot(source: Source, cacheBytes: number) {
  const subjects = new SubjectCache(source.db, source.kind, cacheBytes)
  const models = freshModel(source, (changes) => {
    if (changes) subjects.drop(changes)
    else subjects.clear()
  })
  return {
    get: (wanted?: WantedSubjects) => withWanted(models, subjects, wanted),
    /** For callers who ask for the latest: the version is read again. */
    async latest(wanted?: WantedSubjects): Promise<PortalSnapshot> {
      await models.checked()
      return withWanted(models, subjects, wanted)
    },
    invalidate: models.invalidate,
    async isRegisteredOrigin(origin: string): Promise<boolean> {
      await models.fresh() // drops what another process has changed
      return subjects.isRegisteredOrigin(origin)
    },
    /** The snapshot in memory, however old; null before the first one. */
    known: models.kept,
    /** What the cache of users and clients holds. */
    cached: () => subjects.facts(),
  }
}

/**
 * The current model. If its last check is over a second ago, it is checked before it is used again,
 * so a change by another server process is seen within a second; `invalidate` makes a change of this
 * process visible at once. Concurrent callers share one check. If a large model has to be read
 * again, the old one is used until the new one is complete. `renewed` hears of the changes before
 * anybody uses the new model; null: anything may have changed.
 */
function freshModel(source: Source, renewed: (changes: Changes | null) => void) {
  let current: ModelSnapshot | null = null
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Check | null = null
  /** A change by this process: no answer may use an older snapshot. */
  let forced = false

  async function read(log: ChangeLog): Promise<RenewedSnapshot> {
    if (log.version === current?.version) return { snapshot: current, changes: null }
    const read = current
      ? await renewSnapshot(source, current, log)
      : { snapshot: await loadSnapshot(source), changes: null }
    await whenCompiled()
    return read
  }

  function startCheck(): Check {
    const startedAt = performance.now()
    const log = reaching(readChangeLog(source.db, source.kind, current?.version ?? 0))
    const mine: Check = { log, snapshot: log.then(read).then(keep, leave) }
    mine.snapshot.catch(() => {}) // waiting callers get the error; there may be none
    checking = mine
    return mine

    // A check that was overtaken by `invalidate` still answers its own callers, who asked before
    // the change, but is not kept.
    function keep({ snapshot, changes }: RenewedSnapshot): ModelSnapshot {
      if (checking !== mine) return snapshot
      if (snapshot !== current) renewed(changes)
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

  async function fresh(): Promise<ModelSnapshot> {
    if (current && performance.now() - checkedAt < STALE_AFTER_MS) return current
    const check = checking ?? startCheck()
    if (!current || forced) return check.snapshot
    // A database that does not answer is an error; reading a large model may take long.
    await check.log
    return orMeanwhile(check.snapshot, current)
  }

  function outdated(): void {
    checkedAt = Number.NEGATIVE_INFINITY
  }

  return {
    fresh,
    kept: () => current,
    outdated,
    checked: () => startCheck().snapshot,
    invalidate(): void {
      forced = true
      outdated()
      checking = null
    },
  } satisfies Models & Record<string, unknown>
}

type Check = { log: Promise<ChangeLog>; snapshot: Promise<ModelSnapshot> }

/** Returns the older snapshot while a long read goes on. */
async function orMeanwhile(
  check: Promise<ModelSnapshot>,
  current: ModelSnapshot,
): Promise<ModelSnapshot> {
  let timer: NodeJS.Timeout | undefined
  const meanwhile = new Promise<ModelSnapshot>((resolve) => {
    timer = setTimeout(() => resolve(current), WAIT_MS)
  })
  try {
    return await Promise.race([check, meanwhile])
  } finally {
    clearTimeout(timer)
  }
}
