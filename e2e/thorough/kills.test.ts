import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../lib/base/time'
import { made, ok, people } from '../support/access-requests'
import { caller, machineToken } from '../support/api'
import { aliceAtWeb, exchange, getCode, webRequest } from '../support/flow'
import { openPortal } from '../support/in-process'
import { type Portal, spawnPortal, startPortal } from '../support/portal'
import { startReceiver } from '../support/receiver'

/** What a kill -9 amid the work of the background leaves is taken up after a restart. */

const LATER = join(import.meta.dirname, '../support/later.mjs')
const SOON = { interval: 250 }

test('L13: a logout that was not delivered is delivered after a kill, with the same id', async () => {
  const receiver = await startReceiver()
  const OUTBOUND_HOSTS = `localhost:${receiver.port}`
  const first = await startPortal({ args: ['--demo'], env: { OUTBOUND_HOSTS } })
  const api = caller(first, await machineToken(first))
  const backchannelLogoutUri = `http://localhost:${receiver.port}/bcl`
  const any = { 'if-match': '*' }
  ok(await api('PATCH', '/applications/app_demo_web', { backchannelLogoutUri }, any))
  receiver.status = 500
  await signInAndOut(first)
  await expect.poll(() => receiver.bodies.length, SOON).toBe(1)
  first.signal('SIGKILL')
  await first.exited
  receiver.status = 200
  const again = await startPortal({ env: first.env })
  await expect.poll(() => receiver.bodies.length, SOON).toBe(2)
  const ids = receiver.bodies.map(
    (body) => decodeJwt(new URLSearchParams(body).get('logout_token') ?? '').jti,
  )
  expect(ids[0]).toBe(ids[1])
  await again.stop()
  receiver.close()
})

async function signInAndOut(portal: Portal): Promise<void> {
  const browser = await aliceAtWeb(portal)
  const answer = await exchange(portal, await getCode(browser, webRequest(portal.demo())))
  await browser.open(`/oidc/session/end?id_token_hint=${JSON.parse(answer.body).id_token}`)
}

test('W9: a review that was killed at its deadline is carried out, each item once', async () => {
  const before = await openPortal()
  const { ann, ben, eve } = await people(before, ['ann', 'ben', 'eve'])
  const api = caller(before, await machineToken(before))
  const role = await made(api, '/spaces/demo/roles', { key: 'silent', name: 'Silent' })
  const assignments: string[] = []
  for (const { id } of [ann, eve]) {
    const subject = { type: 'user', id }
    assignments.push((await made(api, '/spaces/demo/assignments', { role: role.id, subject })).id)
  }
  const { id } = await made(api, '/reviews', {
    name: 'Silent',
    over: { type: 'role', id: role.id },
    reviewers: [{ type: 'user', id: ben.id }],
    deadline: new Date(Date.now() + 1.1 * DAY_MS).toISOString(),
  })
  await before.stop()
  const { ISSUER: _, ...rest } = before.env
  const NODE_OPTIONS = `--import ${pathToFileURL(LATER)}`
  const env = { ...rest, LOG_LEVEL: 'info', NODE_OPTIONS, LATER_BY_MS: String(2 * DAY_MS) }
  const armed = { ...env, GATEHOUSE_FAILPOINT: 'review:applied' }
  expect(await (await spawnPortal(['dist/server.js'], armed)).exited).toBe(null)
  const portal = await startPortal({ env })
  const asked = caller(portal, await machineToken(portal))
  const status = async () => ok(await asked('GET', `/reviews/${id}`)).status
  await expect.poll(status, SOON).toBe('closed')
  for (const one of assignments) {
    const path = `/audit-events?event=assignment.deleted&targetId=${one}`
    expect(ok(await asked('GET', path)).data).toHaveLength(1)
  }
  await portal.stop()
})
