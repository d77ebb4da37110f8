import type { Op } from '../../context/op'
import { removeApplication } from '../../store/applications'
import { listUnused } from '../../store/client-registrations'

const DAY_MS = 24 * 60 * 60 * 1000
const MOST_AT_ONCE = 50

/** Deletes clients that registered themselves and that nobody has used for as long as admins say. */
export async function removeUnusedClients(op: Op, mayGoOn: () => boolean): Promise<number> {
  const { unusedDays } = (await op.settings.current()).clientRegistration
  const before = new Date(op.now().getTime() - unusedDays * DAY_MS)
  let removed = 0
  for (let found = MOST_AT_ONCE; found === MOST_AT_ONCE && mayGoOn(); ) {
    const unused = await op.read((db) => listUnused(db, before, MOST_AT_ONCE))
    for (const client of unused) removed += await removeOne(op, client)
    found = unused.length
  }
  return removed
}

type Unused = { id: string; name: string; version: number }

function removeOne(op: Op, client: Unused): Promise<number> {
  const { id, name } = client
  return op.changePolicy(
    async (tx, audit) => {
      const count = await removeApplication(tx, client, op.now())
      if (count === 0) return 0 // another server process was faster
      audit({
        ...{ event: 'registration.expired', result: 'success' },
        ...{ actorKind: 'system', actorId: null, applicationId: id },
        ...{ targetKind: 'application', targetId: id, ip: null, detail: { name } },
      })
      return count
    },
    [{ kind: 'application', id }],
  )
}
