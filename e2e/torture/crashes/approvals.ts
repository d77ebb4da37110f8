import { setTimeout as sleep } from 'node:timers/promises'
import type { Failpoint } from '../../../lib/base/failpoint'
import { made, ok, type Person, people, WANTED, worldIn } from '../../support/access-requests'
import { type Call, caller, machineToken } from '../../support/api'
import type { Portal } from '../../support/portal'
import type { Tally } from '../report'
import type { Scenario } from './scenario'

/**
 * The second of two approvals: with the vote comes the grant, or neither has happened.
 */

/** Eve asks, and two of the others decide. */
const NAMES = ['ann', 'ben', 'cleo', 'eve'] as const
export type Asking = Record<(typeof NAMES)[number], Person>

export async function newAsking(portal: Portal): Promise<Asking> {
  const all = await people(portal, NAMES)
  await worldIn(portal, [all.ann, all.ben, all.cleo])
  return all
}

function approvalAt(point: Failpoint, happened: boolean): Scenario {
  return {
    point,
    async prepare({ asking: { ann, ben, eve } }) {
      const asked = { scope: WANTED, reason: 'The year ends' }
      const { id } = await made(eve.call, '/access-requests', asked)
      const path = `/access-requests/${id}`
      ok(await ann.call('POST', `${path}/approval`, {}))
      const approve = () => ben.call('POST', `${path}/approval`, {})
      return {
        act: approve,
        async verify(again, tally) {
          const { status } = ok(await eve.call('GET', path))
          const expected = happened ? 'approved' : 'pending'
          tally.check(status === expected, `the request afterwards: ${status}`)
          const repeated = (await approve()).status
          tally.check(repeated === (happened ? 409 : 200), `the approval again: ${repeated}`)
          const api = caller(again, await machineToken(again))
          await givenOnce(api, id, eve, tally)
          ok(await eve.call('POST', `${path}/revocation`, {}))
        },
      }
    },
  }
}

/** A change counts in every worker. */
const FRESH_WITHIN_MS = 1_100

async function givenOnce(api: Call, id: string, eve: Person, tally: Tally): Promise<void> {
  const { data } = ok(await api('GET', '/resources/ledger/holders'))
  const holders = data.flatMap((item: { holders: { request?: string }[] }) => item.holders)
  const given = holders.filter(({ request }: { request?: string }) => request === id)
  tally.check(given.length === 1, `${given.length} grants`)
  await sleep(FRESH_WITHIN_MS)
  const question = { user: eve.id, permission: WANTED }
  const { allowed } = ok(await api('POST', '/permissions/check', question))
  tally.check(allowed, 'the permission that was approved is not held')
  const events = ok(await api('GET', `/audit-events?targetId=${id}`)).data
  const told = events.filter(({ event }: { event: string }) => event === 'access_request.approved')
  tally.check(told.length === 1, `${told.length} entries say that it was approved`)
}

export const approvals: Scenario[] = [
  approvalAt('approval:voted', false),
  approvalAt('approval:given', false),
  approvalAt('approval:committed', true),
]
