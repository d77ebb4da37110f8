import { describe, expect, test } from 'vitest'
import { ask, askToken, FORM, machineFields } from '../support/ask'
import { body, code, portal, startCodeFlow, tokens } from '../support/code-flow'
import { usually } from '../support/databases'
import { exchange, userinfo } from '../support/flow'

describe.each(usually('sqlite'))('/oidc/me on %s', (kind) => {
  startCodeFlow(kind)

  describe('H: userinfo', () => {
    test('GET, POST with a header, POST with a form', async () => {
      const { access_token } = await tokens()
      const got = await userinfo(portal.origin, access_token)
      expect(body(got)).toEqual({
        sub: 'usr_demo_alice',
        name: 'Alice Clerk',
        given_name: 'Alice',
        family_name: 'Clerk',
        preferred_username: 'alice',
        zoneinfo: 'Europe/Zurich',
        locale: 'en',
        updated_at: expect.any(Number),
        email: 'alice@gatehouse.example',
        email_verified: true,
      })
      const headers = { authorization: `Bearer ${access_token}` }
      expect((await ask(portal.origin, { method: 'POST', path: '/oidc/me', headers })).body).toBe(
        got.body,
      )
      const form = {
        method: 'POST',
        path: '/oidc/me',
        headers: FORM,
        body: `access_token=${access_token}`,
      }
      expect((await ask(portal.origin, form)).body).toBe(got.body)
    })

    test('without credentials: a challenge without an error', async () => {
      const answer = await ask(portal.origin, { path: '/oidc/me' })
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        401,
        `Bearer realm="${portal.origin}"`,
      ])
    })

    test('H1, H2, H4, H5, H7: what is no access token of ours', async () => {
      const { id_token, access_token } = await tokens()
      const [head = '', payload = ''] = access_token.split('.')
      const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
      for (const token of [
        `${none}.${payload}.`,
        `${head}.${payload}.AAAA`,
        id_token,
        'x',
        'a.b.c',
        'x'.repeat(9000),
      ]) {
        const answer = await userinfo(portal.origin, token)
        expect(answer.status).toBe(401)
        expect(answer.headers['www-authenticate']).toContain('error="invalid_token"')
      }
      const machine = body(await askToken(portal.origin, machineFields(portal)))
      expect((await userinfo(portal.origin, machine.access_token)).status).toBe(401)
    })

    test('H9, H10: in the query, and twice', async () => {
      const { access_token } = await tokens()
      const query = await ask(portal.origin, { path: `/oidc/me?access_token=${access_token}` })
      expect([query.status, body(query).error]).toEqual([400, 'invalid_request'])
      const headers = { ...FORM, authorization: `Bearer ${access_token}` }
      const twice = {
        method: 'POST',
        path: '/oidc/me',
        headers,
        body: `access_token=${access_token}`,
      }
      expect((await ask(portal.origin, twice)).status).toBe(400)
    })

    test('H12: without openid', async () => {
      const plain = body(await exchange(portal, await code({ scope: 'orders:read' })))
      expect(plain).not.toHaveProperty('id_token')
      const answer = await userinfo(portal.origin, plain.access_token)
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        403,
        `Bearer realm="${portal.origin}", error="insufficient_scope"`,
      ])
    })
  })
})
