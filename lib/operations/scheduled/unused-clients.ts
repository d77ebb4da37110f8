import { expire } from '../../api/registration/expire'
import { DAY_MS, HOUR_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { listUnused } from '../../store/applications/client-registrations'

const MAX_AT_ONCE = 50

/**
 * Deletes clients that registered themselves and that nobody has used for as long as admins say. One
 * that was never used goes earlier, unless an admin gave it an initial access token.
 */
export async function removeUnusedClients(op: Op, mayGoOn: () => boolean): Promise<number> {
  const { unusedDays } = (await op.settings.current()).clientRegistration
  const ago = (milliseconds: number) => new Date(op.now().getTime() - milliseconds)
  const before = {
    used: ago(unusedDays * DAY_MS),
    came: { open: ago(DAY_MS), document: ago(HOUR_MS) },
  }
  let removed = 0
  for (let found = MAX_AT_ONCE; found === MAX_AT_ONCE && mayGoOn(); ) {
    const unused = await op.read((db) => listUnused(db, before, MAX_AT_ONCE))
    for (const client of unused) removed += await expire(op, client)
    found = unused.length
  }
  return removed
}
