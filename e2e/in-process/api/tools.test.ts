import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, callApi, caller, machineToken, sessionOf } from '../../support/api'
import { askToken, type Fields, FORM, machineFields, ask as sendAsIs } from '../../support/ask'
import { usually } from '../../support/databases'
import { authorizeUrl, exchange, getCode, pkcePair, received, webRequest } from '../../support/flow'
import { type OpenPortal, openPortal } from '../../support/in-process'
import { OldBrowser } from '../../support/old-browser'

/** What only those who run the portal use: search, clean-up, test login, token inspection. */

const ALICE = 'usr_demo_alice'

describe.each(usually('sqlite'))('the tools of the admin pages on %s', (kind) => {
  let portal: OpenPortal
  let api: Call
  let manager: Fields

  beforeAll(async () => {
    portal = await openPortal({ kind })
    api = caller(portal, await machineToken(portal))
    await api('PATCH', '/users/usr_demo_bob', { adminRole: 'app_manager' }, { 'if-match': '*' })
    manager = await sessionOf(portal, portal.demo().users[1])
  })
  afterAll(() => portal.stop())

  const asManager: Call = (method, path, body) => callApi(portal, manager, method, path, body)

  describe('search', () => {
    const kindsIn = (answer: { json: { data: { kind: string }[] } }) => [
      ...new Set(answer.json.data.map((hit) => hit.kind)),
    ]

    test('finds applications, users, roles and APIs by name, taken literally (N15)', async () => {
      expect((await api('GET', '/search?q=ALICE')).json.data).toMatchObject([
        { kind: 'user', id: ALICE },
      ])
      expect(kindsIn(await api('GET', '/search?q=orders'))).toContain('api')
      expect((await api('GET', '/search?q=%25')).json.data).toEqual([])
      expect((await api('GET', '/search?q=%20')).status).toBe(400)
    })

    test('finds one kind, in one space, and the first by name without a text', async () => {
      const permissions = await api('GET', '/search?q=orders&kind=permission')
      expect(kindsIn(permissions)).toEqual(['permission'])
      expect(permissions.json.data[0].within).toMatch(/^api_/)
      const roles = await api('GET', '/search?kind=role&space=demo')
      expect(roles.json.data.map(({ hint }: { hint: string }) => hint)).toContain('clerk')
      expect((await api('GET', '/search?kind=role&space=nowhere')).status).toBe(404)
      expect((await api('GET', '/search?kind=spaceship')).status).toBe(400)
      expect((await asManager('GET', '/search?kind=user')).json.data).toEqual([])
      expect((await asManager('GET', '/search?kind=webhook')).json.data).toEqual([])
    })

    test('R27: only whoever may read spaces learns whether one exists', async () => {
      const weak = await machineToken(portal, 'applications:read')
      const answers = ['demo', 'nowhere'].map((space) =>
        callApi(portal, weak, 'GET', `/search?kind=api&space=${space}`),
      )
      const seen = (await Promise.all(answers)).map(({ status, json }) => [status, json.data])
      expect(seen).toEqual([
        [200, []],
        [200, []],
      ])
    })

    test('an app manager finds neither users nor other people’s applications (N2)', async () => {
      expect((await asManager('GET', '/search?q=alice')).json.data).toEqual([])
      expect((await asManager('GET', '/search?q=app_demo')).json.data).toEqual([])
      const { json } = await asManager('POST', '/applications', {
        kind: 'machine',
        name: 'Bobs shop',
      })
      expect((await asManager('GET', '/search?q=bobs')).json.data).toMatchObject([
        { kind: 'application', id: json.id },
      ])
    })
  })

  describe('dry run for an app manager', () => {
    test('over their own application and themselves only (N2)', async () => {
      const [own] = (await asManager('GET', '/applications')).json.data
      const decide = (body: object) => asManager('POST', '/scopes/decide', body)
      expect((await decide({ client: 'app_demo_web', scope: 'openid' })).status).toBe(404)
      const given = await decide({ client: own.id, user: 'usr_demo_bob', scope: 'openid' })
      expect(given.json).toMatchObject({ outcome: 'granted', scope: 'openid' })
      expect(given.json.decisions[0].explanation).toBeUndefined()
      const other = await decide({ client: own.id, user: ALICE, scope: 'openid' })
      const nobody = await decide({ client: own.id, user: 'usr_nobody', scope: 'openid' })
      expect([other.status, other.json.errors]).toEqual([400, nobody.json.errors])
    })
  })

  describe('clean-up', () => {
    const base = '/reports/least-privilege/clean-up'
    const machine = 'app_demo_machine'

    test('a preview of what nobody asked for; what is confirmed goes in one change (N21)', async () => {
      await askToken(portal.origin, machineFields(portal, { scope: 'orders:read' }))
      await portal.op.settled()
      const preview = (await api('GET', `${base}?client=${machine}&days=7`)).json
      const patterns = preview.grants.map((grant: { pattern: string }) => grant.pattern)
      expect(patterns).toContain('orders:write')
      expect(patterns).not.toContain('orders:read')
      expect(preview).toMatchObject({ complete: true, grants: [{ young: true }, {}] })

      const [unused] = preview.grants.filter(
        (grant: { pattern: string }) => grant.pattern === 'orders:write',
      )
      const chosen = { client: machine, days: 7, grants: [unused.id] }
      expect((await asManager('POST', base, chosen)).status).toBe(404)
      expect((await api('POST', base, chosen)).json).toEqual({
        grants: [unused.id],
        scopes: [],
        narrowTo: null,
      })
      const left = (await api('GET', `/applications/${machine}/grants`)).json.grants
      expect(left.map((grant: { pattern: string }) => grant.pattern)).not.toContain('orders:write')
      const [entry] = (await api('GET', '/audit-events?event=application.cleaned_up')).json.data
      expect(entry).toMatchObject({
        targetId: machine,
        detail: { before: { grants: [{ pattern: 'orders:write' }] } },
      })
      expect((await api('POST', base, chosen)).status).toBe(409)
    })

    test('409 for a grant that is used, and for one of somebody else; nothing is changed', async () => {
      const grants = (await api('GET', `/applications/${machine}/grants`)).json.grants
      const used = grants.find((grant: { pattern: string }) => grant.pattern === 'orders:read')
      const web = (await api('GET', '/applications/app_demo_web/grants')).json.grants[0]
      for (const id of [used.id, web.id]) {
        const refused = await api('POST', base, { client: machine, days: 7, grants: [id] })
        expect([id, refused.status]).toEqual([id, 409])
      }
      expect((await api('GET', `/applications/${machine}/grants`)).json.grants).toEqual(grants)
    })

    test('an access key loses the lines of its list that it never used', async () => {
      const made = await api('POST', `/applications/${machine}/keys`, {
        name: 'wide',
        scopes: ['orders:read', 'orders:write'],
      })
      const { accessKey: client, secretKey } = made.json
      const fields = { grant_type: 'client_credentials', client_id: client }
      await askToken(portal.origin, { ...fields, client_secret: secretKey, scope: 'orders:read' })
      await portal.op.settled()
      const preview = (await api('GET', `${base}?client=${client}`)).json
      expect(preview).toMatchObject({ grants: [], scopes: ['orders:write'] })
      await api('POST', base, { client, scopes: preview.scopes })
      const key = (await api('GET', `/applications/${machine}/keys/${client}`)).json
      expect(key.scopes).toEqual(['orders:read'])
    })

    test('an access key as wide as its application is narrowed to what it asked for', async () => {
      const made = await api('POST', `/applications/${machine}/keys`, { name: 'open' })
      const { accessKey: client, secretKey } = made.json
      const fields = { grant_type: 'client_credentials', client_id: client }
      await askToken(portal.origin, { ...fields, client_secret: secretKey, scope: 'orders:read' })
      await portal.op.settled()
      expect((await api('GET', `${base}?client=${client}`)).json.narrowTo).toEqual(['orders:read'])
      const other = await api('POST', base, { client, narrowTo: ['users:read'] })
      expect(other.status).toBe(409)
      await api('POST', base, { client, narrowTo: ['orders:read'] })
      const key = (await api('GET', `/applications/${machine}/keys/${client}`)).json
      expect(key.scopes).toEqual(['orders:read'])
    })
  })

  describe('assertions', () => {
    test('what stays as it was keeps its id and its last run', async () => {
      const path = '/spaces/demo/assertions'
      const one = { question: { user: ALICE, permission: 'orders:read' }, expected: true }
      const two = { question: { user: ALICE, permission: 'orders:refund' }, expected: false }
      const put = async (assertions: object[]) =>
        (await api('PUT', path, { assertions }, { 'if-match': '*' })).json.assertions
      const [first] = await put([one])
      await api('POST', `${path}:run`)
      const both = await put([one, two])
      const kept = both.find((row: { id: string }) => row.id === first.id)
      expect(kept).toMatchObject({ expected: true, lastRunAt: expect.any(String) })
      const changed = await put([{ ...one, expected: false }])
      expect(changed).toMatchObject([{ lastRunAt: null, lastResult: null }])
      expect(changed[0].id).not.toBe(first.id)
    })
  })

  describe('test login', () => {
    const ask = { client: 'app_demo_web', scope: 'openid profile orders:read orders:refund' }
    const start = async (by: Call = api, more: object = {}) =>
      (await by('POST', '/test-logins', { ...ask, ...more })).json

    /** The browser that the test was begun in, with Alice at it. */
    async function walk(started: {
      url: string
      cookie: { name: string; value: string } | null
    }): Promise<Record<string, string>> {
      const browser = new OldBrowser(portal.origin)
      if (started.cookie) browser.cookies.set(started.cookie.name, started.cookie.value)
      let page = await browser.open(started.url.slice(portal.origin.length))
      if (page.url.includes('/login')) page = await browser.signIn(page, alice())
      if (page.url.includes('/consent')) {
        page = await browser.submit(page, { scope: ['orders:read'] })
      }
      return received(page)
    }
    const alice = () => portal.demo().users[0] ?? { email: '', password: '' }

    test('the real flow: tokens decoded, userinfo, refused scopes; all of it revoked (N8, N9)', async () => {
      const back = await walk(await start())
      expect(Object.keys(back).sort()).toEqual(['code', 'iss', 'state'])
      const { code = '', state = '' } = back
      const done = await api('POST', '/test-logins:finish', { state, code })
      expect(done.json).toMatchObject({
        ended: 'well',
        user: ALICE,
        accessToken: { header: { typ: 'at+jwt' }, claims: { client_id: 'app_demo_web' } },
        idToken: { claims: { sub: ALICE } },
        userinfo: { sub: ALICE },
        reasons: [{ scope: 'orders:refund', code: expect.any(String) }],
      })
      expect(done.raw).not.toMatch(/eyJ[\w-]+\.eyJ/)
      const { grant_id: grant, jti } = done.json.accessToken.claims
      const [decision] = (await api('GET', `/audit-events?decisionId=${jti}`)).json.data
      expect(decision).toMatchObject({
        event: 'token.issued',
        actorId: ALICE,
        detail: { refused: [{ scope: 'orders:refund', code: expect.any(String) }] },
      })
      const [revoked] = (await api('GET', `/audit-events?targetId=${grant}`)).json.data
      expect(revoked).toMatchObject({ event: 'token.revoked' })
      const again = await api('POST', '/test-logins:finish', { state, code })
      expect(again.json).toMatchObject({ ended: 'token', error: 'invalid_grant' })
    })

    test('nobody else finishes it, nor the application itself with its secret', async () => {
      const back = await walk(await start())
      const { code = '', state = '' } = back
      const other = await asManager('POST', '/test-logins:finish', { state, code })
      expect(other.status).toBe(409)
      const redirect_uri = `${portal.origin}/admin/tools/test-login`
      const { verifier } = pkcePair()
      const stolen = await exchange(portal, code, { redirect_uri, code_verifier: verifier })
      expect(JSON.parse(stolen.body).error).toBe('invalid_grant')
      const forged = await api('POST', '/test-logins:finish', { state: `${state}x`, code })
      expect(forged.status).toBe(409)
    })

    test('the callback is no redirect URI: /oidc/auth refuses it for every application (A1)', async () => {
      const browser = new OldBrowser(portal.origin)
      const redirect_uri = `${portal.origin}/admin/tools/test-login`
      const page = await browser.open(authorizeUrl(webRequest(portal.demo(), { redirect_uri })))
      expect([page.status, page.url]).toEqual([400, expect.stringContaining('/oidc/auth')])
    })

    test('another browser cannot go on with it, and it happens once', async () => {
      const started = await start()
      const outsider = new OldBrowser(portal.origin)
      const path = started.url.slice(portal.origin.length)
      expect((await outsider.open(path)).status).toBe(400)
      await walk(started)
      const late = new OldBrowser(portal.origin)
      late.cookies.set(started.cookie.name, started.cookie.value)
      expect((await late.open(path)).status).toBe(400)
    })

    test('only for whoever may change the application (N8)', async () => {
      expect((await asManager('POST', '/test-logins', ask)).status).toBe(404)
      const reader = caller(portal, await machineToken(portal, 'applications:read'))
      expect((await reader('POST', '/test-logins', ask)).status).toBe(403)
    })

    test('what is refused before any page comes up is told as it would be', async () => {
      const started = await start(api, { resource: ['https://nowhere.example'] })
      expect(started.cookie).toBeNull()
      const {
        error = '',
        error_description = '',
        state = '',
      } = Object.fromEntries(new URL(started.url).searchParams)
      const done = await api('POST', '/test-logins:finish', { state, error, error_description })
      expect(done.json).toMatchObject({ ended: 'authorize', error: 'invalid_target', user: null })
    })
  })

  describe('token inspection', () => {
    const inspect = async (token: string, by: Call = api) =>
      (await by('POST', '/tokens/inspect', { token })).json

    test('active, then revoked', async () => {
      const token = await machineToken(portal, 'users:read')
      expect(await inspect(token)).toMatchObject({
        state: 'active',
        use: 'access_token',
        scope: 'users:read',
        application: { id: 'app_demo_machine' },
      })
      const { client_id, client_secret } = portal.demo().machine
      const body = new URLSearchParams({ client_id, client_secret, token }).toString()
      const path = '/oidc/token/revocation'
      await sendAsIs(portal.origin, { method: 'POST', path, headers: FORM, body })
      expect(await inspect(token)).toMatchObject({ state: 'revoked' })
    })

    test('what we did not sign is not ours, whatever it says', async () => {
      const token = await machineToken(portal, 'users:read')
      const [header, body] = token.split('.')
      for (const wrong of [`${header}.${body}.AAAA`, 'eyJhbGciOiJub25lIn0.e30.', 'nonsense']) {
        expect(await inspect(wrong)).toMatchObject({ state: 'not_ours', claims: null })
      }
      expect(await inspect(token, asManager)).toMatchObject({ application: null })
    })

    test('an id_token is for signing in, and known as one', async () => {
      const browser = new OldBrowser(portal.origin)
      await browser.signIn(await browser.open('/login'), portal.demo().users[0] ?? NOBODY)
      const answer = await exchange(
        portal,
        await getCode(browser, webRequest(portal.demo(), { scope: 'openid profile orders:read' })),
      )
      const { id_token, access_token } = JSON.parse(answer.body)
      expect(await inspect(id_token)).toMatchObject({ use: 'id_token', state: 'active' })
      expect(await inspect(access_token)).toMatchObject({ use: 'access_token', state: 'active' })
    })
  })
})

const NOBODY = { email: '', password: '' }
