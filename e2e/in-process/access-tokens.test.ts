import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { decodeJwt, decodeProtectedHeader, exportJWK } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenOp } from '../../lib/op'
import type { Demo } from '../../lib/operations/demo'
import { type Answer, ask, type Fields, FORM } from '../support/ask'
import {
  aliceAtWeb,
  authorizeUrl,
  exchange,
  getCode,
  pkcePair,
  received,
  refresh,
  userinfo,
  webRequest,
} from '../support/flow'
import { type OpenPortal, openPortal, openSecond } from '../support/in-process'
import type { OldBrowser } from '../support/old-browser'
import { freePort } from '../support/postgres'

/** docs/attacks.md, H and J: forged and odd access tokens, and the keys behind good ones. */

let portal: OpenPortal
let demo: Demo
let op: OpenOp
let alice: OldBrowser

beforeAll(async () => {
  portal = await openPortal()
  demo = portal.demo()
  op = portal.op
  alice = await aliceAtWeb(portal)
})

afterAll(() => portal.stop())

const json = (answer: Answer) => JSON.parse(answer.body)
const encode = (text: string) => Buffer.from(text).toString('base64url')
const tokens = async (more: Fields = {}, browser = alice) =>
  json(await exchange(portal, await getCode(browser, webRequest(demo, more))))
const endpoint = (path: string, fields: Fields) =>
  ask(portal.origin, {
    method: 'POST',
    path,
    headers: FORM,
    body: new URLSearchParams(fields).toString(),
  })
const asWeb = () => ({ client_id: demo.web.client_id, client_secret: demo.web.client_secret })
const introspect = (token: string) => endpoint('/oidc/token/introspection', { token, ...asWeb() })
const revoke = (fields: Fields) => endpoint('/oidc/token/revocation', fields)
const inForm = (access_token: string) => endpoint('/oidc/me', { access_token })

