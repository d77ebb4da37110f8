import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, ask, FORM } from '../support/ask'
import { type CountingProxy, countingProxy } from '../support/counting-proxy'
import { demoDatabase } from '../support/databases'
import {
  aliceAtWeb,
  authorizeUrl,
  exchange,
  getCode,
  refresh,
  userinfo,
  webRequest,
} from '../support/flow'
import { type OpenPortal, openPortal } from '../support/in-process'
import type { OldBrowser } from '../support/old-browser'

/** Each round trip to the database is waited for: none may be added unnoticed. */

describe('round trips to PostgreSQL', () => {
  let proxy: CountingProxy
  let portal: OpenPortal
  let alice: OldBrowser

  beforeAll(async () => {
    proxy = await countingProxy(await demoDatabase.postgres())
    portal = await openPortal({ kind: 'postgres', env: { DATABASE_URL: proxy.url } })
    alice = await aliceAtWeb(portal)
  })

  afterAll(async () => {
    await portal.stop()
    proxy.close()
  })

  /** The fewest of several tries: a connection that is new prepares its statements. */
  async function fewest<T>(prepare: () => Promise<T>, work: (ready: T) => Promise<unknown>) {
    const counts: number[] = []
    for (let tries = 0; tries < 4; tries += 1) {
      const ready = await prepare()
      await portal.op.settled()
      // The policy version is then not looked at within the next second.
      await portal.op.latestSnapshot()
      const before = proxy.roundTrips()
      await work(ready)
      counts.push(proxy.roundTrips() - before)
    }
    return Math.min(...counts)
  }

  const nothing = async () => {}
  const newCode = () => getCode(alice, webRequest(portal.demo()))
  const tokens = async () => JSON.parse(succeeded(await exchange(portal, await newCode())).body)

  function succeeded(answer: Answer): Answer {
    expect(answer.status, answer.body).toBe(200)
    return answer
  }

  function introspect(token: string): Promise<Answer> {
    const { client_id, client_secret } = portal.demo().web
    const body = new URLSearchParams({ client_id, client_secret, token }).toString()
    const path = '/oidc/token/introspection'
    return ask(portal.origin, { method: 'POST', path, headers: FORM, body })
  }

  test('/oidc/auth with a session and consent takes at most 4', async () => {
    const url = authorizeUrl(webRequest(portal.demo()))
    const trips = await fewest(nothing, async () => {
      expect((await alice.open(url)).url).toContain('code=')
    })
    expect(trips).toBeLessThanOrEqual(4)
  })

  test('a code exchange takes at most 3', async () => {
    const trips = await fewest(newCode, async (code) => succeeded(await exchange(portal, code)))
    expect(trips).toBeLessThanOrEqual(3)
  })

  test('a refresh takes at most 2', async () => {
    const trips = await fewest(tokens, async ({ refresh_token }) =>
      succeeded(await refresh(portal, refresh_token)),
    )
    expect(trips).toBeLessThanOrEqual(2)
  })

  test('introspection of a user token takes at most 3', async () => {
    const trips = await fewest(tokens, async ({ access_token }) => {
      const { body } = succeeded(await introspect(access_token))
      expect(JSON.parse(body).active).toBe(true)
    })
    expect(trips).toBeLessThanOrEqual(3)
  })

  test('introspection of a refresh token takes at most 1', async () => {
    const trips = await fewest(tokens, async ({ refresh_token }) => {
      const { body } = succeeded(await introspect(refresh_token))
      expect(JSON.parse(body).active).toBe(true)
    })
    expect(trips).toBeLessThanOrEqual(1)
  })

  test('userinfo takes at most 3', async () => {
    const trips = await fewest(tokens, async ({ access_token }) =>
      succeeded(await userinfo(portal.origin, access_token)),
    )
    expect(trips).toBeLessThanOrEqual(3)
  })
})
