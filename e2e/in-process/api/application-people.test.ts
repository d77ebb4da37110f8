import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, machineToken, sessionOf } from '../../support/api'
import type { Fields } from '../../support/ask'
import { authorizeUrl, pkcePair, received } from '../../support/flow'
import { type OpenPortal, openPortal } from '../../support/in-process'
import { OldBrowser } from '../../support/old-browser'

let portal: OpenPortal

beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.stop())

describe('Q15: an application’s people', () => {
  const REDIRECT = 'https://bob.example/callback'

  test('Q15: an app manager sees and finds what each person agreed to share, and nothing else', async () => {
    const token = await machineToken(portal)
    const { admin, users } = portal.demo()
    const etag = { 'if-match': '*' }
    await callApi(portal, token, 'PATCH', '/users/usr_demo_bob', { adminRole: 'app_manager' }, etag)
    const bob = await sessionOf(portal, users[1])
    const mine = { kind: 'web', name: 'Bob’s', redirectUris: [REDIRECT] }
    const app = (await callApi(portal, bob, 'POST', '/applications', mine)).json
    for (const [who, scope] of [
      [users[0], 'openid'],
      [admin, 'openid profile email'],
    ] as const) {
      const browser = new OldBrowser(portal.origin)
      const fields = { client_id: app.id, redirect_uri: REDIRECT, response_type: 'code', scope }
      const pkce = { code_challenge: pkcePair().challenge, code_challenge_method: 'S256' }
      const login = await browser.open(authorizeUrl({ ...fields, ...pkce }))
      const consent = await browser.signIn(login, who ?? { email: '', password: '' })
      expect(received(await browser.submit(consent, {})).code).toBeDefined()
    }

    const path = `/applications/${app.id}/people`
    const seen = async (query = '', caller: string | Fields = bob) =>
      (await callApi(portal, caller, 'GET', `${path}?count=true${query}`)).json
    const all = await seen()
    const people = Object.fromEntries(all.data.map((one: { id: string }) => [one.id, one]))
    expect(people.usr_demo_alice).toMatchObject({ name: null, email: null, granted: ['openid'] })
    expect(people.usr_demo_admin).toMatchObject({ email: admin.email, name: expect.any(String) })
    expect(JSON.stringify(all)).not.toMatch(/alice@|"Alice/)

    const aliceHidden = { data: [], page: { total: 0 } }
    for (const q of ['alice@gatehouse.example', 'ALICE@', 'alice%40gatehouse']) {
      expect(await seen(`&q=${q}`)).toMatchObject(aliceHidden)
    }
    expect((await seen('&q=usr_demo_alice')).page.total).toBe(1)
    expect((await seen(`&q=${admin.email}`)).page.total).toBe(1)
    // Neither an order nor a cursor says more.
    for (const sort of ['name', '-name', 'email', '-email']) {
      const first = await seen(`&limit=1&sort=${sort}`)
      expect(first.data[0].id).toBe('usr_demo_admin')
      const cursor = String(first.page.next).split('.')[0] ?? ''
      expect(Buffer.from(cursor, 'base64url').toString()).not.toContain('@')
    }
    expect((await seen('&q=alice%40gatehouse', token)).data).toMatchObject([
      { id: 'usr_demo_alice', email: 'alice@gatehouse.example', name: expect.any(String) },
    ])
  })
})
