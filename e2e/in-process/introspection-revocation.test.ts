import { describe, expect, test } from 'vitest'
import { chooseScopes } from '../../lib/accounts/connected-apps'
import { REFRESH_IDLE_MS } from '../../lib/oidc/grants/refresh_token'
import { ask, askToken, FORM, machineFields } from '../support/ask'
import {
  alice,
  body,
  demo,
  expectInvalidGrant,
  op,
  otherClient,
  portal,
  requireScopes,
  startCodeFlow,
  tokens,
} from '../support/code-flow'
import { KINDS } from '../support/databases'
import {
  aliceAtWeb,
  exchange,
  getCode,
  refresh,
  SCOPE,
  userinfo,
  webRequest,
} from '../support/flow'

/** As Alice does at *Applications* of her account. */
async function chooseAtWeb(...ticked: string[]): Promise<void> {
  const session = await op.sessionOf({ headers: new Headers({ cookie: alice.cookieHeader() }) })
  if (!session) throw new Error('Alice is not signed in')
  const choice = { applicationId: demo.web.client_id, ticked }
  expect(await chooseScopes(op, session, choice, { ip: null, userAgent: 'a test' })).toBe(true)
}

describe.each(KINDS)('introspection and revocation on %s', (kind) => {
  startCodeFlow(kind)

  describe('I, J: introspection and revocation', () => {
    const introspect = (token: string, more: Record<string, string> = {}) =>
      ask(portal.origin, {
        method: 'POST',
        path: '/oidc/token/introspection',
        headers: FORM,
        body: new URLSearchParams({
          token,
          client_id: demo.web.client_id,
          client_secret: demo.web.client_secret,
          ...more,
        }).toString(),
      })
    const revoke = (token: string, more: Record<string, string> = {}) =>
      ask(portal.origin, {
        method: 'POST',
        path: '/oidc/token/revocation',
        headers: FORM,
        body: new URLSearchParams({
          token,
          client_id: demo.web.client_id,
          client_secret: demo.web.client_secret,
          ...more,
        }).toString(),
      })

    test('I1, I2, I6: no authentication, no token, GET', async () => {
      const { access_token } = await tokens()
      expect((await introspect(access_token, { client_secret: 'wrong' })).status).toBe(401)
      expect(body(await introspect('')).error).toBe('invalid_request')
      expect((await ask(portal.origin, { path: '/oidc/token/introspection' })).status).toBe(405)
    })

    const INACTIVE = '{"active":false}'

    test('I3, I5: active for its client; anything else is exactly inactive', async () => {
      const { access_token, id_token } = await tokens()
      expect(body(await introspect(access_token, { token_type_hint: 'nonsense' }))).toMatchObject({
        active: true,
        sub: 'usr_demo_alice',
        scope: SCOPE,
        client_id: demo.web.client_id,
      })
      for (const token of [id_token, 'x', `${access_token}x`, 'ghrt_unknown', 'ghrt_']) {
        const answer = await introspect(token)
        expect([answer.status, answer.body]).toEqual([200, INACTIVE])
      }
    })

    test('I3, I7: a refresh token is active for its own client until it is used, and asking does not use it', async () => {
      const { access_token, refresh_token } = await tokens()
      const known = body(await introspect(refresh_token, { token_type_hint: 'access_token' }))
      expect(known).toEqual({
        active: true,
        token_type: 'refresh_token',
        iss: portal.origin,
        sub: 'usr_demo_alice',
        client_id: demo.web.client_id,
        scope: SCOPE,
        iat: expect.any(Number),
        exp: expect.any(Number),
        auth_time: expect.any(Number),
        acr: 'pwd',
      })
      expect(known.exp - known.iat).toBe(REFRESH_IDLE_MS / 1000)
      expect(Math.abs(known.iat - Date.now() / 1000)).toBeLessThan(60)
      // The machine may introspect the access token, because it is an introspector of its API.
      expect(body(await introspect(access_token, otherClient())).active).toBe(true)
      expect((await introspect(refresh_token, otherClient())).body).toBe(INACTIVE)
      expect((await introspect(refresh_token)).body).toBe(JSON.stringify(known))

      const next = body(await refresh(portal, refresh_token))
      expect((await introspect(refresh_token)).body).toBe(INACTIVE)
      expect(body(await introspect(next.refresh_token)).active).toBe(true)
      await revoke(next.refresh_token)
      expect((await introspect(next.refresh_token)).body).toBe(INACTIVE)
    })

    test('I3: a refresh token reports what a refresh would still get, and nothing where the user may not use the application', async () => {
      const { refresh_token } = await tokens()
      await chooseAtWeb('profile', 'offline_access', 'orders:read')
      const { scope } = body(await introspect(refresh_token))
      expect(scope).toBe(SCOPE.replace(' email', ''))
      await requireScopes(['orders:refund'])
      expect((await introspect(refresh_token)).body).toBe(INACTIVE)
      expectInvalidGrant(await refresh(portal, refresh_token))
      await requireScopes([])
      expect(body(await refresh(portal, refresh_token)).scope).toBe(scope)
      await chooseAtWeb(...SCOPE.split(' '))
    })

    test('I3: an expired refresh token is not active', async () => {
      const { refresh_token } = await tokens()
      await op.db.refreshToken.update({
        where: { tokenHash: op.hashSecret(refresh_token) },
        data: { expiresAt: new Date(Date.now() - 1) },
      })
      expect((await introspect(refresh_token)).body).toBe(INACTIVE)
    })

    test('a scope that is not granted any more is not there any more', async () => {
      const machine = body(
        await askToken(portal.origin, machineFields(portal, { scope: 'orders:read orders:write' })),
      )
      const scopeOf = async () => body(await introspect(machine.access_token, otherClient())).scope
      expect(await scopeOf()).toBe('orders:read orders:write')
      const where = { applicationId: demo.machine.client_id, pattern: 'orders:write' }
      const kept = await op.db.grant.findMany({ where })
      await op.changePolicy((tx) => tx.grant.deleteMany({ where }))
      expect(await scopeOf()).toBe('orders:read')
      await op.changePolicy((tx) => tx.grant.createMany({ data: kept }))
    })

    test('I4: another application’s token', async () => {
      const machine = body(await askToken(portal.origin, machineFields(portal)))
      expect((await introspect(machine.access_token)).body).toBe('{"active":false}')
      const { access_token } = await tokens()
      // A machine of the API's own space is its resource server.
      expect(body(await introspect(access_token, otherClient())).active).toBe(true)
    })

    test('J1, J2, J5: a revoked access token is dead at once; unknown ones are 200', async () => {
      const { access_token, refresh_token } = await tokens()
      expect((await revoke(access_token)).status).toBe(200)
      expect((await introspect(access_token)).body).toBe('{"active":false}')
      expect((await userinfo(portal.origin, access_token)).status).toBe(401)
      expect((await refresh(portal, refresh_token)).status).toBe(200)
      for (const token of [access_token, 'unknown']) expect((await revoke(token)).status).toBe(200)
    })

    test('J1: a revoked refresh token takes its family and its access tokens along', async () => {
      const { access_token, refresh_token } = await tokens()
      expect((await revoke(refresh_token)).status).toBe(200)
      expectInvalidGrant(await refresh(portal, refresh_token))
      expect((await userinfo(portal.origin, access_token)).status).toBe(401)
    })

    test('J3, J4: another client’s token stays; no token is invalid_request', async () => {
      const { access_token, refresh_token } = await tokens()
      expect((await revoke(access_token, otherClient())).status).toBe(200)
      expect((await revoke(refresh_token, otherClient())).status).toBe(200)
      expect((await userinfo(portal.origin, access_token)).status).toBe(200)
      expect((await refresh(portal, refresh_token)).status).toBe(200)
      expect(body(await revoke('')).error).toBe('invalid_request')
    })

    test('M12: when the session ends, tokens without offline_access end with it', async () => {
      const browser = await aliceAtWeb(portal)
      const online = body(
        await exchange(portal, await getCode(browser, webRequest(demo, { scope: 'openid' }))),
      )
      expect(online).not.toHaveProperty('refresh_token')
      expect((await userinfo(portal.origin, online.access_token)).status).toBe(200)
      await browser.signOut()
      expect((await userinfo(portal.origin, online.access_token)).status).toBe(401)
    })
  })
})
