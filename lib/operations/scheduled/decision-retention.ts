import { DAY_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { removeOldDecisions } from '../../store/audit/stored-decisions'

/** Removes what the setting `decisionDays` no longer keeps: all of it, if that is 0. */
export async function removeOldBases(op: Op, mayGoOn: () => boolean): Promise<number> {
  const { security } = await op.settings.current()
  const now = op.now()
  const before = new Date(now.getTime() - security.decisionDays * DAY_MS)
  return op.read((db) => removeOldDecisions(db, before, now, mayGoOn))
}
