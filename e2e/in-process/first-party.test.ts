import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listConnectedApps, pauseApp, removeApp } from '../../lib/accounts/connected-apps'
import type { Session } from '../../lib/store/accounts/sessions'
import { sessionOf as browserOf, callApi, machineToken } from '../support/api'
import { as, call, changed, created, portal, startApi, unique } from '../support/api-objects'
import { usually } from '../support/databases'
import { authorizeUrl, exchange, received, userinfo, webRequest } from '../support/flow'
import { OldBrowser, type Page } from '../support/old-browser'

/** Applications of whoever runs the portal: whom they ask, and about what. */

const WEB = 'app_demo_web'
const SIGN_IN = 'openid email'
const loginOf = (at: number) => portal.demo().users[at] ?? { email: '', password: '' }
const ORIGIN = { ip: '127.0.0.1', requestId: 'r', userAgent: '' }

describe.each(usually('sqlite'))('first-party applications on %s', (kind) => {
  let bob: OldBrowser

  startApi(kind)
  beforeAll(async () => {
    bob = new OldBrowser(portal.origin)
    await bob.signIn(await bob.open('/login'), loginOf(1))
  })
  beforeEach(async () => {
    await set({ firstParty: false, preapprovedScopes: [] })
    await portal.op.db.consent.deleteMany({})
  })

  async function set(body: object, status = 200) {
    const answer = await changed('PATCH', `/applications/${WEB}`, body)
    expect(answer.status, answer.raw).toBe(status)
    return answer
  }
  const ask = (more: Record<string, string> = {}) =>
    bob.open(authorizeUrl(webRequest(portal.demo(), { scope: SIGN_IN, ...more })))
  const isAsked = ({ url }: Page) => url.includes('/consent?')
  const tokensOf = async (page: Page) =>
    JSON.parse((await exchange(portal, received(page).code ?? '')).body)
  const events = async () =>
    (await call('GET', '/audit-events?event=consent.assumed')).json.data as object[]
  async function sessionOf(): Promise<Session> {
    const headers = new Headers({ cookie: bob.cookieHeader() })
    const session = await portal.op.sessionOf({ headers })
    if (!session) throw new Error('Bob is signed out')
    return session as Session
  }

  test('nobody is asked about signing in, and the audit log says so', async () => {
    expect(isAsked(await ask())).toBe(true)
    await set({ firstParty: true })
    const before = (await events()).length
    const tokens = await tokensOf(await ask())
    expect(tokens.scope).toBe(SIGN_IN)
    expect(JSON.parse((await userinfo(portal.origin, tokens.access_token)).body)).toHaveProperty(
      'email',
    )
    expect((await events()).length).toBe(before + 1)
    // What is known is not said again.
    expect(received(await ask()).code).toBeDefined()
    expect((await events()).length).toBe(before + 1)
  })

  test('prompt=none is answered with a code, prompt=consent with the page', async () => {
    expect(received(await ask({ prompt: 'none' })).error).toBe('consent_required')
    await set({ firstParty: true })
    expect(received(await ask({ prompt: 'none' })).code).toBeDefined()
    expect(isAsked(await ask({ prompt: 'consent' }))).toBe(true)
  })

  test('a permission is asked about, unless an admin named it', async () => {
    await set({ firstParty: true })
    const scope = `${SIGN_IN} orders:read`
    expect(isAsked(await ask({ scope }))).toBe(true)
    await set({ preapprovedScopes: ['orders:read'] })
    expect((await tokensOf(await ask({ scope }))).scope).toBe(scope)
  })

  test('what a user said no to, or paused, is not assumed', async () => {
    await set({ firstParty: true })
    await ask()
    const session = await sessionOf()
    expect((await listConnectedApps(portal.op, session)).map((app) => app.firstParty)).toEqual([
      true,
    ])
    await pauseApp(portal.op, session, WEB, ORIGIN)
    expect(isAsked(await ask())).toBe(true)
    expect(received(await ask({ prompt: 'none' })).error).toBe('consent_required')
    await portal.op.db.consent.updateMany({ data: { pausedAt: null } })
    await portal.op.db.consent.updateMany({
      where: { scope: 'email' },
      data: { granted: false, assumed: false },
    })
    expect((await tokensOf(await ask())).scope).toBe('openid')
  })

  test('whoever removes it ends its tokens; opening it again gives it access again', async () => {
    await set({ firstParty: true })
    const { access_token: token } = await tokensOf(await ask())
    await removeApp(portal.op, await sessionOf(), WEB, ORIGIN)
    expect((await userinfo(portal.origin, token)).status).toBe(401)
    expect(received(await ask()).code).toBeDefined()
  })

  test('N32: without the mark, what was assumed counts for nothing', async () => {
    const scope = `${SIGN_IN} orders:read`
    await set({ firstParty: true, preapprovedScopes: ['orders:read'] })
    const { access_token: token } = await tokensOf(await ask({ scope }))
    await set({ preapprovedScopes: [] })
    expect(isAsked(await ask({ scope }))).toBe(true)
    expect(isAsked(await ask())).toBe(false)
    await set({ firstParty: false })
    expect(isAsked(await ask())).toBe(true)
    expect((await userinfo(portal.origin, token)).body).not.toContain('email')
  })

  test('N32: a native application without a secret asks every time', async () => {
    const { id } = await created('/applications', {
      kind: 'native',
      name: 'Ours on a device',
      redirectUris: ['http://127.0.0.1/back'],
      firstParty: true,
    })
    const page = await bob.open(
      authorizeUrl({
        client_id: id,
        redirect_uri: 'http://127.0.0.1:5555/back',
        response_type: 'code',
        scope: SIGN_IN,
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      }),
    )
    expect(isAsked(page)).toBe(true)
  })

  describe('N33: only whoever may read users, and govern the APIs, says so', () => {
    const PATH = `/applications/${WEB}`
    const seen = { 'if-match': '*' }

    test('400 for a permission of the portal, for an unknown one, and without the mark', async () => {
      await set({ preapprovedScopes: ['orders:read'] }, 400)
      await set({ firstParty: true, preapprovedScopes: ['users:read'] }, 400)
      await set({ firstParty: true, preapprovedScopes: ['orders:*'] }, 400)
    })

    test('400 for one that registered itself', async () => {
      const registered = (registration: string) =>
        portal.op.changePolicy((tx) =>
          tx.application.update({ where: { id: WEB }, data: { registration } }),
        )
      await registered('dynamic')
      const refused = await set({ firstParty: true }, 400)
      expect(refused.json.errors).toMatchObject([{ pointer: '/firstParty' }])
      await registered('admin')
    })

    test('403 for a machine that may not read users, also to make a way into such an application', async () => {
      const scope = 'applications:read applications:write users:read'
      const lesser = await machineToken(portal, 'applications:read applications:write')
      const by = (who: string, body: object) =>
        callApi(portal, who, 'PATCH', PATH, body, seen).then(({ status }) => status)
      expect(await by(lesser, { firstParty: true })).toBe(403)
      const reader = await machineToken(portal, scope)
      expect(await by(reader, { firstParty: true, preapprovedScopes: ['orders:read'] })).toBe(403)
      expect(await by(reader, { firstParty: true })).toBe(200)
      const { id } = await created('/applications', {
        kind: 'web',
        name: 'Ours, with nothing granted',
        redirectUris: ['https://ours.example/back'],
        firstParty: true,
      })
      const secret = { name: 'second' }
      const waysIn = (who: string) =>
        callApi(portal, who, 'POST', `/applications/${id}/secrets`, secret)
      expect((await waysIn(lesser)).status).toBe(403)
      expect((await waysIn(reader)).status).toBe(201)
    })

    test('403 for a machine that does not govern the APIs of its permissions, for each way in', async () => {
      const { id: ownerId } = await created('/users', { email: `${unique('own')}@example.org` })
      const { id } = await created('/applications', {
        kind: 'web',
        name: 'Ours, with a permission',
        redirectUris: ['https://ours.example/back'],
        firstParty: true,
        preapprovedScopes: ['orders:read'],
        owner: ownerId,
      })
      const scopes = 'applications:read applications:write users:read users:write'
      const reader = await machineToken(portal, scopes)
      const governor = await machineToken(portal, `${scopes} resources:write`)
      const ways = [
        ['POST', `/applications/${id}/secrets`, { name: 'second' }, 201],
        ['PATCH', `/applications/${id}`, { redirectUris: ['https://other.example/back'] }, 200],
        ['PATCH', `/users/${ownerId}`, { email: `${unique('new')}@example.org` }, 200],
      ] as const
      for (const [method, path, body, status] of ways) {
        const refused = await callApi(portal, reader, method, path, body, seen)
        expect(refused.status, refused.raw).toBe(403)
        expect(refused.raw).toContain('orders:')
        expect((await callApi(portal, governor, method, path, body, seen)).status).toBe(status)
      }
    })

    test('403 for a machine that sends all users elsewhere from their home', async () => {
      const { id } = await created('/applications', {
        kind: 'web',
        name: 'Ours, on every home',
        redirectUris: ['https://ours.example/back'],
        initiateLoginUri: 'https://ours.example/start',
        firstParty: true,
      })
      const lesser = await machineToken(portal, 'applications:read applications:write')
      const move = { initiateLoginUri: 'https://other.example/start' }
      const { status } = await callApi(portal, lesser, 'PATCH', `/applications/${id}`, move, seen)
      expect(status).toBe(403)
    })

    test('403 for an app manager; a change of its addresses by one takes the mark off', async () => {
      await changed('PATCH', '/users/usr_demo_bob', { adminRole: 'app_manager' })
      const manager = await browserOf(portal, portal.demo().users[1])
      const mine = await as(manager, 'POST', '/applications', {
        kind: 'web',
        name: 'Bob’s',
        redirectUris: ['https://bob.example/back'],
      })
      const path = `/applications/${mine.json.id}`
      const byBob = (body: object) => as(manager, 'PATCH', path, body, seen)
      expect((await byBob({ firstParty: true })).status).toBe(403)
      const marked = { firstParty: true, preapprovedScopes: ['orders:read'] }
      expect((await changed('PATCH', path, marked)).json).toMatchObject(marked)
      expect((await byBob({ preapprovedScopes: ['orders:read', 'orders:refund'] })).status).toBe(
        403,
      )
      expect((await byBob({ policyUri: 'https://bob.example/p' })).json).toMatchObject(marked)
      const moved = await byBob({ redirectUris: ['https://bob.example/other'] })
      expect(moved.json).toMatchObject({ firstParty: false, preapprovedScopes: [] })
      await changed('PATCH', '/users/usr_demo_bob', { adminRole: null })
    })
  })
})
