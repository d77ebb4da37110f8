import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import type { Failpoint } from '../../../lib/base/failpoint'
import { openDatabase } from '../../../lib/store/database/database'
import {
  aliceAtWeb,
  authorizeUrl,
  exchange,
  getCode,
  received,
  webRequest,
} from '../../support/flow'
import type { OldBrowser } from '../../support/old-browser'
import type { Portal } from '../../support/portal'
import type { Tally } from '../report'
import type { Scenario, Stage } from './scenario'

/** A logout and the word of it to the application: both or neither, and the word arrives. */

/** Longer than a message is locked for by a process that died with it. */
const SETTLED_WITHIN_MS = 60_000

function logoutAt(point: Failpoint, happened: boolean): Scenario {
  return {
    point,
    async prepare({ portal, receiver }) {
      const { browser, sid } = await somebody(portal)
      const page = await browser.open('/logout')
      return {
        act: () => leave(browser, page),
        async verify(again, tally) {
          const silent = await browser.open(
            authorizeUrl(webRequest(again.demo(), { prompt: 'none' })),
          )
          const open = received(silent).code !== undefined
          tally.check(open === !happened, `still signed in: ${open}`)
          if (open) await leave(browser, await browser.open('/logout'))
          await delivered(again, receiver, sid, tally)
        },
      }
    },
  }
}

/** In a browser of its own, with a token of the application that wants to hear of its end. */
async function somebody(portal: Portal): Promise<{ browser: OldBrowser; sid: string }> {
  const browser = await aliceAtWeb(portal)
  const code = await getCode(browser, webRequest(portal.demo()))
  const { id_token } = JSON.parse((await exchange(portal, code)).body)
  return { browser, sid: String(decodeJwt(id_token).sid) }
}

function leave(browser: OldBrowser, page: Awaited<ReturnType<OldBrowser['open']>>) {
  return browser.submit(page, { reach: 'here' })
}

/** It may be told twice, where nobody knows whether it was; it is one logout all the same. */
async function delivered(
  portal: Portal,
  receiver: Stage['receiver'],
  sid: string,
  tally: Tally,
): Promise<void> {
  const told = await receiver.told(sid)
  tally.check(told.length > 0, 'the application was never told')
  tally.check(new Set(told).size <= 1, `${new Set(told).size} logouts of one session`)
  const db = await openDatabase(portal.env.DATABASE_URL ?? '')
  const dedupeKey = `${sid} ${portal.demo().web.client_id}`
  const isDone = async () =>
    (await db.outboxMessage.findUnique({ where: { dedupeKey } }))?.deliveredAt != null
  const deadline = Date.now() + SETTLED_WITHIN_MS
  while (!(await isDone()) && Date.now() < deadline) await sleep(200)
  tally.check(await isDone(), 'the outbox does not know that it was told')
  await db.$disconnect()
}

export const logouts: Scenario[] = [
  logoutAt('logout:ended', false),
  logoutAt('logout:told', false),
  logoutAt('logout:committed', true),
  logoutAt('outbox:claimed', true),
  logoutAt('outbox:sent', true),
]
