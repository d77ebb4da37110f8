import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS } from '../../../lib/base/time'
import { made, ok } from '../../support/access-requests'
import { type Call, caller, machineToken } from '../../support/api'
import type { Portal } from '../../support/portal'
import type { Scenario } from './scenario'

/** A review dies while it is carried out: the rest is done after a restart, and nothing twice. */

const CLOSED_WITHIN_MS = 60_000
const LOOK_MS = 500

const apiOf = async (portal: Portal) => caller(portal, await machineToken(portal))

let roles = 0

/** A role for each of these, and a review in which Cleo removes all of it. */
async function decidedReview(api: Call, cleo: Call, cleoId: string, users: readonly string[]) {
  roles += 1
  const key = `crash-${roles}`
  const role = await made(api, '/spaces/demo/roles', { key, name: key })
  const assignments: string[] = []
  for (const id of users) {
    const body = { role: role.id, subject: { type: 'user', id } }
    assignments.push((await made(api, '/spaces/demo/assignments', body)).id)
  }
  const review = await made(api, '/reviews', {
    name: key,
    over: { type: 'role', id: role.id },
    reviewers: [{ type: 'user', id: cleoId }],
    deadline: new Date(Date.now() + 7 * DAY_MS).toISOString(),
  })
  const items: { id: string }[] = ok(await cleo('GET', `/reviews/${review.id}/items`)).data
  const decisions = items.map(({ id }) => ({ item: id, decision: 'remove' }))
  ok(await cleo('POST', `/reviews/${review.id}/decisions`, { decisions }))
  return { id: review.id as string, role: role.id as string, assignments }
}

export const reviews: Scenario[] = [
  {
    point: 'review:applied',
    async prepare({ portal, asking: { ann, ben, cleo, eve } }) {
      const holders = [ann.id, ben.id, eve.id]
      const review = await decidedReview(await apiOf(portal), cleo.call, cleo.id, holders)
      const path = `/reviews/${review.id}`
      return {
        act: async (armed) => (await apiOf(armed))('POST', `${path}/closure`, {}),
        async verify(again, tally) {
          const api = await apiOf(again)
          const found = await closed(api, path)
          tally.check(found.status === 'closed', `the review afterwards: ${found.status}`)
          const { removed } = found.counts.outcomes
          tally.check(removed === holders.length, `${removed} of ${holders.length} removed`)
          const left = ok(await api('GET', `/spaces/demo/assignments?role=${review.role}`)).data
          tally.check(left.length === 0, `${left.length} assignments are left`)
          for (const id of review.assignments) {
            const events = `/audit-events?event=assignment.deleted&targetId=${id}`
            const told = ok(await api('GET', events)).data
            tally.check(told.length === 1, `${told.length} entries say that ${id} was deleted`)
          }
        },
      }
    },
  },
]

/** Scheduled work goes on with it. */
async function closed(api: Call, path: string) {
  for (const end = Date.now() + CLOSED_WITHIN_MS; ; await sleep(LOOK_MS)) {
    const review = ok(await api('GET', path))
    if (review.status === 'closed' || Date.now() > end) return review
  }
}
