import { decodeJwt } from 'jose'
import * as openid from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { callApi, machineToken } from '../support/api'
import { ask, askForm, type Fields } from '../support/ask'
import { body, demo, op, portal, second, startCodeFlow } from '../support/code-flow'
import { appsOf } from '../support/connected-apps'
import { KINDS } from '../support/databases'
import {
  approveDevice,
  askDevice,
  confirmDevice,
  DEVICE_GRANT,
  enterCode,
  poll,
} from '../support/device'
import { refresh, userinfo } from '../support/flow'
import { OldBrowser, type Page } from '../support/old-browser'
import { clientFetch } from '../support/send'

/** RFC 8628; docs/attacks.md, V1 to V9. */

const SCOPE = 'openid profile offline_access orders:read'

/** What the page says about an answer that was refused. */
const problemOf = ({ html }: Page) => html

describe.each(KINDS)('a device signs in on %s', (kind) => {
  startCodeFlow(kind)

  let admin: string
  let tv: string
  let alice: OldBrowser

  beforeAll(async () => {
    admin = await machineToken(portal)
    tv = await newApp({ name: 'Television' })
    alice = new OldBrowser(portal.origin)
    await alice.signIn(await alice.open('/login'), person())
  })

  const person = () => demo.users[0] ?? { email: '', password: '' }
  const call = (method: string, path: string, sent?: unknown) =>
    callApi(portal, admin, method, path, sent, method === 'POST' ? {} : { 'if-match': '*' })

  async function newApp(more: object, patterns = ['orders:*']): Promise<string> {
    const made = await call('POST', '/applications', { kind: 'device', name: 'A device', ...more })
    expect(made.status).toBe(201)
    const grants = patterns.map((pattern) => ({ pattern }))
    await call('PUT', `/applications/${made.json.id}/grants`, { grants })
    return made.json.id
  }

  /** What the device got to show. */
  async function begin(more: Fields = {}): Promise<Record<string, string>> {
    const answer = await askDevice(portal.origin, { client_id: tv, scope: SCOPE, ...more })
    expect([answer.status, answer.body]).toEqual([200, expect.any(String)])
    return body(answer)
  }

  const redeem = (device: Record<string, string>, more: Fields = {}) =>
    poll(portal.origin, { client_id: tv, device_code: device.device_code ?? '', ...more })
  const errorOf = async (device: Record<string, string>, more: Fields = {}) => {
    const answer = await redeem(device, more)
    return [answer.status, body(answer).error]
  }
  const approve = (device: Record<string, string>, browser = alice) =>
    approveDevice(portal, device.user_code ?? '', person(), { browser })
  const resultOf = ({ url }: Page) => new URL(url).searchParams.get('result')

  test('discovery names the endpoint and the grant type, in both documents', async () => {
    for (const place of ['openid-configuration', 'oauth-authorization-server']) {
      const { body: text } = await ask(portal.origin, { path: `/.well-known/${place}` })
      expect(JSON.parse(text)).toMatchObject({
        device_authorization_endpoint: `${portal.origin}/oidc/device_authorization`,
        grant_types_supported: expect.arrayContaining([DEVICE_GRANT]),
      })
    }
  })

  test('RFC 8628 §3.2: the answer; neither code is stored as it is', async () => {
    const answer = await askDevice(portal.origin, { client_id: tv, scope: SCOPE })
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    const device = body(answer)
    expect(device).toEqual({
      device_code: expect.stringMatching(/^ghdc_[\w-]{43}$/),
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      verification_uri: `${portal.origin}/device`,
      verification_uri_complete: `${portal.origin}/device?user_code=${device.user_code}`,
      expires_in: 900,
      interval: 5,
    })
    const stored = JSON.stringify(await op.db.deviceAuthorization.findMany())
    for (const secret of [device.device_code, device.user_code, device.user_code.replace('-', '')])
      expect(stored).not.toContain(secret)
  })

  test('an application that needs a fresh sign-in gets one for a device too', async () => {
    const { user_code = '' } = await begin({ client_id: await newApp({ defaultMaxAge: 0 }) })
    const browser = new OldBrowser(portal.origin)
    await browser.signIn(await browser.open('/login'), person())
    const next = await browser.submit(await enterCode(browser, user_code), {})
    expect(new URL(next.url).pathname).toBe('/login')
    expect(new URL((await browser.signIn(next, person())).url).pathname).toBe('/consent')
  })

  test('from the code to tokens: id_token, refresh token, refused scopes, once', async () => {
    const device = await begin({ scope: `${SCOPE} orders:refund` })
    expect(await errorOf(device)).toEqual([400, 'authorization_pending'])
    const browser = new OldBrowser(portal.origin)
    const typed = (device.user_code ?? '').toLowerCase().replace('-', ' ')
    const confirm = await enterCode(browser, typed)
    expect(new URL(confirm.url).searchParams.get('user_code')).toBe(device.user_code)
    const consent = await confirmDevice(browser, confirm, person())
    expect(new URL(consent.url).pathname).toBe('/consent')
    const done = await browser.submit(consent, { scope: ['orders:read'] })
    expect(resultOf(done)).toBe('approved')

    const answer = await redeem(device)
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    const tokens = body(answer)
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: SCOPE })
    expect(tokens.scope_rejected).toBe('orders:refund')
    const claims = decodeJwt(tokens.id_token)
    expect(claims).toMatchObject({ iss: portal.origin, aud: tv, acr: 'pwd', amr: ['pwd'] })
    expect(claims.auth_time).toEqual(expect.any(Number))
    expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(200)
    const next = await refresh(portal, tokens.refresh_token, { client_id: tv, client_secret: '' })
    expect(body(next).scope).toBe(SCOPE)

    // Before the code is used again, which is refused and audited.
    await op.settled()
    const events = await op.db.auditEntry.findMany({ where: { applicationId: tv } })
    const names = events.map(({ event }) => event)
    for (const name of ['requested', 'approved']) expect(names).toContain(`device_sign_in.${name}`)
    expect(names).not.toContain('token.refused')
    expect(await errorOf(device)).toEqual([400, 'invalid_grant'])
    expect((await appsOf(portal, browser).find(tv))?.name).toBe('Television')
  })

  test('openid-client polls by itself; consent is asked although it was given before', async () => {
    const execute = [openid.allowInsecureRequests]
    const settings = await openid.discovery(new URL(portal.origin), tv, undefined, openid.None(), {
      execute,
      [openid.customFetch]: (url, init) => {
        portal.moveClock(6_000) // longer than the interval that the portal asks for
        return clientFetch(url, init)
      },
    })
    const started = await openid.initiateDeviceAuthorization(settings, { scope: SCOPE })
    const polled = openid.pollDeviceAuthorizationGrant(settings, { ...started, interval: 0.5 })
    const confirm = await enterCode(alice, started.user_code)
    const consent = await confirmDevice(alice, confirm, person())
    expect(new URL(consent.url).pathname).toBe('/consent')
    await alice.submit(consent, { scope: ['orders:read'] })
    expect((await polled).claims()?.sub).toBe('usr_demo_alice')
  })

  test('a device that authenticates itself learns why scopes were refused', async () => {
    const authMethods = ['client_secret_basic', 'client_secret_post']
    const id = await newApp({ name: 'Kiosk', authMethods }, ['orders:read'])
    const secret = (await call('POST', `/applications/${id}/secrets`, { name: 'one' })).json.secret
    const who = { client_id: id, client_secret: secret }
    const wrong = await askDevice(portal.origin, { ...who, client_secret: 'wrong', scope: SCOPE })
    expect([wrong.status, body(wrong).error]).toEqual([401, 'invalid_client'])
    const device = await begin({ ...who, scope: 'openid orders:read orders:write' })
    await approve(device)
    expect(body(await redeem(device, who))).toMatchObject({
      scope: 'openid orders:read',
      scope_rejected_reasons: [
        { scope: 'orders:write', code: 'client_not_granted', next_action: 'none' },
      ],
    })
  })

  test.each<[string, Fields, string]>([
    ['a resource that is not registered', { resource: 'https://other.example' }, 'invalid_target'],
    ['a malformed scope', { scope: 'a"b' }, 'invalid_scope'],
    ['no scope, and no default', { scope: '' }, 'invalid_scope'],
    [
      'an application without the grant type',
      { client_id: 'app_demo_native' },
      'unauthorized_client',
    ],
  ])('400 for %s', async (_what, more, error) => {
    const answer = await askDevice(portal.origin, { client_id: tv, scope: SCOPE, ...more })
    expect([answer.status, body(answer).error]).toEqual([400, error])
  })

  test('400 invalid_grant for a code that nobody gave, invalid_request for none', async () => {
    expect(await errorOf({ device_code: 'ghdc_unknown' })).toEqual([400, 'invalid_grant'])
    expect(await errorOf({})).toEqual([400, 'invalid_request'])
    const path = `/oidc/token?device_code=${(await begin()).device_code}`
    const answer = await askForm(portal.origin, path, { client_id: tv, grant_type: DEVICE_GRANT })
    expect([answer.status, body(answer).error]).toEqual([400, 'invalid_request'])
  })

  test('V2: polled too fast is slow_down; five seconds longer, for all later requests', async () => {
    const device = await begin()
    expect(await errorOf(device)).toEqual([400, 'authorization_pending'])
    expect(await errorOf(device)).toEqual([400, 'slow_down'])
    portal.moveClock(6_000)
    expect(await errorOf(device)).toEqual([400, 'slow_down'])
    portal.moveClock(16_000)
    expect(await errorOf(device)).toEqual([400, 'authorization_pending'])
    portal.moveClock(8_000)
    expect(await errorOf(device)).toEqual([400, 'slow_down'])
    await approve(device)
    expect((await redeem(device)).status).toBe(200)
  })

  test('V3: approved twice, refused and then approved: the first answer counts', async () => {
    const device = await begin()
    const [first, other] = [alice, new OldBrowser(portal.origin)]
    const page = await enterCode(first, device.user_code ?? '')
    const late = await enterCode(other, device.user_code ?? '')
    const question = await confirmDevice(other, late, person())
    const cancelled = await confirmDevice(first, page, person())
    expect(resultOf(await first.submit(cancelled, {}, ['answer', 'cancel']))).toBe('refused')
    expect(resultOf(await other.submit(question, {}))).toBe('answered')
    expect(await errorOf(device)).toEqual([400, 'access_denied'])
    expect(problemOf(await enterCode(alice, device.user_code ?? ''))).toBe('wrong')

    const again = await begin()
    const page2 = await enterCode(other, again.user_code ?? '')
    const second2 = await confirmDevice(other, page2, person())
    expect(resultOf(await approve(again))).toBe('approved')
    expect(resultOf(await other.submit(second2, {}))).toBe('answered')
    expect((await redeem(again)).status).toBe(200)
  })

  test('a device that somebody does not know is refused before anybody signs in', async () => {
    const device = await begin()
    const nobody = new OldBrowser(portal.origin)
    const confirm = await enterCode(nobody, device.user_code ?? '')
    expect(resultOf(await nobody.submit(confirm, {}, ['answer', 'no']))).toBe('refused')
    expect(await errorOf(device)).toEqual([400, 'access_denied'])
  })

  test('V4: of another client; it stays good for its own', async () => {
    const device = await begin()
    const other = await newApp({ name: 'Another' })
    await approve(device)
    expect(await errorOf(device, { client_id: other })).toEqual([400, 'invalid_grant'])
    expect((await redeem(device)).status).toBe(200)
  })

  test('V5: no page is skipped, and another browser cannot go on', async () => {
    const device = await begin()
    const confirm = await enterCode(alice, device.user_code ?? '')
    const id = new URL(confirm.url).searchParams.get('interaction') ?? ''
    // Past the question by hand: to the consent page, and on with its answer.
    const consent = await alice.open(`/consent?interaction=${id}`)
    await alice.submit(consent, { scope: ['orders:read'] })
    expect(new URL((await alice.open(`/oidc/auth/${id}`)).url).pathname).toBe('/device')
    expect(await errorOf(device)).toEqual([400, 'authorization_pending'])
    const outsider = new OldBrowser(portal.origin)
    expect(problemOf(await outsider.submit(confirm, {}))).toBe('expired')
    expect((await outsider.open(`/oidc/auth/${id}`)).status).toBe(400)
  })

  test('V6: 20 parallel redemptions at two processes: one gets tokens', async () => {
    const device = await begin()
    await approve(device)
    const before = await op.db.tokenGrant.count()
    const fields = { client_id: tv, device_code: device.device_code ?? '' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => poll((at % 2 ? portal : second).origin, fields)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 200)
    expect(new Set(others.map((answer) => body(answer).error))).toEqual(new Set(['invalid_grant']))
    expect(await op.db.tokenGrant.count()).toBe(before + 1)
  })

  test('V8: after its time: expired_token, and whoever answers is told so', async () => {
    const device = await begin()
    const consent = await confirmDevice(
      ...([alice, await enterCode(alice, device.user_code ?? ''), person()] as const),
    )
    await op.db.deviceAuthorization.updateMany({
      where: { deviceCodeHash: op.hashSecret(device.device_code ?? '') },
      data: { expiresAt: op.now() },
    })
    expect(resultOf(await alice.submit(consent, { scope: ['orders:read'] }))).toBe('expired')
    expect(await errorOf(device)).toEqual([400, 'expired_token'])
    expect(problemOf(await enterCode(alice, device.user_code ?? ''))).toBe('wrong')
    const later = await begin()
    portal.moveClock(901_000)
    expect(await errorOf(later)).toEqual([400, 'expired_token'])
  })

  test('V9: the application is disabled or deleted meanwhile', async () => {
    const id = await newApp({ name: 'Short-lived' })
    const [first, later] = [await begin({ client_id: id }), await begin({ client_id: id })]
    const consent = await confirmDevice(
      ...([alice, await enterCode(alice, first.user_code ?? ''), person()] as const),
    )
    await approve(later)
    await call('PATCH', `/applications/${id}`, { enabled: false })
    expect(await errorOf(later, { client_id: id })).toEqual([401, 'invalid_client'])
    expect(resultOf(await alice.submit(consent, {}))).toBe('blocked')
    expect(problemOf(await enterCode(alice, first.user_code ?? ''))).toBe('wrong')
    await call('DELETE', `/applications/${id}`)
    expect(await errorOf(later, { client_id: id })).toEqual([401, 'invalid_client'])
    expect(await op.db.deviceAuthorization.count({ where: { applicationId: id } })).toBe(0)
  })

  test('V9: the user is disabled, or removes the application, meanwhile', async () => {
    const bob = demo.users[1] ?? { email: '', password: '' }
    const browser = new OldBrowser(portal.origin)
    const device = await begin()
    const done = await approveDevice(portal, device.user_code ?? '', bob, { browser })
    expect(resultOf(done)).toBe('approved')
    await call('PATCH', '/users/usr_demo_bob', { enabled: false })
    expect(await errorOf(device)).toEqual([400, 'invalid_grant'])
    await call('PATCH', '/users/usr_demo_bob', { enabled: true })
    expect(await errorOf(device)).toEqual([400, 'invalid_grant'])

    const another = await begin()
    expect(resultOf(await approve(another))).toBe('approved')
    const gone = await call('DELETE', `/users/usr_demo_alice/applications/${tv}`)
    expect(gone.status).toBe(204)
    expect(await errorOf(another)).toEqual([400, 'invalid_grant'])
  })

  test('a user who may not use the application: the device is told at once', async () => {
    const id = await newApp({ name: 'Tills', requiredScopes: ['orders:refund'] })
    const device = await begin({ client_id: id })
    const confirm = await enterCode(alice, device.user_code ?? '')
    const page = await confirmDevice(alice, confirm, person())
    expect(resultOf(page)).toBe('blocked')
    expect(await errorOf(device, { client_id: id })).toEqual([400, 'access_denied'])
  })

  test('a device registers itself (RFC 7591): no redirect URI, no response type', async () => {
    const settings = { mode: 'open', grantTypes: ['authorization_code', DEVICE_GRANT] }
    expect((await call('PATCH', '/settings', { clientRegistration: settings })).status).toBe(200)
    const register = async (metadata: object) => {
      const answer = await ask(portal.origin, {
        method: 'POST',
        path: '/oidc/register',
        body: JSON.stringify(metadata),
        headers: { 'content-type': 'application/json' },
      })
      return { status: answer.status, json: JSON.parse(answer.body) }
    }
    const isPublic = { token_endpoint_auth_method: 'none' }
    const made = await register({ ...isPublic, client_name: 'Box', grant_types: [DEVICE_GRANT] })
    expect(made).toMatchObject({
      status: 201,
      json: { grant_types: [DEVICE_GRANT], redirect_uris: [], response_types: [] },
    })
    const device = await begin({ client_id: made.json.client_id, scope: 'openid' })
    await approve(device)
    const tokens = body(await redeem(device, { client_id: made.json.client_id }))
    expect(tokens).toMatchObject({ scope: 'openid' })
    const both = await register({ grant_types: ['authorization_code', DEVICE_GRANT] })
    expect([both.status, both.json.error]).toEqual([400, 'invalid_redirect_uri'])
  })

  test('V1: ten wrong codes, and not even a right one is looked at', async () => {
    const right = await begin()
    const nobody = new OldBrowser(portal.origin)
    let locked = false
    // Those before this one count too, so it may be sooner.
    for (let guess = 0; guess < 11 && !locked; guess += 1) {
      const page = await enterCode(nobody, `BCDF-GHJ${'KLMNPQRSTVW'[guess]}`)
      locked = problemOf(page) === 'slow_down'
      if (!locked) expect(problemOf(page)).toBe('wrong')
    }
    const page = await enterCode(nobody, right.user_code ?? '')
    expect(problemOf(page)).toBe('slow_down')
    expect(await errorOf(right)).toEqual([400, 'authorization_pending'])
  })

  test('V7: a flood of requests from one network is 429', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => askDevice(portal.origin, { client_id: tv, scope: SCOPE })),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
  })
})
