import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, machineToken } from '../support/api'
import { type Answer, ask, askToken, FORM } from '../support/ask'
import { appsOf } from '../support/connected-apps'
import { usually } from '../support/databases'
import { authorizeUrl, pkcePair, received, userinfo } from '../support/flow'
import { type OpenPortal, openPortal } from '../support/in-process'
import { OldBrowser } from '../support/old-browser'
import {
  claimsIn,
  exchangeToken,
  introspectAs,
  makeChain,
  type Service,
} from '../support/service-chain'

/** What a person sees of the agents that act for them, and does about it; docs/attacks.md, T. */

const CALLBACK = 'https://agent.example/cb'
const SCOPE = 'openid email offline_access orders:read orders:write'
const json = (answer: Answer) => JSON.parse(answer.body)

describe.each(usually('sqlite'))('agents of a person on %s', (kind) => {
  let portal: OpenPortal
  let agent: { client_id: string; client_secret: string }
  let service: Service
  let alice: OldBrowser
  const { verifier, challenge } = pkcePair()

  beforeAll(async () => {
    portal = await openPortal({ kind })
    const chain = await makeChain(portal, 1)
    const [only] = chain.services
    if (!only) throw new Error('a chain of one')
    service = only
    await chain.grants(service, [{ pattern: 'hop1:read', exchangeFrom: '*' }])
    const clientRegistration = { mode: 'open', scopes: SCOPE.split(' ') }
    expect((await chain.call('PATCH', '/settings', { clientRegistration })).status).toBe(200)
    agent = await registered()
    alice = new OldBrowser(portal.origin)
    await alice.signIn(await alice.open('/login'), portal.demo().users[0] ?? NOBODY)
  })

  afterAll(() => portal.stop())

  const NOBODY = { email: '', password: '' }

  async function registered() {
    const answer = await ask(portal.origin, {
      method: 'POST',
      path: '/oidc/register',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Helpful',
        redirect_uris: [CALLBACK],
        scope: SCOPE,
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_post',
      }),
    })
    expect(answer.status, answer.body).toBe(201)
    const { client_id, client_secret } = json(answer)
    return { client_id, client_secret }
  }

  const request = (more: Record<string, string> = {}) =>
    authorizeUrl({
      client_id: agent.client_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: SCOPE,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...more,
    })

  async function code(browser = alice): Promise<string> {
    let page = await browser.open(request())
    if (page.url.includes('/consent')) {
      page = await browser.submit(page, { scope: ['orders:read', 'orders:write', 'email'] })
    }
    return received(page).code ?? ''
  }

  const redeem = (value: string) =>
    askToken(portal.origin, {
      grant_type: 'authorization_code',
      code: value,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      ...agent,
    })

  async function tokens() {
    const answer = await redeem(await code())
    expect(answer.status, answer.body).toBe(200)
    return json(answer)
  }

  const refresh = (refresh_token: string) =>
    askToken(portal.origin, { grant_type: 'refresh_token', refresh_token, ...agent })

  const introspect = async (token: string) =>
    json(
      await ask(portal.origin, {
        method: 'POST',
        path: '/oidc/token/introspection',
        headers: FORM,
        body: new URLSearchParams({ token, ...agent }).toString(),
      }),
    )

  const apps = (browser = alice) => appsOf(portal, browser)
  const found = () => apps().find(agent.client_id)

  test('its user sees where it comes from, what it got with which decision, and to whom it passed it', async () => {
    const { access_token } = await tokens()
    const passed = await exchangeToken(portal, service, access_token, { scope: 'hop1:read' })
    expect(passed.status, passed.body).toBe(200)
    await portal.op.settled()
    const app = await found()
    expect(app?.name).toBe('Helpful')
    expect(app?.agent).toMatchObject({ by: 'dynamic', host: 'agent.example', verified: false })
    const decisions = app?.agent?.lastActs.map(({ decisionId }) => decisionId)
    expect(decisions).toContain(claimsIn(access_token).jti)
    expect(app?.agent?.passedTo).toMatchObject([{ name: 'Service 1', scopes: ['hop1:read'] }])
  })

  test('T1: paused, its tokens are inactive at once and it gets no others; resumed, they work again', async () => {
    const { access_token, refresh_token } = await tokens()
    const made = await exchangeToken(portal, service, access_token, { scope: 'hop1:read' })
    const exchanged = json(made).access_token
    expect((await introspect(access_token)).active).toBe(true)
    expect(await apps().pause(agent.client_id)).toBe(true)

    expect(await introspect(access_token)).toEqual({ active: false })
    expect(await introspect(refresh_token)).toEqual({ active: false })
    expect(await introspectAs(portal, service, exchanged)).toEqual({ active: false })
    expect((await userinfo(portal.origin, access_token)).status).toBe(401)
    const refused = await refresh(refresh_token)
    expect([refused.status, json(refused).error]).toEqual([400, 'invalid_grant'])
    expect(json(refused).error_description).toContain('paused')
    const again = await exchangeToken(portal, service, access_token, { scope: 'hop1:read' })
    expect(json(again).error).toBe('invalid_request')

    expect(await apps().resume(agent.client_id)).toBe(true)
    expect((await introspect(access_token)).active).toBe(true)
    expect((await introspectAs(portal, service, exchanged)).active).toBe(true)
    expect((await refresh(refresh_token)).status).toBe(200)
    const token = await machineToken(portal)
    const path = `/audit-events?applicationId=${encodeURIComponent(agent.client_id)}`
    const { raw } = await callApi(portal, token, 'GET', `${path}&event=consent.*`)
    expect(raw).toContain('consent.paused')
    expect(raw).toContain('consent.resumed')
  })

  test('T2: paused, a code from before gives nothing, and prompt=none asks for consent; agreeing again resumes it', async () => {
    const { access_token } = await tokens()
    const before = await code()
    await apps().pause(agent.client_id)
    expect(json(await redeem(before)).error).toBe('invalid_grant')
    const silent = received(await alice.open(request({ prompt: 'none' })))
    expect(silent.error).toBe('consent_required')
    expect((await introspect(access_token)).active).toBe(false)
    expect((await redeem(await code())).status).toBe(200)
    expect((await introspect(access_token)).active).toBe(true)
  })

  test('T3: narrowed, its tokens lose the scope at once, and a refresh says what is missing', async () => {
    const { access_token, refresh_token } = await tokens()
    expect(json(await userinfo(portal.origin, access_token)).email).toBe('alice@gatehouse.example')
    const kept = ['offline_access', 'orders:read']
    expect(await apps().choose(agent.client_id, kept)).toBe(true)
    expect((await introspect(access_token)).scope).toBe('openid offline_access orders:read')
    expect(json(await userinfo(portal.origin, access_token))).toEqual({ sub: 'usr_demo_alice' })
    const answer = json(await refresh(refresh_token))
    expect(answer.scope).toBe('openid offline_access orders:read')
    expect(answer.scope_rejected).toBe('email orders:write')
    expect(answer.scope_rejected_reasons).toContainEqual({
      scope: 'orders:write',
      code: 'consent_withheld',
      next_action: 'consent',
    })
    await apps().choose(agent.client_id, SCOPE.split(' '))
  })

  test('T4: nobody pauses or removes it for somebody else', async () => {
    const { access_token } = await tokens()
    const bob = new OldBrowser(portal.origin)
    await bob.signIn(await bob.open('/login'), portal.demo().users[1] ?? NOBODY)
    expect(await apps(bob).pause(agent.client_id)).toBe(false)
    expect(await apps(bob).remove(agent.client_id)).toBe(false)
    expect((await introspect(access_token)).active).toBe(true)
  })

  test('removed, it ends with everything that it passed on', async () => {
    const { access_token, refresh_token } = await tokens()
    const made = await exchangeToken(portal, service, access_token, { scope: 'hop1:read' })
    expect(await apps().remove(agent.client_id)).toBe(true)
    expect(await introspect(access_token)).toEqual({ active: false })
    expect(await introspectAs(portal, service, json(made).access_token)).toEqual({ active: false })
    expect(json(await refresh(refresh_token)).error).toBe('invalid_grant')
    expect(await found()).toBeUndefined()
  })
})
