import { DAY_MS, MINUTE_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { createOp } from '../../op'
import type { Demo } from '../../store/operations/demo'
import { prepareForPast } from '../../store/operations/sample-activity'
import { daysUntil, type Step } from './month'
import { stepsOf } from './story'

/**
 * Thirty days of sample activity. The portal itself does everything, with a clock that stands where
 * the story is, so that entries, tokens and decisions are what they would be.
 */

// Nobody gets a mail about what did not happen.
const WITHOUT_MAIL = { smtp: null, production: true, logLevel: 'silent' } as const

/** Loads the sample data as of thirty days ago, and then what happened since. */
export async function loadPast(op: Op, load: (past: Op) => Promise<Demo>): Promise<Demo> {
  const now = op.now()
  const days = daysUntil(now)
  const clock = { at: days[0]?.midnight ?? now.getTime() }
  const past = await createOp({ ...op.config, ...WITHOUT_MAIL }, () => new Date(clock.at))
  try {
    await past.read((db) => prepareForPast(db, past.databaseKind, past.now()))
    await past.signingKey('ES256')
    await past.signingKey('RS256')
    const demo = await load(past)
    await play(past, clock, stepsOf(past, demo, days), now.getTime() - MINUTE_MS)
    return demo
  } finally {
    await past.close()
  }
}

/** Entries of different days are never in one batch: the log is read as if it were in order. */
async function play(
  past: Op,
  clock: { at: number },
  steps: readonly Step[],
  end: number,
): Promise<void> {
  for (const { at, run } of steps) {
    if (at > end) return
    if (Math.floor(at / DAY_MS) > Math.floor(clock.at / DAY_MS)) await past.flush()
    clock.at = at
    await run()
  }
}
