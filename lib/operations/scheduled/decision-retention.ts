import type { Op } from '../../context/op'
import { removeOldDecisions } from '../../store/stored-decisions'

const DAY_MS = 24 * 60 * 60 * 1000

/** Removes what the setting `decisionDays` no longer keeps: all of it, if that is 0. */
export async function removeOldBases(op: Op, mayGoOn: () => boolean): Promise<number> {
  const { security } = await op.settings.current()
  const now = op.now()
  const before = new Date(now.getTime() - security.decisionDays * DAY_MS)
  return op.read((db) => removeOldDecisions(db, before, now, mayGoOn))
}
