import { afterAll, beforeAll, expect } from 'vitest'
import type { OpenOp } from '../../lib/op'
import type { Demo } from '../../lib/operations/demo'
import type { Answer } from './ask'
import type { Kind } from './databases'
import { aliceAtWeb, exchange, getCode, webRequest } from './flow'
import { type OpenPortal, openPortal, openSecond } from './in-process'
import type { OldBrowser } from './old-browser'

/** What the tests of codes and tokens share: two portals on one database, and a browser in which Alice signed in. */

export let portal: OpenPortal
export let second: OpenPortal
export let demo: Demo
export let op: OpenOp
export let alice: OldBrowser

export function startCodeFlow(kind: Kind): void {
  beforeAll(async () => {
    portal = await openPortal({ kind, env: { REFRESH_REPLAY_SECONDS: '2' } })
    second = await openSecond(portal, { REFRESH_REPLAY_SECONDS: '0' })
    demo = portal.demo()
    op = portal.op
    alice = await aliceAtWeb(portal)
  })

  afterAll(async () => {
    await second.stop()
    await portal.stop()
  })
}

export const code = (more: Record<string, string> = {}) => getCode(alice, webRequest(demo, more))
export const body = (answer: Answer) => JSON.parse(answer.body)
export const tokens = async () => body(await exchange(portal, await code({ nonce: 'n-1' })))
export const otherClient = () => ({
  client_id: demo.machine.client_id,
  client_secret: demo.machine.client_secret,
})

export async function requireScopes(requiredScopes: string[]): Promise<void> {
  await op.changePolicy((tx) =>
    tx.application.update({ where: { id: demo.web.client_id }, data: { requiredScopes } }),
  )
}

export function expectInvalidGrant(answer: Answer): void {
  expect([answer.status, body(answer).error]).toEqual([400, 'invalid_grant'])
  expect(answer.headers['cache-control']).toBe('no-store')
}

/** The other client may use every grant, so that it is refused for what it sends and not for what it is. */
export async function allowOtherClient(): Promise<void> {
  const grantTypes = ['client_credentials', 'authorization_code', 'refresh_token']
  await op.changePolicy((tx) =>
    tx.application.update({ where: { id: demo.machine.client_id }, data: { grantTypes } }),
  )
}
