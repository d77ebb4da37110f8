import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Demo } from '../../lib/operations/demo'
import { type Database, openDatabase } from '../../lib/store/database/database'
import { ask, type Fields } from '../support/ask'
import { type CuttingProxy, cuttingProxy } from '../support/cutting-proxy'
import { freshDatabase } from '../support/databases'
import { aliceAtWeb, authorizeUrl, exchange, getCode, userinfo, webRequest } from '../support/flow'
import type { OldBrowser } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'

/**
 * docs/attacks.md, B38: what goes wrong on our side, below the trust line and above it. A portal of
 * its own: its database fails, and its log is read.
 */

let portal: Portal
let demo: Demo
let proxy: CuttingProxy
let db: Database
let alice: OldBrowser

beforeAll(async () => {
  const url = new URL(await freshDatabase.postgres())
  db = await openDatabase(url.href)
  proxy = await cuttingProxy(Number(url.port))
  url.port = String(proxy.port)
  portal = await startPortal({ args: ['--demo'], env: { DATABASE_URL: url.href } })
  demo = portal.demo()
  alice = await aliceAtWeb(portal)
})

afterAll(async () => {
  proxy.close()
  await portal.stop()
  await db.$disconnect()
})

const SESSIONS = '"Session"'
const EVERYTHING = 'SELECT'

/** One answer of the authorization endpoint, in Alice's browser. */
async function answer(more: Fields = {}) {
  const cookie = [...alice.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const path = authorizeUrl(webRequest(demo, more))
  return ask(portal.origin, { path, headers: { cookie } })
}

/** ER(code), and a line in the log that can be found from the answer. */
async function expectFault(error: string): Promise<void> {
  const { status, headers } = await answer()
  const location = new URL(headers.location ?? '')
  expect([status, location.origin + location.pathname]).toEqual([303, demo.web.redirect_uris[0]])
  expect(headers['cache-control']).toBe('no-store')
  const { error_description, ...rest } = Object.fromEntries(location.searchParams)
  expect(error_description).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/)
  expect(rest).toEqual({ error, state: 'the-state', iss: portal.origin })
  await expect
    .poll(() => faultsLogged().map(({ requestId }) => requestId))
    .toContain(headers['x-request-id'])
}

function faultsLogged(): { requestId: string }[] {
  const lines = portal.output().split('\n')
  return lines.filter((line) => line.includes('"msg":"fault"')).map((line) => JSON.parse(line))
}

describe('B38: below the trust line', () => {
  test('an exception of ours is server_error', async () => {
    await db.$executeRaw`ALTER TABLE "Consent" RENAME TO "ConsentAway"`
    try {
      await expectFault('server_error')
    } finally {
      await db.$executeRaw`ALTER TABLE "ConsentAway" RENAME TO "Consent"`
    }
    expect((await answer()).headers.location).toContain('code=')
  })

  test('a database that hangs up is temporarily_unavailable', async () => {
    proxy.cut(SESSIONS)
    try {
      await expectFault('temporarily_unavailable')
    } finally {
      proxy.cut(null)
    }
    expect((await answer()).headers.location).toContain('code=')
  })
})

// Nobody can say whether the address is registered, so nobody is sent there.
test('B38: above the trust line a database that is away is a page of ours, 503', async () => {
  proxy.cut(EVERYTHING)
  // What was read within the last second is still known.
  await expect.poll(async () => (await answer()).status).toBe(503)
  const { status, headers, body } = await answer()
  proxy.cut(null)
  expect([status, headers.location]).toEqual([503, undefined])
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['retry-after']).toMatch(/^\d+$/)
  expect(body).toContain(headers['x-request-id'])
})

test('O7: the other endpoints are 503 with Retry-After as well, whatever they were reading', async () => {
  const code = await getCode(alice, webRequest(demo))
  const { access_token } = JSON.parse((await exchange(portal, code)).body)
  const next = await getCode(alice, webRequest(demo))
  for (const [table, ask] of [
    ['"TokenGrant"', () => userinfo(portal.origin, access_token)],
    ['"AuthorizationCode"', () => exchange(portal, next)],
  ] as const) {
    proxy.cut(table)
    const { status, headers, body } = await ask()
    proxy.cut(null)
    expect([status, JSON.parse(body).error]).toEqual([503, 'temporarily_unavailable'])
    expect(headers['retry-after']).toMatch(/^\d+$/)
  }
  expect((await exchange(portal, next)).status).toBe(200)
})
