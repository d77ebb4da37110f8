import { describe, expect, test } from 'vitest'
import { ask, FORM } from '../support/ask'
import {
  alice,
  demo,
  expectPage,
  expectRefusal,
  portal,
  startAuthorize,
  web,
  without,
} from '../support/authorize'
import { authorizeUrl, received } from '../support/flow'

startAuthorize()

describe('A: client and redirect_uri', () => {
  test('A1: client_id missing, unknown or disabled', async () => {
    await expectPage(without('client_id'))
    await expectPage(web({ client_id: 'nobody' }))
    const { op } = portal
    const disable = async (disabledAt: Date | null) => {
      const where = { id: 'app_demo_web' }
      await op.changePolicy((tx) => tx.application.update({ where, data: { disabledAt } }))
    }
    await disable(new Date())
    await expectPage(web())
    await disable(null)
  })

  test('A2: redirect_uri missing', async () => {
    await expectPage(without('redirect_uri'))
  })

  test.each([
    'http://evil.example/callback',
    'http://localhost:4000/callback/x',
    'http://localhost:4000/callback/',
    'http://localhost:4000/callback/../evil',
    'http://localhost:4000/%63allback',
    'http://localhost:4000/callback;x',
    'http://LOCALHOST:4000/callback',
    'http://localhost:4000/callback?a=b',
    'http://localhost:4000/callback#x',
    'http://localhost:4000.evil.example/callback',
    'http://localhost:4000@evil.example/callback',
    'http://evil.example\\@localhost:4000/callback',
    'http://localhost%3a4000/callback',
    'http://localhost:4000/call\tback',
    'http://127.0.0.1:4000/callback',
  ])('A3, A4, A5: near miss %s', async (redirect_uri) => {
    await expectPage(web({ redirect_uri }))
  })

  test('A7: a native app’s loopback port that no machine has', async () => {
    const native = { client_id: 'app_demo_native', redirect_uri: 'http://127.0.0.1:99999/callback' }
    await expectPage(web(native))
  })

  test('A9: client_id or redirect_uri twice, also across query and body', async () => {
    const once = new URLSearchParams(web()).toString()
    await expectPage(`${once}&client_id=${demo.web.client_id}`)
    await expectPage(`${once}&redirect_uri=x`)
    const { client_id, ...rest } = web()
    const body = new URLSearchParams({ ...rest, client_id: client_id ?? '' }).toString()
    const path = `/oidc/auth?client_id=${client_id}`
    const answer = await ask(portal.origin, { method: 'POST', path, headers: FORM, body })
    expect([answer.status, answer.headers.location]).toEqual([400, undefined])
  })

  test('A10: any other parameter twice', async () => {
    const once = new URLSearchParams(web()).toString()
    await expectRefusal(`${once}&nonce=a&nonce=b`, 'invalid_request')
  })

  test('A11: POST that is no form', async () => {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const headers = { 'content-type': type }
      const body = new URLSearchParams(web()).toString()
      const answer = await ask(portal.origin, { method: 'POST', path: '/oidc/auth', headers, body })
      expect([answer.status, answer.headers.location]).toEqual([400, undefined])
    }
  })

  test('A12: a form over 64 KiB is 413, a URL over 8 KiB is 414', async () => {
    const body = `x=${'y'.repeat(70_000)}`
    const posted = await ask(portal.origin, {
      method: 'POST',
      path: '/oidc/auth',
      headers: FORM,
      body,
    })
    expect(posted.status).toBe(413)
    await expectPage(web({ x: 'y'.repeat(9_000) }), 414)
  })

  test('A13: other methods are 405, HEAD too: a GET here has side effects', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD']) {
      const path = authorizeUrl(web())
      const { status, headers } = await ask(portal.origin, { method, path })
      expect([status, headers.allow]).toEqual([405, 'GET, POST, OPTIONS'])
    }
  })

  test('A14: a cross-site POST is answered on the next GET, where the session is seen', async () => {
    const body = new URLSearchParams(web({ prompt: 'none' })).toString()
    const stored = await ask(portal.origin, {
      method: 'POST',
      path: '/oidc/auth',
      headers: FORM,
      body,
    })
    expect(stored.status).toBe(303)
    const [name = '', value = ''] =
      (stored.headers['set-cookie']?.[0] ?? '').split(';')[0]?.split('=') ?? []
    alice.cookies.set(name, value)
    const page = await alice.open(stored.headers.location ?? '')
    expect(received(page).code).toMatch(/^ghac_/)
  })
})
