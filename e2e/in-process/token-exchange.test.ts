import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, machineToken, sessionOf } from '../support/api'
import { type Answer, ask, askToken, FORM } from '../support/ask'
import { appsOf } from '../support/connected-apps'
import { usually } from '../support/databases'
import {
  aliceAtWeb,
  authorizeUrl,
  exchange,
  getCode,
  received,
  refresh,
  userinfo,
  webRequest,
} from '../support/flow'
import { type OpenPortal, openPortal } from '../support/in-process'
import type { OldBrowser } from '../support/old-browser'
import {
  ACCESS_TOKEN,
  type Chain,
  claimsIn,
  exchangeToken,
  introspectAs,
  makeChain,
  type Service,
  TOKEN_EXCHANGE,
} from '../support/service-chain'

/** RFC 8693; docs/attacks.md, X1 to X9. */

const json = (answer: Answer) => JSON.parse(answer.body)
const INVALID = [400, 'invalid_request']
const outcome = (answer: Answer) => [answer.status, json(answer).error]

describe.each(usually('sqlite'))('token exchange on %s', (kind) => {
  let portal: OpenPortal
  let alice: OldBrowser
  let chain: Chain
  let first: Service
  let second: Service
  let third: Service

  beforeAll(async () => {
    portal = await openPortal({ kind })
    chain = await makeChain(portal, 6)
    const [a, b, c] = chain.services
    if (!a || !b || !c) throw new Error('a chain of six')
    first = a
    second = b
    third = c
    alice = await aliceAtWeb(portal)
  })

  afterAll(() => portal.stop())

  const signIn = async () =>
    json(await exchange(portal, await getCode(alice, webRequest(portal.demo()))))
  const userToken = async (): Promise<string> => (await signIn()).access_token
  const hop = async (service: Service, token: string, scope: string): Promise<string> => {
    const answer = await exchangeToken(portal, service, token, { scope })
    expect(answer.status, answer.body).toBe(200)
    return json(answer).access_token
  }
  const isActive = async (service: Service, token: string) =>
    (await introspectAs(portal, service, token)).active

  describe('what it gives', () => {
    test('§2.2: a token of the same user for another API, with act, no longer than the first', async () => {
      const token = await userToken()
      const answer = await exchangeToken(portal, first, token, {
        scope: 'hop1:read hop1:write',
        resource: 'https://hop1.test',
        requested_token_type: ACCESS_TOKEN,
      })
      expect(answer.status, answer.body).toBe(200)
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(json(answer)).toEqual({
        access_token: expect.any(String),
        issued_token_type: ACCESS_TOKEN,
        token_type: 'Bearer',
        expires_in: expect.any(Number),
        scope: 'hop1:read',
        scope_rejected: 'hop1:write',
        scope_rejected_reasons: [
          { scope: 'hop1:write', code: 'client_not_granted', next_action: 'none' },
        ],
      })
      const [before, after] = [token, json(answer).access_token].map(claimsIn)
      expect(after).toMatchObject({
        sub: before.sub,
        aud: 'https://hop1.test',
        client_id: first.id,
        act: { sub: first.id, act: { sub: portal.demo().web.client_id } },
        acr: before.acr,
        auth_time: before.auth_time,
        sid: before.sid,
      })
      expect(after.exp).toBeLessThanOrEqual(before.exp)
      expect(await isActive(first, json(answer).access_token)).toBe(true)
    })

    test('§4.1: along a chain the newest actor is the outermost, and the API sees it', async () => {
      const token = await hop(second, await hop(first, await userToken(), 'hop1:read'), 'hop2:read')
      const web = portal.demo().web.client_id
      const act = { sub: second.id, act: { sub: first.id, act: { sub: web } } }
      expect(await introspectAs(portal, third, token)).toMatchObject({
        active: true,
        sub: 'usr_demo_alice',
        scope: 'hop2:read',
        act,
      })
    })

    test('discovery names the grant', async () => {
      const answer = await ask(portal.origin, { path: '/.well-known/openid-configuration' })
      expect(json(answer).grant_types_supported).toContain(TOKEN_EXCHANGE)
    })

    test('the audit log links each token to the one before, and explains its decision', async () => {
      const user = await userToken()
      const one = await hop(first, user, 'hop1:read')
      const two = await hop(second, one, 'hop2:read')
      const found = async (token: string) => {
        const path = `/audit-events?decisionId=${claimsIn(token).jti}`
        await portal.op.settled()
        const { data } = (await chain.call('GET', path)).json
        expect(data).toHaveLength(1)
        return data[0]
      }
      const entry = await found(two)
      expect(entry).toMatchObject({
        event: 'token.issued',
        actorKind: 'user',
        actorId: 'usr_demo_alice',
        applicationId: second.id,
        detail: {
          grant_type: TOKEN_EXCHANGE,
          exchange: { subject_token: claimsIn(one).jti, from: first.id, impersonation: false },
        },
      })
      const before = await found(one)
      expect(before.detail.exchange.subject_token).toBe(claimsIn(user).jti)
      expect((await found(user)).detail.grant_type).toBe('authorization_code')
    })

    test('a dry run answers as the exchange would', async () => {
      const { json: dry, status } = await chain.call('POST', '/scopes/decide', {
        client: first.id,
        user: 'usr_demo_alice',
        exchangeFrom: portal.demo().web.client_id,
        scope: 'hop1:read hop1:write',
      })
      expect([status, dry.outcome, dry.scope, dry.scope_rejected]).toEqual([
        200,
        'granted',
        'hop1:read',
        'hop1:write',
      ])
      expect(dry.claims.act.sub).toBe(first.id)
      const nobody = await chain.call('POST', '/scopes/decide', {
        client: first.id,
        exchangeFrom: portal.demo().web.client_id,
        scope: 'hop1:read',
      })
      expect(nobody.status).toBe(400)
    })
  })

  describe('what it never gives', () => {
    test.each([
      ['the scopes of the subject token', 'orders:read'],
      ['the identity of the user', 'openid email'],
      ['offline access', 'offline_access'],
      ['permissions of the portal', 'users:read'],
      ['a permission that only the user holds', 'hop1:write'],
    ])('X1: no wider scope: %s', async (_what, scope) => {
      const answer = await exchangeToken(portal, first, await userToken(), { scope })
      expect(outcome(answer)).toEqual([400, 'invalid_scope'])
      expect(json(answer).scope_rejected).toBe(scope)
    })

    test('X1: no other resource, and none that does not exist', async () => {
      const token = await userToken()
      const scope = 'hop1:read'
      const other = { scope, resource: 'https://hop2.test' }
      expect(json(await exchangeToken(portal, first, token, other))).toMatchObject({
        error: 'invalid_scope',
        scope_rejected_reasons: [{ scope, code: 'resource_mismatch', next_action: 'none' }],
      })
      for (const nowhere of [{ resource: 'https://nowhere.test' }, { audience: 'nowhere' }]) {
        const answer = await exchangeToken(portal, first, token, { scope, ...nowhere })
        expect(outcome(answer)).toEqual([400, 'invalid_target'])
      }
      const named = { scope, audience: 'https://hop1.test' }
      expect((await exchangeToken(portal, first, token, named)).status).toBe(200)
    })

    test('X1: no refresh token, and no identity at userinfo', async () => {
      const answer = json(
        await exchangeToken(portal, first, await userToken(), { scope: 'hop1:read' }),
      )
      expect(answer).not.toHaveProperty('refresh_token')
      expect(answer).not.toHaveProperty('id_token')
      expect((await userinfo(portal.origin, answer.access_token)).status).toBe(403)
    })

    test('X2: not what the user lacks or refused, although the service may have it', async () => {
      await chain.grants(first, [
        { pattern: 'hop1:read', exchangeFrom: portal.demo().web.client_id },
        { pattern: 'orders:*', exchangeFrom: '*' },
      ])
      const answer = await exchangeToken(portal, first, await userToken(), {
        scope: 'orders:read orders:refund orders:delete',
      })
      expect(json(answer)).toMatchObject({ scope: 'orders:read' })
      expect(json(answer).scope_rejected_reasons).toContainEqual({
        scope: 'orders:delete',
        code: 'user_not_permitted',
        next_action: 'none',
      })
    })
  })

  describe('X11: a chain never ends with more of an API than its tokens carried', () => {
    const WIDER = { error: 'invalid_scope', scope_rejected: 'orders:write' }

    beforeAll(async () => {
      const web = portal.demo().web.client_id
      const before = [web, first.id, second.id, third.id]
      for (const [at, service] of chain.services.slice(0, 4).entries()) {
        await chain.grants(service, [
          { pattern: `hop${at + 1}:read`, exchangeFrom: before[at] },
          { pattern: 'orders:*', exchangeFrom: '*' },
          { pattern: 'hop1:*', exchangeFrom: '*' },
          // What it has itself counts for nothing.
          { pattern: 'orders:write' },
          { pattern: 'hop6:write' },
        ])
      }
    })

    /** With orders:write too, which the role of the user gives. */
    async function signInForBoth() {
      const scope = 'openid offline_access orders:read orders:write'
      const page = await alice.open(authorizeUrl(webRequest(portal.demo(), { scope })))
      const done = page.url.includes('/consent')
        ? await alice.submit(page, { scope: ['orders:read', 'orders:write'] })
        : page
      return json(await exchange(portal, received(done).code ?? ''))
    }
    const ask = async (service: Service, token: string, scope: string, more = {}) =>
      json(await exchangeToken(portal, service, token, { scope, ...more }))

    test('the user holds it, and so may a service that got a token with it', async () => {
      const { access_token, scope } = await signInForBoth()
      expect(scope.split(' ')).toContain('orders:write')
      expect(await ask(first, access_token, 'orders:write')).toMatchObject({
        scope: 'orders:write',
      })
    })

    test('the first token had orders:read only', async () => {
      const token = await userToken()
      expect(await ask(first, token, 'orders:write')).toMatchObject(WIDER)
      expect(await ask(first, token, 'orders:read orders:write')).toMatchObject({
        scope: 'orders:read',
        scope_rejected: 'orders:write',
      })
    })

    test('through three services, also back at the API where it began', async () => {
      const one = await hop(first, await userToken(), 'hop1:read')
      expect(await ask(second, one, 'orders:write')).toMatchObject(WIDER)
      expect(await ask(second, one, 'hop1:write')).toMatchObject({ scope_rejected: 'hop1:write' })
      const two = await hop(second, one, 'hop2:read')
      expect(await ask(third, two, 'orders:write')).toMatchObject(WIDER)
      expect(await ask(third, two, 'orders:read')).toMatchObject({ scope: 'orders:read' })
    })

    test('with an actor token', async () => {
      const fields = { grant_type: 'client_credentials', scope: 'hop6:write orders:write' }
      const own = async ({ credentials }: Service) =>
        json(await askToken(portal.origin, { ...fields, ...credentials })).access_token
      const one = await hop(first, await userToken(), 'hop1:read')
      const actor = { actor_token: await own(second), actor_token_type: ACCESS_TOKEN }
      expect(await ask(second, one, 'orders:write', actor)).toMatchObject(WIDER)
    })

    test('with a refresh that narrowed it in between', async () => {
      const { refresh_token } = await signInForBoth()
      const narrow = json(await refresh(portal, refresh_token, { scope: 'openid orders:read' }))
      expect(await ask(first, narrow.access_token, 'orders:write')).toMatchObject(WIDER)
      const one = await hop(first, narrow.access_token, 'hop1:read')
      expect(await ask(second, one, 'orders:write')).toMatchObject(WIDER)
      const wide = json(await refresh(portal, narrow.refresh_token))
      expect(await ask(first, wide.access_token, 'orders:write')).toMatchObject({
        scope: 'orders:write',
      })
    })

    test('of an API that the service in between does not serve', async () => {
      // The user's token is for both; the first service serves only one of them.
      const path = `/applications/${portal.demo().web.client_id}/grants`
      const { grants } = (await chain.call('GET', path)).json
      const kept = grants.map(({ id: _, ...grant }: { id: string }) => grant)
      await chain.call('PUT', path, { grants: [...kept, { pattern: 'hop6:read' }] })
      await chain.grants(second, [{ pattern: 'hop6:*', exchangeFrom: '*' }])
      const scope = 'openid offline_access orders:read hop6:read'
      const page = await alice.open(authorizeUrl(webRequest(portal.demo(), { scope })))
      const done = page.url.includes('/consent')
        ? await alice.submit(page, { scope: ['orders:read', 'hop6:read'] })
        : page
      const { access_token } = json(await exchange(portal, received(done).code ?? ''))
      const one = await hop(first, access_token, 'hop1:read')
      expect(await ask(second, one, 'hop6:write')).toMatchObject({ scope_rejected: 'hop6:write' })
      expect(await ask(second, one, 'hop6:read')).toMatchObject({ scope: 'hop6:read' })
    })

    // The tests after these use the chain as it was made.
    afterAll(async () => {
      const before = [portal.demo().web.client_id, ...chain.services.map(({ id }) => id)]
      for (const [at, service] of chain.services.entries()) {
        await chain.grants(service, [{ pattern: `hop${at + 1}:read`, exchangeFrom: before[at] }])
      }
    })
  })

  describe('what it refuses', () => {
    test.each<[what: string, fields: Record<string, string>]>([
      ['no subject token', { subject_token: '' }],
      ['no type', { subject_token_type: '' }],
      ['another type', { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' }],
      [
        'a refresh token wanted',
        { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' },
      ],
      ['an ID token wanted', { requested_token_type: 'urn:ietf:params:oauth:token-type:id_token' }],
      ['the type of an actor token without one', { actor_token_type: ACCESS_TOKEN }],
    ])('§2.1: %s', async (_what, fields) => {
      const more = { scope: 'hop1:read', ...fields }
      expect(outcome(await exchangeToken(portal, first, await userToken(), more))).toEqual(INVALID)
    })

    test('X3: a token that is none of ours, an ID token, a refresh token, one of a machine', async () => {
      const { id_token, refresh_token, access_token } = await signIn()
      const machine = await machineToken(portal)
      const body = claimsIn(access_token)
      const forged = `${access_token.split('.')[0]}.${Buffer.from(JSON.stringify({ ...body, scope: 'orders:write' })).toString('base64url')}.${access_token.split('.')[2]}`
      for (const wrong of ['x', id_token, refresh_token, machine, forged, 'x'.repeat(9_000)]) {
        const answer = await exchangeToken(portal, first, wrong, { scope: 'hop1:read' })
        expect(outcome(answer)).toEqual(INVALID)
      }
    })

    test('X4: a token that is addressed to an API of somebody else, also one of its own', async () => {
      const token = await userToken()
      const scope = 'hop2:read'
      const foreign = await exchangeToken(portal, second, token, { scope })
      expect(outcome(foreign)).toEqual(INVALID)
      const one = await hop(first, token, 'hop1:read')
      const own = await exchangeToken(portal, first, one, { scope: 'hop1:read' })
      expect(json(own)).toEqual(json(foreign))
    })

    test('X5: a cycle, and a chain that is too long', async () => {
      const one = await hop(first, await userToken(), 'hop1:read')
      let token = await hop(second, one, 'hop2:read')
      // The first service serves the third API as well, so the token comes back to it.
      const introspectors = [third.id, first.id]
      await chain.call('PATCH', '/spaces/demo/resources/hop2', { introspectors })
      const back = await exchangeToken(portal, first, token, { scope: 'hop1:read' })
      expect(json(back).error_description).toContain('already')
      expect(outcome(back)).toEqual(INVALID)
      for (const [at, service] of chain.services.slice(2, 5).entries()) {
        token = await hop(service, token, `hop${at + 3}:read`)
      }
      const [, , , , , sixth] = chain.services
      if (!sixth) throw new Error('a chain of six')
      const last = await exchangeToken(portal, sixth, token, { scope: 'hop6:read' })
      expect(outcome(last)).toEqual(INVALID)
      expect(json(last).error_description).toContain('5 times')
      expect(token.length).toBeLessThan(4_096)
    })

    test('X6: an actor token that is not the service itself', async () => {
      const user = await userToken()
      const own = async ({ credentials }: Service) => {
        const fields = { grant_type: 'client_credentials', scope: 'hop6:write', ...credentials }
        return json(await askToken(portal.origin, fields)).access_token
      }
      await chain.grants(first, [
        { pattern: 'hop6:write' },
        { pattern: 'hop1:read', exchangeFrom: portal.demo().web.client_id },
      ])
      const mine = await own(first)
      expect(mine).toEqual(expect.any(String))
      const withActor = (actor_token: string) =>
        exchangeToken(portal, first, user, {
          scope: 'hop1:read',
          actor_token,
          actor_token_type: ACCESS_TOKEN,
        })
      for (const wrong of [user, await machineToken(portal), 'x']) {
        expect(outcome(await withActor(wrong))).toEqual(INVALID)
      }
      const answer = await withActor(mine)
      expect(claimsIn(json(answer).access_token).act.sub).toBe(first.id)
    })

    test('X7: without an admin who allows it nobody impersonates; then the audit log names them', async () => {
      const plain = await hop(first, await userToken(), 'hop1:read')
      expect(claimsIn(plain).act.sub).toBe(first.id)
      const allowed = await chain.call('PATCH', `/applications/${first.id}`, {
        mayImpersonate: true,
      })
      expect(allowed.status).toBe(200)
      const token = await hop(first, await userToken(), 'hop1:read')
      expect(claimsIn(token)).not.toHaveProperty('act')
      await portal.op.settled()
      const path = `/audit-events?decisionId=${claimsIn(token).jti}`
      const { data } = (await chain.call('GET', path)).json
      expect(data[0]).toMatchObject({
        applicationId: first.id,
        detail: { exchange: { impersonation: true, from: portal.demo().web.client_id } },
      })
      // The next service is named, and so is the one before it.
      expect(claimsIn(await hop(second, token, 'hop2:read')).act.act.sub).toBe(first.id)
      await chain.call('PATCH', `/applications/${first.id}`, { mayImpersonate: false })
    })

    test('X8: an application that may not use the grant type, and a public one', async () => {
      const { client_id, client_secret } = portal.demo().web
      const web = {
        id: client_id,
        secret: client_secret,
        credentials: { client_id, client_secret },
      }
      const answer = await exchangeToken(portal, web, await userToken(), { scope: 'hop1:read' })
      expect(outcome(answer)).toEqual([400, 'unauthorized_client'])
      const grantTypes = ['authorization_code', TOKEN_EXCHANGE]
      const spa = {
        kind: 'spa',
        name: 'Public',
        redirectUris: ['https://rp.example/cb'],
        grantTypes,
      }
      const made = await chain.call('POST', '/applications', spa)
      expect([made.status, made.json.errors[0].pointer]).toEqual([400, '/grantTypes'])
    })

    test('X8: nobody registers themselves with it', async () => {
      const clientRegistration = {
        mode: 'open',
        grantTypes: ['authorization_code', TOKEN_EXCHANGE],
      }
      const answer = await chain.call('PATCH', '/settings', { clientRegistration })
      expect(answer.status).toBe(400)
    })
  })

  describe('X9: it ends with what it comes from', () => {
    const both = async () => {
      const user = await userToken()
      const one = await hop(first, user, 'hop1:read')
      return { user, one, two: await hop(second, one, 'hop2:read') }
    }

    const revoke = (token: string, fields: Record<string, string>) =>
      ask(portal.origin, {
        method: 'POST',
        path: '/oidc/token/revocation',
        headers: FORM,
        body: new URLSearchParams({ token, ...fields }).toString(),
      })

    test('with the first token, and with one in between', async () => {
      const { client_id, client_secret } = portal.demo().web
      const a = await both()
      expect((await revoke(a.user, { client_id, client_secret })).status).toBe(200)
      expect([await isActive(first, a.one), await isActive(second, a.two)]).toEqual([false, false])
      const b = await both()
      await revoke(b.one, first.credentials)
      expect(await isActive(second, b.two)).toBe(false)
      const again = await exchangeToken(portal, first, a.user, { scope: 'hop1:read' })
      expect(outcome(again)).toEqual(INVALID)
    })

    test('with the grant of the service, also of one in between', async () => {
      const { one, two } = await both()
      await chain.grants(first, [])
      expect(await isActive(first, one)).toBe(false)
      expect(await isActive(second, two)).toBe(false)
      const exchangeFrom = portal.demo().web.client_id
      await chain.grants(first, [{ pattern: 'hop1:read', exchangeFrom }])
      expect(await isActive(second, two)).toBe(true)
    })

    test('X9: with the scopes of the API that it was addressed to: openid is not enough', async () => {
      const { user, one, two } = await both()
      const apps = appsOf(portal, alice)
      const choose = (ticked: string[]) => apps.choose(portal.demo().web.client_id, ticked)
      await choose(['profile', 'email', 'offline_access'])
      expect([await isActive(first, one), await isActive(second, two)]).toEqual([false, false])
      const again = await exchangeToken(portal, first, user, { scope: 'hop1:read' })
      expect(outcome(again)).toEqual(INVALID)
      await choose(['profile', 'email', 'offline_access', 'orders:read'])
      expect(await isActive(second, two)).toBe(true)
    })

    test('with an application on the way that is disabled', async () => {
      const { two } = await both()
      await chain.call('PATCH', `/applications/${first.id}`, { enabled: false })
      expect(await isActive(second, two)).toBe(false)
      await chain.call('PATCH', `/applications/${first.id}`, { enabled: true })
      expect(await isActive(second, two)).toBe(true)
    })

    test('with the user, who is disabled', async () => {
      const { one } = await both()
      await chain.call('PATCH', '/users/usr_demo_alice', { enabled: false })
      expect(await isActive(first, one)).toBe(false)
      await chain.call('PATCH', '/users/usr_demo_alice', { enabled: true })
      alice = await aliceAtWeb(portal)
    })

    test('with the session, and with the consent of the user', async () => {
      const { user, one, two } = await both()
      const other = await aliceAtWeb(portal)
      expect(await appsOf(portal, other).remove(portal.demo().web.client_id)).toBe(true)
      expect([await isActive(first, one), await isActive(second, two)]).toEqual([false, false])
      const again = await exchangeToken(portal, first, user, { scope: 'hop1:read' })
      expect(outcome(again)).toEqual(INVALID)
      alice = await aliceAtWeb(portal)
    })
  })

  describe('who may allow it', () => {
    const give = (who: Record<string, string>, pattern: string, exchangeFrom: string | null) =>
      callApi(
        portal,
        who,
        'PUT',
        `/applications/${managed}/grants`,
        { grants: [{ pattern, exchangeFrom }] },
        { 'if-match': '*' },
      )
    let managed: string

    test('X10: an app manager cannot, not even for an API that is open to them', async () => {
      const { manager } = await appManager()
      await chain.call('PATCH', '/spaces/demo/resources/hop1', { openToAppManagers: true })
      expect((await give(manager, 'hop1:read', null)).status).toBe(200)
      const refused = await give(manager, 'hop1:read', '*')
      expect(refused.status).toBe(403)
      const impersonates = await callApi(
        portal,
        manager,
        'PATCH',
        `/applications/${managed}`,
        { mayImpersonate: true },
        { 'if-match': '*' },
      )
      expect(impersonates.status).toBe(403)
    })

    test('a grant names another application that exists, and nothing of the portal', async () => {
      const path = `/applications/${first.id}/grants`
      const pointersOf = async (grant: object) => {
        const { status, json: body } = await chain.call('PUT', path, { grants: [grant] })
        return [status, ...body.errors.map(({ pointer }: { pointer: string }) => pointer)]
      }
      const from = '/grants/0/exchangeFrom'
      expect(await pointersOf({ pattern: 'hop1:read', exchangeFrom: 'nobody' })).toEqual([
        400,
        from,
      ])
      expect(await pointersOf({ pattern: 'hop1:read', exchangeFrom: first.id })).toEqual([
        400,
        from,
      ])
      expect(await pointersOf({ pattern: 'users:read', exchangeFrom: '*' })).toEqual([
        400,
        '/grants/0/pattern',
      ])
    })

    async function appManager() {
      await chain.call('PATCH', '/users/usr_demo_bob', { adminRole: 'app_manager' })
      const [, bob = { email: '', password: '' }] = portal.demo().users
      const manager = await sessionOf(portal, bob)
      const made = await callApi(portal, manager, 'POST', '/applications', {
        kind: 'machine',
        name: 'Managed',
        grantTypes: ['client_credentials', TOKEN_EXCHANGE],
      })
      managed = made.json.id
      return { manager }
    }
  })
})
