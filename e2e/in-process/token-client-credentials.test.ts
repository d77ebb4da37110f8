import { createRemoteJWKSet, customFetch, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Demo } from '../../lib/operations/demo'
import { askToken, machineFields } from '../support/ask'
import { usually } from '../support/databases'
import { type OpenPortal, openPortal } from '../support/in-process'
import { clientFetch, send } from '../support/send'

describe.each(usually('sqlite'))('POST /oidc/token client_credentials on %s', (kind) => {
  let portal: OpenPortal
  let demo: Demo

  beforeAll(async () => {
    portal = await openPortal({ kind })
    demo = portal.demo()
  })

  afterAll(() => portal.stop())

  async function token(more: Record<string, string>) {
    const answer = await askToken(portal.origin, machineFields(portal, more))
    return { ...answer, json: JSON.parse(answer.body) }
  }

  const held = () => demo.machine.granted.join(' ')
  const notHeld = () => demo.machine.not_granted.join(' ')

  const credentials: [string, () => Record<string, string>][] = [
    ['application ID and secret', () => ({})],
    [
      'access key and secret key',
      () => ({ client_id: demo.machine.access_key, client_secret: demo.machine.secret_key }),
    ],
  ]

  test.each(credentials)(
    'G2: 200 with %s: granted in scope, refused in scope_rejected',
    async (_what, pair) => {
      const { status, json, headers } = await token({ ...pair(), scope: `${held()} ${notHeld()}` })
      expect(status).toBe(200)
      expect(json).toEqual({
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 3600,
        scope: held(),
        scope_rejected: notHeld(),
        scope_rejected_reasons: demo.machine.not_granted.map((scope) => ({
          scope,
          code: 'client_not_granted',
          next_action: 'none',
        })),
      })
      expect(headers['cache-control']).toBe('no-store')
      expect(headers.pragma).toBe('no-cache')
      expect(headers['content-type']).toBe('application/json')
    },
  )

  test.each(credentials)(
    'G5: the token of %s is a JWT that the JWKS verifies',
    async (_what, pair) => {
      const { json } = await token(pair())
      const address = new URL(`${portal.origin}/oidc/.well-known/jwks.json`)
      const keys = createRemoteJWKSet(address, { [customFetch]: send })
      const { payload } = await jwtVerify(json.access_token, keys, {
        issuer: portal.origin,
        audience: 'https://orders.gatehouse.example',
        typ: 'at+jwt',
      })
      const clientId = pair().client_id ?? demo.machine.client_id
      expect(payload).toMatchObject({ sub: clientId, client_id: clientId, scope: 'orders:read' })
      expect(payload.jti).toMatch(/^dec_/)
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600)
      expect(decodeProtectedHeader(json.access_token).alg).toBe('ES256')
    },
  )

  test('200 with everything granted: no scope_rejected', async () => {
    const { json } = await token({ scope: held() })
    expect(json).not.toHaveProperty('scope_rejected')
    expect(json).not.toHaveProperty('scope_rejected_reasons')
  })

  test('200: both lists keep the order of the request, repeats collapse', async () => {
    const { json } = await token({ scope: 'nope orders:write zzz orders:read orders:write nope' })
    expect(json.scope).toBe('orders:write orders:read')
    expect(json.scope_rejected).toBe('nope zzz')
  })

  test('G2: 400 invalid_scope when nothing asked for is granted, with the reasons', async () => {
    const { status, json } = await token({ scope: 'orders:delete nope openid' })
    expect(status).toBe(400)
    expect(json).toEqual({
      error: 'invalid_scope',
      error_description: expect.any(String),
      scope_rejected: 'orders:delete nope openid',
      scope_rejected_reasons: [
        { scope: 'orders:delete', code: 'client_not_granted', next_action: 'none' },
        { scope: 'nope', code: 'unknown_scope', next_action: 'none' },
        { scope: 'openid', code: 'user_required', next_action: 'none' },
      ],
    })
  })

  test('G3: the default scopes when none is asked for', async () => {
    expect((await token({ scope: '' })).json.scope).toBe('orders:read')
  })

  test('G4: openid and offline_access need a user; there is no id_token and no refresh_token', async () => {
    const { status, json } = await token({ scope: 'orders:read openid offline_access' })
    expect(status).toBe(200)
    expect(json).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'orders:read',
      scope_rejected: 'openid offline_access',
      scope_rejected_reasons: [
        { scope: 'openid', code: 'user_required', next_action: 'none' },
        { scope: 'offline_access', code: 'user_required', next_action: 'none' },
      ],
    })
  })

  test('orders:* expands to the registered items, each decided on its own', async () => {
    const { json } = await token({ scope: 'orders:*' })
    expect(json.scope.split(' ').sort()).toEqual([...demo.machine.granted].sort())
    expect(json.scope_rejected.split(' ').sort()).toEqual([...demo.machine.not_granted].sort())
  })

  test.each([
    ['an illegal character', 'orders:read "x"'],
    ['over 100 items', Array.from({ length: 101 }, (_, index) => `s${index}`).join(' ')],
    ['over 4 KiB', Array.from({ length: 30 }, (_, index) => `${index}`.repeat(140)).join(' ')],
  ])('400 invalid_scope, nothing decided: %s', async (_what, scope) => {
    const { status, json } = await token({ scope })
    expect(status).toBe(400)
    expect(json.error).toBe('invalid_scope')
    expect(json).not.toHaveProperty('scope_rejected')
  })

  test('G7: resource (RFC 8707): its API is the audience, an unknown one is invalid_target', async () => {
    const resource = 'https://orders.gatehouse.example'
    const { json } = await token({ resource })
    expect(json.scope).toBe('orders:read')
    expect(decodeJwt(json.access_token).aud).toBe(resource)
    for (const unknown of ['https://nobody.example', 'relative', `${resource}#x`]) {
      const answer = await token({ resource: unknown })
      expect([answer.status, answer.json.error]).toEqual([400, 'invalid_target'])
      expect(answer.headers['cache-control']).toBe('no-store')
    }
  })

  // Known, but none of its items is held: each scope is refused with its
  // reason, and with nothing left the word is invalid_scope.
  test('G7: the resource of another API grants nothing of this one', async () => {
    const stamps = { createdAt: new Date(), updatedAt: new Date() }
    const audience = 'https://stock.gatehouse.example'
    const api = { id: 'api_stock', spaceId: 'spc_demo', prefix: 'stock', name: 'Stock', audience }
    await portal.op.changePolicy((tx) =>
      tx.api.create({ data: { ...api, tokenSeconds: 600, ...stamps } }),
    )
    const { status, json } = await token({ resource: audience })
    expect([status, json.error]).toEqual([400, 'invalid_scope'])
    expect(json.scope_rejected_reasons).toEqual([
      { scope: 'orders:read', code: 'resource_mismatch', next_action: 'none' },
    ])
  })

  test('the conditional item is granted on this machine', async () => {
    expect((await token({ scope: 'orders:export' })).json.scope).toBe('orders:export')
  })

  test('openid-client gets a token from discovery alone', async () => {
    const { client_id, client_secret } = demo.machine
    const issuer = new URL(portal.origin)
    const settings = await openid.discovery(issuer, client_id, client_secret, undefined, {
      execute: [openid.allowInsecureRequests],
      [openid.customFetch]: clientFetch,
    })
    const tokens = await openid.clientCredentialsGrant(settings, { scope: 'orders:read nope' })
    expect(tokens.scope).toBe('orders:read')
    expect(tokens.scope_rejected).toBe('nope')
  })

  test('oauth4webapi gets a token with HTTP Basic and RFC 8414 discovery', async () => {
    const issuer = new URL(portal.origin)
    const insecure = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: clientFetch }
    const found = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' })
    const server = await oauth.processDiscoveryResponse(issuer, found)
    const client = { client_id: demo.machine.access_key }
    const auth = oauth.ClientSecretBasic(demo.machine.secret_key)
    const asked = new URLSearchParams({ scope: 'orders:read' })
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      auth,
      asked,
      insecure,
    )
    const tokens = await oauth.processClientCredentialsResponse(server, client, response)
    expect(tokens.scope).toBe('orders:read')
  })

  test('every issued token has its audit entry, with the decision', async () => {
    const { json } = await token({ scope: 'orders:read orders:delete' })
    const [, body = ''] = json.access_token.split('.')
    const { jti } = JSON.parse(Buffer.from(body, 'base64url').toString())
    await portal.op.settled()
    const entry = await portal.op.db.auditEntry.findFirstOrThrow({ where: { decisionId: jti } })
    expect(entry).toMatchObject({ event: 'token.issued', actorId: demo.machine.client_id })
    expect(entry.detail).toMatchObject({
      scope: ['orders:read'],
      refused: [{ scope: 'orders:delete', code: 'client_not_granted' }],
    })
  })
})
