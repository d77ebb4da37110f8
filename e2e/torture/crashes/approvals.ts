import { setTimeout as sleep } from 'node:timers/promises'
import type { Failpoint } from '../../../lib/base/failpoint'
import {
  ANY,
  made,
  ok,
  type Person,
  people,
  proved,
  WANTED,
  worldIn,
} from '../../support/access-requests'
import { type Call, caller, machineToken } from '../../support/api'
import type { Portal } from '../../support/portal'
import type { Tally } from '../report'
import type { Scenario } from './scenario'

/**
 * The second of two approvals, and access that is opened alone: with the vote or the request comes
 * the grant, or neither has happened.
 */

/** Eve asks, and two of the others decide. */
const NAMES = ['ann', 'ben', 'cleo', 'eve'] as const
export type Asking = Record<(typeof NAMES)[number], Person> & { oncall: string }

/** Whoever is on call opens the same alone, and Ann or Ben reviews it. */
export async function newAsking(portal: Portal): Promise<Asking> {
  const all = await people(portal, NAMES)
  const { api, rule } = await worldIn(portal, [all.ann, all.ben, all.cleo])
  const { id: oncall } = await made(api, '/groups', { key: 'oncall', name: 'On call' })
  const emergency = {
    people: [{ type: 'group', id: oncall }],
    seconds: 1800,
    reviewSeconds: 3600,
    reviewers: [all.ann, all.ben].map(({ id }) => ({ type: 'user', id })),
  }
  ok(await api('PATCH', `/request-rules/${rule}`, { emergency }, ANY))
  return { ...all, oncall }
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
          await givenOnce(api, { id, to: eve.id, event: 'access_request.approved' }, tally)
          ok(await eve.call('POST', `${path}/revocation`, {}))
        },
      }
    },
  }
}

/** A change counts in every worker. */
const FRESH_WITHIN_MS = 1_100

type Given = { id: string; to: string; event: string }

async function givenOnce(api: Call, { id, to, event }: Given, tally: Tally): Promise<void> {
  const { data } = ok(await api('GET', '/resources/ledger/holders'))
  const holders = data.flatMap((item: { holders: { request?: string }[] }) => item.holders)
  const given = holders.filter(({ request }: { request?: string }) => request === id)
  tally.check(given.length === 1, `${given.length} grants`)
  await sleep(FRESH_WITHIN_MS)
  const question = { user: to, permission: WANTED }
  const { allowed } = ok(await api('POST', '/permissions/check', question))
  tally.check(allowed, 'the permission that was given is not held')
  const events = ok(await api('GET', `/audit-events?targetId=${id}`)).data
  const told = events.filter((entry: { event: string }) => entry.event === event)
  tally.check(told.length === 1, `${told.length} entries say ${event}`)
}

let openers = 0

/** Opened alone: request, grant, entry and mails come together. */
function emergencyAt(point: Failpoint, happened: boolean): Scenario {
  return {
    point,
    async prepare({ portal, asking: { oncall } }) {
      const name = `opener-${openers++}`
      const { [name]: opener } = await people(portal, [name])
      const to = opener?.id ?? ''
      const before = caller(portal, await machineToken(portal))
      ok(await before('PUT', `/groups/${oncall}/members/${to}`))
      const call = await proved(portal, name)
      const asked = { scope: WANTED, reason: 'The month end job is stuck', emergency: true }
      const open = () => call('POST', '/access-requests', asked)
      const list = async () => ok(await call('GET', '/access-requests?view=own')).data
      return {
        act: open,
        async verify(again, tally) {
          const found = (await list()).length
          tally.check(found === (happened ? 1 : 0), `${found} requests afterwards`)
          const repeated = (await open()).status
          tally.check((repeated === 201) === !happened, `opened again: ${repeated}`)
          const [{ id }] = await list()
          const api = caller(again, await machineToken(again))
          await givenOnce(api, { id, to, event: 'access_request.emergency_opened' }, tally)
          ok(await call('POST', `/access-requests/${id}/revocation`, {}))
        },
      }
    },
  }
}

export const approvals: Scenario[] = [
  approvalAt('approval:voted', false),
  approvalAt('approval:given', false),
  approvalAt('approval:committed', true),
  emergencyAt('approval:given', false),
  emergencyAt('emergency:opened', true),
]
