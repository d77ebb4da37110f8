import { describe, expect, test } from 'vitest'
import { routes } from '../../../lib/api/table'
import { caller, machineToken } from '../../support/api'
import { askToken } from '../../support/ask'
import { usually } from '../../support/databases'
import { aliceAtWeb, authorizeUrl, webRequest } from '../../support/flow'
import { OldBrowser } from '../../support/old-browser'
import { ALICE, portal, startPermissionApi } from '../../support/permission-api'
import type { AnyPortal } from '../../support/portal'

describe.each(usually('sqlite'))('who may call the API on %s', (kind) => {
  startPermissionApi(kind)

  describe('N1, H6: who may call', () => {
    const filled = (path: string) => path.replaceAll(/\{\w+\}/g, 'demo')
    const guarded = routes.filter(({ scope }) => scope !== 'public')
    const cases = guarded.map((route): [string, string] => [route.method, filled(route.path)])

    test.each(cases)(
      '%s %s: nobody 401, another scope 403, another audience 401',
      async (method, path) => {
        const body = ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined
        const anonymous = await caller(portal, null)(method, path, body)
        expect(anonymous.status).toBe(401)
        expect(anonymous.headers['www-authenticate']).toBe(
          `Bearer realm="${portal.origin}", resource_metadata="${portal.origin}/.well-known/oauth-protected-resource/api/v1"`,
        )
        const scope = guarded.find(
          (one) => one.method === method && filled(one.path) === path,
        )?.scope
        const other = scope === 'audit:read' ? 'roles:read' : 'audit:read'
        const forbidden = await caller(portal, await narrow(other))(method, path, body)
        expect(forbidden.status).toBe(403)
        expect(forbidden.headers['www-authenticate']).toContain(`scope="${scope}"`)
        const foreign = await caller(portal, await narrow('orders:read'))(method, path, body)
        expect(foreign.status).toBe(401)
        expect(foreign.headers['www-authenticate']).toContain('error="invalid_token"')
      },
    )

    const tokens = new Map<string, Promise<string>>()
    function narrow(scope: string): Promise<string> {
      const known = tokens.get(scope) ?? machineToken(portal, scope)
      tokens.set(scope, known)
      return known
    }

    test('M15: an admin’s session, from our own page only; a plain user’s never', async () => {
      const demo = portal.demo()
      const signedIn = async (who: { email: string; password: string }) => {
        const browser = new OldBrowser(portal.origin)
        await browser.signIn(await browser.open('/login'), who)
        return browser
      }
      const admin = await signedIn(demo.admin)
      const user = await signedIn(demo.users[0] ?? demo.admin)
      const cookie = (browser: typeof admin) => ({ cookie: browser.cookieHeader() })
      const asked = caller(portal, null)
      expect((await asked('GET', '/spaces', undefined, cookie(admin))).status).toBe(200)
      expect((await asked('GET', '/spaces', undefined, cookie(user))).status).toBe(403)
      const body = { key: 'by-session', name: 'By session' }
      const own = { 'x-gatehouse-request': '1', origin: portal.origin }
      for (const headers of [
        {},
        { origin: portal.origin },
        { ...own, origin: 'https://evil.test' },
        { ...own, origin: 'null' },
      ]) {
        const answer = await asked('POST', '/spaces', body, { ...cookie(admin), ...headers })
        expect(answer.status).toBe(403)
      }
      const done = await asked('POST', '/spaces', body, { ...cookie(admin), ...own })
      expect(done.status).toBe(201)
    })

    test('a token for a user does what that user may do, and no more', async () => {
      const { op } = portal
      await op.changePolicy((tx) =>
        tx.grant.createMany({
          data: ['roles:read', 'roles:write'].map((pattern) => ({
            id: `grn_user_${pattern}`,
            applicationId: 'app_demo_web',
            pattern,
            createdAt: new Date(),
            updatedAt: new Date(),
          })),
        }),
      )
      const asAlice = caller(portal, await tokenOf(portal))
      expect((await asAlice('GET', '/spaces/demo/roles')).status).toBe(403)
      await op.db.user.update({ where: { id: ALICE }, data: { adminRole: 'auditor' } })
      expect((await asAlice('GET', '/spaces/demo/roles')).status).toBe(200)
      const written = await asAlice('POST', '/spaces/demo/roles', { key: 'no', name: 'No' })
      expect(written.status).toBe(403)
      await op.db.user.update({ where: { id: ALICE }, data: { adminRole: null } })
    })

    async function tokenOf(at: AnyPortal): Promise<string> {
      const demo = at.demo()
      const browser = await aliceAtWeb(at)
      const scope = 'openid roles:read roles:write'
      const page = await browser.open(authorizeUrl(webRequest(demo, { scope })))
      const done = page.url.includes('/consent')
        ? await browser.submit(page, { scope: ['roles:read', 'roles:write'] })
        : page
      const code = new URL(done.url).searchParams.get('code') ?? ''
      const answer = await askToken(at.origin, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: demo.web.redirect_uris[0] ?? '',
        client_id: demo.web.client_id,
        client_secret: demo.web.client_secret,
      })
      return JSON.parse(answer.body).access_token
    }
  })
})
