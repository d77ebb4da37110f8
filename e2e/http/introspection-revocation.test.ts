import { describe, expect, test } from 'vitest'
import { ask, askToken, FORM, machineFields } from '../support/ask'
import {
  body,
  demo,
  expectInvalidGrant,
  house,
  otherClient,
  portal,
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

    test('I3, I5, I7: active for its client; anything else is exactly inactive', async () => {
      const { access_token, refresh_token, id_token } = await tokens()
      expect(body(await introspect(access_token, { token_type_hint: 'nonsense' }))).toMatchObject({
        active: true,
        sub: 'usr_demo_alice',
        scope: SCOPE,
        client_id: demo.web.client_id,
      })
      for (const token of [refresh_token, id_token, 'x', `${access_token}x`]) {
        const answer = await introspect(token)
        expect([answer.status, answer.body]).toEqual([200, '{"active":false}'])
      }
    })

    test('a scope that is not granted any more is not there any more', async () => {
      const machine = body(
        await askToken(portal.origin, machineFields(portal, { scope: 'orders:read orders:write' })),
      )
      const scopeOf = async () => body(await introspect(machine.access_token, otherClient())).scope
      expect(await scopeOf()).toBe('orders:read orders:write')
      const where = { applicationId: demo.machine.client_id, pattern: 'orders:write' }
      const kept = await house.db.grant.findMany({ where })
      await house.changePolicy((tx) => tx.grant.deleteMany({ where }))
      await new Promise((resolve) => setTimeout(resolve, 1_050))
      expect(await scopeOf()).toBe('orders:read')
      await house.changePolicy((tx) => tx.grant.createMany({ data: kept }))
      await new Promise((resolve) => setTimeout(resolve, 1_050))
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
      await browser.submit(await browser.open('/logout'), {})
      expect((await userinfo(portal.origin, online.access_token)).status).toBe(401)
    })
  })
})
