import { afterAll, beforeAll, expect } from 'vitest'
import { createOp, type OpenOp } from '../../lib/op'
import type { Demo } from '../../lib/operations/demo'
import { readConfig } from '../../lib/settings/config'
import type { Answer } from './ask'
import { demoDatabase, type Kind } from './databases'
import { aliceAtWeb, exchange, getCode, webRequest } from './flow'
import type { OldBrowser } from './old-browser'
import { type Portal, startPortal } from './portal'

/** What the tests of codes and tokens share: two portals on one database, and a browser in which Alice signed in. */

export let portal: Portal
export let second: Portal
export let demo: Demo
export let house: OpenOp
export let alice: OldBrowser

export function startCodeFlow(kind: Kind): void {
  beforeAll(async () => {
    const DATABASE_URL = await demoDatabase[kind]()
    portal = await startPortal({
      args: ['--demo'],
      env: { DATABASE_URL, REFRESH_REPLAY_SECONDS: '2' },
    })
    const { PORT: _taken, ...shared } = portal.env
    const strict = { ISSUER: portal.origin, REFRESH_REPLAY_SECONDS: '0' }
    second = await startPortal({ env: { ...shared, ...strict } })
    demo = portal.demo()
    house = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
    alice = await aliceAtWeb(portal)
  })

  afterAll(async () => {
    await house.close()
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
  await house.changePolicy((tx) =>
    tx.application.update({ where: { id: demo.web.client_id }, data: { requiredScopes } }),
  )
  await new Promise((resolve) => setTimeout(resolve, 1_050))
}

export function expectInvalidGrant(answer: Answer): void {
  expect([answer.status, body(answer).error]).toEqual([400, 'invalid_grant'])
  expect(answer.headers['cache-control']).toBe('no-store')
}

/** The other client may use every grant, so that it is refused for what it sends and not for what it is. */
export async function allowOtherClient(): Promise<void> {
  const grantTypes = ['client_credentials', 'authorization_code', 'refresh_token']
  await house.changePolicy((tx) =>
    tx.application.update({ where: { id: demo.machine.client_id }, data: { grantTypes } }),
  )
  await new Promise((resolve) => setTimeout(resolve, 1_050))
}
