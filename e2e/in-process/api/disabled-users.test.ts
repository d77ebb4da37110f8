import { describe, expect, test } from 'vitest'
import { atWeb, call, changed, demo, portal, read, startApi, told } from '../../support/api-objects'
import { usually } from '../../support/databases'
import {
  authorizeUrl,
  exchange,
  getCode,
  received,
  refresh,
  userinfo,
  webRequest,
} from '../../support/flow'

describe.each(usually('sqlite'))('disabled and deleted on %s', (kind) => {
  startApi(kind, { works: true })

  describe('somebody who is disabled or deleted', () => {
    test('is signed out everywhere at once, and the applications hear of it', async () => {
      await changed('PATCH', '/applications/app_demo_web', {
        backchannelLogoutUri: `http://localhost:${told.port}/bcl`,
      })
      const { browser, tokens } = await atWeb(demo.users[0])
      expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(200)
      const code = await getCode(browser, webRequest(demo))
      await changed('PATCH', '/users/usr_demo_alice', { enabled: false })
      expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(401)
      await expect.poll(() => told.bodies.length).toBe(1)
      await changed('PATCH', '/users/usr_demo_alice', { enabled: true })
      const silent = await browser.open(authorizeUrl(webRequest(demo, { prompt: 'none' })))
      expect(received(silent).error).toBe('login_required')
      expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(401)
      expect(JSON.parse((await refresh(portal, tokens.refresh_token)).body).error).toBe(
        'invalid_grant',
      )
      expect(JSON.parse((await exchange(portal, code)).body).error).toBe('invalid_grant')
    })

    test('N26: is gone with everything that stood on them; the log stays', async () => {
      const { browser, tokens } = await atWeb(demo.users[1])
      const { json: app } = await call('POST', '/applications', {
        kind: 'machine',
        name: 'Orphan',
        owner: 'usr_demo_bob',
      })
      expect((await changed('DELETE', '/users/usr_demo_bob')).status).toBe(204)
      expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(401)
      expect(JSON.parse((await refresh(portal, tokens.refresh_token)).body).error).toBe(
        'invalid_grant',
      )
      const silent = await browser.open(authorizeUrl(webRequest(demo, { prompt: 'none' })))
      expect(received(silent).error).toBe('login_required')
      expect((await read(`/applications/${app.id}`)).json.owner).toBeNull()
      const { json } = await read('/audit-events?targetId=usr_demo_bob&event=user.deleted')
      expect(json.data).toHaveLength(1)
    })

    test('N11: a disabled application’s tokens are dead, too, until it is enabled again', async () => {
      const { tokens } = await atWeb(demo.users[0])
      await changed('PATCH', '/applications/app_demo_web', { enabled: false })
      expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(401)
      await changed('PATCH', '/applications/app_demo_web', { enabled: true })
      expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(200)
    })
  })
})
