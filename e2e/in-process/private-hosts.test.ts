import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyOutbox } from '../../lib/delivery/deliver'
import { callApi, machineToken } from '../support/api'
import { ask, askToken } from '../support/ask'
import { usually } from '../support/databases'
import { authorizeUrl, pkcePair, received } from '../support/flow'
import { type OpenPortal, openPortal, openSecond } from '../support/in-process'
import { OldBrowser } from '../support/old-browser'
import { type Receiver, startReceiver } from '../support/receiver'

/** docs/attacks.md, R40: what the operator allows to admins is not for what anybody wrote. */

const CALLBACK = 'https://rp.example/cb'
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

describe.each(usually('sqlite'))('a private host that only admins may name, on %s', (kind) => {
  let portal: OpenPortal
  /** On the same database, of an operator who allows the host to clients too. */
  let generous: OpenPortal
  let inside: Receiver
  let token: string
  let address: string

  beforeAll(async () => {
    inside = await startReceiver()
    const host = `localhost:${inside.port}`
    address = `http://${host}/admin/reboot?now=1`
    portal = await openPortal({ kind, env: { OUTBOUND_HOSTS: host } })
    generous = await openSecond(portal, { REGISTRATION_OUTBOUND_HOSTS: host })
    token = await machineToken(portal)
    const clientRegistration = { mode: 'open', documents: true, perNetwork: 1_000 }
    const open = await call('PATCH', '/settings', { clientRegistration }, { 'if-match': '*' })
    expect([open.status, open.raw]).toEqual([200, expect.any(String)])
    for (const one of [portal, generous]) await one.op.latestSnapshot()
  })

  afterAll(async () => {
    await generous.stop()
    await portal.stop()
    inside.close()
  })

  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    callApi(portal, token, method, path, body, headers)

  async function register(at: OpenPortal, more: object) {
    const body = JSON.stringify({ redirect_uris: [CALLBACK], client_name: 'An outsider', ...more })
    const headers = { 'content-type': 'application/json' }
    const answer = await ask(at.origin, { method: 'POST', path: '/oidc/register', headers, body })
    return { status: answer.status, json: JSON.parse(answer.body) }
  }

  const byKeys = () => ({ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: address })

  test('R40: a client that registers itself cannot name it, neither for keys nor for logout', async () => {
    for (const more of [byKeys(), { backchannel_logout_uri: address }]) {
      const { status, json } = await register(portal, more)
      expect([status, json.error]).toEqual([400, 'invalid_client_metadata'])
    }
    expect(inside.bodies).toHaveLength(0)
  })

  test('R40: a document there is not fetched', async () => {
    const client_id = `https://localhost:${inside.port}/client`
    const fields = { client_id, redirect_uri: CALLBACK, response_type: 'code', scope: 'openid' }
    const { status } = await ask(portal.origin, { path: authorizeUrl(fields) })
    expect([status, inside.bodies.length]).toEqual([400, 0])
  })

  test('R40: keys of a client that is known are not read there, once the operator takes the host back', async () => {
    const { json } = await register(generous, byKeys())
    const { privateKey } = await generateKeyPair('ES256')
    const authenticate = async (at: OpenPortal) => {
      const { client_id } = json
      const client_assertion = await new SignJWT({ jti: crypto.randomUUID() })
        .setProtectedHeader({ alg: 'ES256', kid: 'k' })
        .setIssuer(client_id)
        .setSubject(client_id)
        .setAudience(portal.origin)
        .setExpirationTime('1m')
        .sign(privateKey)
      await at.op.latestSnapshot()
      return askToken(at.origin, {
        grant_type: 'authorization_code',
        code: 'x',
        redirect_uri: CALLBACK,
        client_assertion,
        client_assertion_type: ASSERTION_TYPE,
      })
    }
    inside.bodies.length = 0
    expect((await authenticate(portal)).status).toBe(401)
    expect(inside.bodies).toHaveLength(0)
    expect((await authenticate(generous)).status).toBe(401)
    expect(inside.bodies).toHaveLength(1)
  })

  test('R40: it is not told of a logout there, once the operator takes the host back', async () => {
    const { json } = await register(generous, { backchannel_logout_uri: address })
    await portal.op.latestSnapshot()
    const browser = new OldBrowser(portal.origin)
    const { client_id, client_secret } = json
    const request = { client_id, redirect_uri: CALLBACK, response_type: 'code', scope: 'openid' }
    const { verifier: code_verifier, challenge } = pkcePair()
    const code_challenge = { code_challenge: challenge, code_challenge_method: 'S256' }
    const login = await browser.open(authorizeUrl({ ...request, ...code_challenge }))
    const [alice = { email: '', password: '' }] = portal.demo().users
    const { code = '' } = received(await browser.submit(await browser.signIn(login, alice), {}))
    const grant = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier }
    const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
    const tokens = await askToken(portal.origin, grant, { authorization: `Basic ${basic}` })
    expect([tokens.status, tokens.body]).toEqual([200, expect.any(String)])
    inside.bodies.length = 0
    expect((await call('DELETE', '/users/usr_demo_alice/sessions')).status).toBe(204)
    await emptyOutbox(portal.op, () => true)
    expect(inside.bodies).toHaveLength(0)
    generous.moveClock(3_600_000)
    await emptyOutbox(generous.op, () => true)
    expect(inside.bodies).toHaveLength(1)
  })

  test('R40: a client that an admin trusts with requests names no callback there', async () => {
    const sent = { token_endpoint_auth_method: 'client_secret_post' }
    const { json } = await register(portal, sent)
    const { client_id, client_secret } = json
    const scope = 'permissions:request'
    const trusted = {
      grantTypes: ['authorization_code', 'client_credentials'],
      scopeLimit: ['openid', scope],
    }
    const path = `/applications/${client_id}`
    const changed = await call('PATCH', path, trusted, { 'if-match': '*' })
    expect([changed.status, changed.raw]).toEqual([200, expect.any(String)])
    const grants = { grants: [{ pattern: scope }] }
    const granted = await call('PUT', `${path}/grants`, grants, { 'if-match': '*' })
    expect([granted.status, granted.raw]).toEqual([200, expect.any(String)])
    await portal.op.latestSnapshot()
    const grant = { grant_type: 'client_credentials', client_id, client_secret, scope }
    const tokens = await askToken(portal.origin, grant)
    expect([tokens.status, tokens.body]).toEqual([200, expect.any(String)])
    const answer = await ask(portal.origin, {
      method: 'POST',
      path: '/access/v1/request',
      headers: {
        authorization: `Bearer ${JSON.parse(tokens.body).access_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        subject: { type: 'user', id: 'usr_demo_alice' },
        resource: { type: 'orders', id: 'one' },
        action: { name: 'read' },
        denial: {},
        callback: { url: address },
      }),
    })
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.stringContaining('error:invalid_callback'),
    ])
  })

  test('an admin may name it, and can still disable a client that named it before', async () => {
    const { json } = await register(generous, { backchannel_logout_uri: address })
    const path = `/applications/${json.client_id}`
    const disabled = await call('PATCH', path, { enabled: false }, { 'if-match': '*' })
    expect(disabled.status).toBe(200)
    const own = `/applications/${portal.demo().web.client_id}`
    const named = await call('PATCH', own, { backchannelLogoutUri: address }, { 'if-match': '*' })
    expect(named.status).toBe(200)
  })
})