/** RE(invalid_token), whether it comes in the header or in a form; and inactive for introspection. */
async function expectRefused(token: string): Promise<void> {
  for (const answer of [await userinfo(portal.origin, token), await inForm(token)]) {
    expect([answer.status, json(answer).error]).toEqual([401, 'invalid_token'])
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer realm="${portal.origin}", error="invalid_token"`,
    )
  }
  expect((await introspect(token)).body).toBe('{"active":false}')
}

/** Signed with the portal's own key, whatever the header and the payload say. */
async function signedByUs(header: string, payload: string, encoded = encode(payload)) {
  const { privateKey } = await op.signingKey('ES256')
  const input = `${encode(header)}.${encoded}`
  const signature = sign('sha256', Buffer.from(input), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return `${input}.${signature.toString('base64url')}`
}

async function genuine(): Promise<{ header: string; payload: string; token: string }> {
  const { access_token } = await tokens()
  const [header = '', payload = ''] = access_token
    .split('.')
    .map((part: string) => Buffer.from(part, 'base64url').toString())
  return { header, payload, token: access_token }
}

/** Adds members to a JSON object as text, so that a name can stand there twice. */
const withMembers = (object: string, members: string) => `${object.slice(0, -1)},${members}}`

test('the token of a user and its introspection say how and when they signed in (RFC 9470)', async () => {
  const { access_token, id_token } = await tokens()
  const { acr, auth_time } = decodeJwt(id_token)
  expect(acr).toBe('pwd')
  expect(decodeJwt(access_token)).toMatchObject({ acr, auth_time })
  expect(json(await introspect(access_token))).toMatchObject({ active: true, acr, auth_time })
})

describe('H3, H8: the header', () => {
  test('the way tokens are made here makes good ones', async () => {
    const { header, payload } = await genuine()
    expect((await userinfo(portal.origin, await signedByUs(header, payload))).status).toBe(200)
  })

  test('H3: a key that the token brings along is not believed and not fetched', async () => {
    const { payload } = await genuine()
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const jwk = await exportJWK(publicKey)
    const listener = await countingServer(JSON.stringify({ keys: [jwk] }))
    const own = (await op.signingKey('ES256')).kid
    for (const brought of [
      { jwk },
      { jku: listener.url },
      { x5u: listener.url },
      { jwk, jku: listener.url, kid: own },
    ]) {
      const header = JSON.stringify({ alg: 'ES256', typ: 'at+jwt', ...brought })
      const input = `${encode(header)}.${encode(payload)}`
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
      await expectRefused(
        `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`,
      )
    }
    expect(listener.calls()).toBe(0)
    listener.close()
  })

  test('H3: an HMAC under the public key that the token names is no signature', async () => {
    const { payload } = await genuine()
    const { kid } = await op.signingKey('ES256')
    const published = (await op.publishedKeys()).find((key) => key.kid === kid)
    const input = `${encode(JSON.stringify({ alg: 'HS256', typ: 'at+jwt', kid, jwk: published }))}.${encode(payload)}`
    const mac = createHmac('sha256', JSON.stringify(published)).update(input).digest('base64url')
    await expectRefused(`${input}.${mac}`)
  })

  test.each([
    ['crit with an unknown name', '"crit":["exp"],"exp":1'],
    ['crit that is empty', '"crit":[]'],
    ['crit b64, which would be understood', '"crit":["b64"],"b64":true'],
    ['alg twice', '"alg":"ES256"'],
    ['typ twice', '"typ":"at+jwt"'],
  ])('H8: %s, under our own signature', async (_what, members) => {
    const { header, payload } = await genuine()
    await expectRefused(await signedByUs(withMembers(header, members), payload))
  })

  test('H8: a payload that is not encoded (b64: false)', async () => {
    const { header, payload } = await genuine()
    // Without a dot in it, so that the three parts of a compact token stay three.
    const plain = JSON.stringify({ ...JSON.parse(payload), aud: portal.origin })
    expect(plain).not.toContain('.')
    const odd = withMembers(header, '"b64":false,"crit":["b64"]')
    const answer = await inForm(await signedByUs(odd, plain, plain))
    expect([answer.status, json(answer).error]).toEqual([401, 'invalid_token'])
  })

  test('H8: a claim twice, under our own signature', async () => {
    const { header, payload } = await genuine()
    await expectRefused(await signedByUs(header, withMembers(payload, '"sub":"usr_demo_bob"')))
  })

  test.each([
    ['p2c', { alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', p2c: 2_147_483_647, p2s: 'c2FsdA' }],
    ['zip', { alg: 'dir', enc: 'A256GCM', zip: 'DEF' }],
  ])('H8: an encrypted token with %s costs nothing', async (_what, header) => {
    const bomb = [{ typ: 'at+jwt', ...header }, 'key', 'iv', 'x'.repeat(3_000), 'tag']
      .map((part) => encode(typeof part === 'string' ? part : JSON.stringify(part)))
      .join('.')
    const started = process.cpuUsage()
    await expectRefused(bomb)
    // A derivation with that count would take minutes.
    const { user, system } = process.cpuUsage(started)
    expect((user + system) / 1000).toBeLessThan(5_000)
  })
})

describe('H11: the Authorization header', () => {
  // RFC 6750 §2.1: "Bearer" 1*SP b64token, and scheme names ignore case (RFC 9110 §11.1).
  test.each(['bearer ', 'BEARER ', 'bEaReR ', 'Bearer  '])('%j is accepted', async (scheme) => {
    const { access_token } = await tokens()
    expect((await bring(`${scheme}${access_token}`)).status).toBe(200)
  })

  test.each(['Bearer', 'Bearer ', 'Bearer x y', 'Bearer\tx', 'Basic eDp5', 'Token x', '='])(
    '%j is 401',
    async (value) => {
      const answer = await bring(value)
      expect([answer.status, json(answer).error]).toEqual([401, 'invalid_token'])
    },
  )

  test('two of them in one header are 400, even if both are good', async () => {
    const { access_token } = await tokens()
    const joined = await bring(`Bearer ${access_token}, Bearer ${access_token}`)
    expect([joined.status, json(joined).error]).toEqual([400, 'invalid_request'])
  })

  const bring = (authorization: string) =>
    ask(portal.origin, { path: '/oidc/me', headers: { authorization } })
})

describe('H13: userinfo is RE(invalid_token)', () => {
  test('after the user is disabled', async () => {
    const { access_token } = await tokens()
    const disable = (disabledAt: Date | null) =>
      op.db.user.update({ where: { id: 'usr_demo_alice' }, data: { disabledAt } })
    await disable(new Date())
    await expectRefused(access_token)
    await disable(null)
    expect((await userinfo(portal.origin, access_token)).status).toBe(200)
  })

  test('after its session is over', async () => {
    const browser = await aliceAtWeb(portal)
    const { access_token } = await tokens({ scope: 'openid' }, browser)
    expect((await userinfo(portal.origin, access_token)).status).toBe(200)
    await browser.signOut()
    await expectRefused(access_token)
  })

  test('after its grant is revoked', async () => {
    const { access_token, refresh_token } = await tokens()
    await revoke({ token: refresh_token, ...asWeb() })
    await expectRefused(access_token)
  })
})

test('J7: a public client revokes with its client_id alone', async () => {
  const { verifier, challenge } = pkcePair()
  const redirect_uri = demo.spa.redirect_uris[0] ?? ''
  const asSpa = { client_id: demo.spa.client_id, client_secret: '' }
  const asked = await alice.open(
    authorizeUrl({
      client_id: demo.spa.client_id,
      redirect_uri,
      response_type: 'code',
      scope: 'openid offline_access',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }),
  )
  const done = asked.url.includes('/consent') ? await alice.submit(asked, {}) : asked
  const proof = { ...asSpa, redirect_uri, code_verifier: verifier }
  const got = json(await exchange(portal, received(done).code ?? '', proof))

  const outsider = await revoke({ token: got.access_token })
  expect([outsider.status, json(outsider).error]).toEqual([401, 'invalid_client'])
  expect((await userinfo(portal.origin, got.access_token)).status).toBe(200)

  const answer = await revoke({ token: got.access_token, client_id: demo.spa.client_id })
  expect([answer.status, answer.body]).toEqual([200, ''])
  expect((await userinfo(portal.origin, got.access_token)).status).toBe(401)
  await revoke({ token: got.refresh_token, client_id: demo.spa.client_id })
  expect(json(await refresh(portal, got.refresh_token, asSpa)).error).toBe('invalid_grant')
})

// The process that revokes believes it no longer; every other one reads the keys again each second.
test('H15: what a revoked key signed is refused within a second, and a new key signs', async () => {
  const before = (await tokens()).access_token
  const kid = decodeProtectedHeader(before).kid ?? ''
  expect(json(await introspect(before)).active).toBe(true)
  const other = await openSecond(portal)
  expect(await other.op.keys.revoke(kid)).toBe(true)
  await other.stop()
  const isActive = async () => json(await introspect(before)).active
  await expect.poll(isActive).toBe(false)
  await expectRefused(before)
  const published = json(await ask(portal.origin, { path: '/oidc/.well-known/jwks.json' }))
  expect(published.keys.map((key: { kid: string }) => key.kid)).not.toContain(kid)
  const after = (await tokens()).access_token
  expect(decodeProtectedHeader(after).kid).not.toBe(kid)
  expect((await userinfo(portal.origin, after)).status).toBe(200)
  expect(decodeJwt(after).sub).toBe(decodeJwt(before).sub)
})

async function countingServer(body: string) {
  const port = await freePort()
  let calls = 0
  const server = createServer((_request, response) => {
    calls += 1
    response.setHeader('content-type', 'application/json').end(body)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}/`,
    calls: () => calls,
    close: () => server.close(),
  }
}
