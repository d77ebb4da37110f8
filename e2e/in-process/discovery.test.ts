import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../support/ask'
import { type OpenPortal, openPortal } from '../support/in-process'
import { clientFetch } from '../support/send'

describe('discovery and JWKS', () => {
  let portal: OpenPortal

  beforeAll(async () => {
    portal = await openPortal()
  })

  afterAll(() => portal.stop())

  const places = [
    '/.well-known/openid-configuration',
    '/oidc/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
  ]

  test('O2: an issuer with a path is found where RFC 8414 §3.1 and OIDC Discovery §4 put it', async () => {
    const issuer = 'https://id.example/oidc'
    const own = await openPortal({ env: { ISSUER: issuer }, empty: true })
    const inserted = '/.well-known/oauth-authorization-server/oidc'
    const appended = '/oidc/.well-known/openid-configuration'
    for (const path of [inserted, appended]) {
      const { status, body } = await ask(own.origin, { path })
      expect(status).toBe(200)
      expect(JSON.parse(body).issuer).toBe(issuer)
    }
    const found = await oauth.processDiscoveryResponse(
      new URL(issuer),
      await oauth.discoveryRequest(new URL(issuer), { [oauth.customFetch]: clientFetch }),
    )
    expect(found.token_endpoint).toBe(`${own.origin}/oidc/token`)
    await own.stop()
  })

  test('O1: every place gives the same document, cacheable and for every origin', async () => {
    const answers = await Promise.all(places.map((path) => ask(portal.origin, { path })))
    for (const { status, body, headers } of answers) {
      expect(status).toBe(200)
      expect(body).toBe(answers[0]?.body)
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['cache-control']).toMatch(/max-age=\d+/)
    }
    expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({
      issuer: portal.origin,
      token_endpoint: `${portal.origin}/oidc/token`,
      jwks_uri: `${portal.origin}/oidc/.well-known/jwks.json`,
      grant_types_supported: [
        'authorization_code',
        'client_credentials',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
        'urn:ietf:params:oauth:grant-type:token-exchange',
      ],
      token_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
        'none',
      ],
    })
  })

  test('H14: the JWKS is cacheable, has distinct kids and no private member', async () => {
    const { body, headers } = await ask(portal.origin, { path: '/oidc/.well-known/jwks.json' })
    const { keys } = JSON.parse(body)
    expect(headers['cache-control']).toMatch(/max-age=\d+/)
    expect(new Set(keys.map(({ kid }: { kid: string }) => kid)).size).toBe(keys.length)
    expect(keys.map(({ alg }: { alg: string }) => alg).sort()).toEqual(['ES256', 'RS256'])
    for (const key of keys) {
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'])
        expect(key).not.toHaveProperty(member)
    }
  })

  test('O3: preflight is 204 without credentials', async () => {
    for (const path of [...places, '/oidc/token']) {
      const { status, headers } = await ask(portal.origin, { method: 'OPTIONS', path })
      expect(status).toBe(204)
      expect(headers).not.toHaveProperty('access-control-allow-credentials')
    }
  })
})
