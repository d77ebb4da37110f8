import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../lib/base/time'
import { signJwt } from '../../lib/crypto/jwt'
import { emptyOutbox } from '../../lib/delivery/deliver'
import type { OpenOp } from '../../lib/op'
import type { Demo } from '../../lib/operations/demo'
import { ask, FORM } from '../support/ask'
import { aliceAtWeb, authorizeUrl, exchange, getCode, received, webRequest } from '../support/flow'
import { type OpenPortal, openPortal, openSecond } from '../support/in-process'
import type { OldBrowser } from '../support/old-browser'
import { type Receiver, startReceiver } from '../support/receiver'

/** docs/attacks.md, L1 to L13: RP-initiated logout; its pages are in e2e/http. */

let portal: OpenPortal
let demo: Demo

beforeAll(async () => {
  portal = await openPortal()
  demo = portal.demo()
})

afterAll(() => portal.stop())

const uri = () => demo.web.post_logout_redirect_uris[0] ?? ''
const end = (fields: Record<string, string>) => `/oidc/session/end?${new URLSearchParams(fields)}`

async function signedIn(): Promise<{ browser: OldBrowser; hint: string }> {
  const browser = await aliceAtWeb(portal)
  const answer = await exchange(portal, await getCode(browser, webRequest(demo)))
  return { browser, hint: JSON.parse(answer.body).id_token }
}

async function isSignedIn(browser: OldBrowser): Promise<boolean> {
  const page = await browser.open(authorizeUrl(webRequest(demo, { prompt: 'none' })))
  return received(page).error === undefined
}

test('L1: no parameters: a page asks, then the user is signed out', async () => {
  const { browser } = await signedIn()
  const page = await browser.open('/oidc/session/end')
  expect(new URL(page.url).pathname).toBe('/logout')
  expect(await isSignedIn(browser)).toBe(true)
  await browser.submit(page, {})
  expect(await isSignedIn(browser)).toBe(false)
})

test('L2, L9: a hint of this session, a registered address and state: at once, and with nothing else', async () => {
  const { browser, hint } = await signedIn()
  const state = 's'.repeat(128)
  const page = await browser.open(
    end({ id_token_hint: hint, post_logout_redirect_uri: uri(), state }),
  )
  expect(page.url).toBe(`${uri()}?state=${state}`)
  expect(page.status).toBe(303)
  expect(await isSignedIn(browser)).toBe(false)
})

test('L2: without state there is none', async () => {
  const { browser, hint } = await signedIn()
  const page = await browser.open(end({ id_token_hint: hint, post_logout_redirect_uri: uri() }))
  expect(page.url).toBe(uri())
})

test('only a hint: signed out, and the page of the portal that says so', async () => {
  const { browser, hint } = await signedIn()
  const page = await browser.open(end({ id_token_hint: hint }))
  expect(page.url).toBe(`${portal.origin}/logout`)
  expect(await isSignedIn(browser)).toBe(false)
})

describe('no redirect and no logout', () => {
  test.each<[string, (hint: string) => Record<string, string>]>([
    [
      'L3: an unregistered address',
      (hint) => ({ id_token_hint: hint, post_logout_redirect_uri: 'https://evil.example/' }),
    ],
    [
      'L3: a registered one with a query added',
      (hint) => ({ id_token_hint: hint, post_logout_redirect_uri: `${uri()}?foo=bar` }),
    ],
    ['L3: an address without a hint', () => ({ post_logout_redirect_uri: uri() })],
    [
      'L4: a hint without a signature',
      (hint) => ({ id_token_hint: unsigned(hint), post_logout_redirect_uri: uri() }),
    ],
    ['L4: garbage for a hint', () => ({ id_token_hint: 'x', post_logout_redirect_uri: uri() })],
    [
      'L6: client_id of another application',
      (hint) => ({ id_token_hint: hint, client_id: demo.spa.client_id }),
    ],
  ])('%s', async (_what, fields) => {
    const { browser, hint } = await signedIn()
    const page = await browser.open(end(fields(hint)))
    expect(page.status).toBe(400)
    expect(page.url.startsWith(portal.origin)).toBe(true)
    expect(await isSignedIn(browser)).toBe(true)
  })
})

test('L5: an expired hint of a known key still names its session', async () => {
  const { browser, hint } = await signedIn()
  const key = await portal.op.signingKey('RS256')
  const claims = decodeJwt(hint)
  const yesterday = (claims.iat ?? 0) - 86_400
  const expired = await signJwt(key, 'JWT', { ...claims, iat: yesterday, exp: yesterday + 3600 })
  const fields = { id_token_hint: expired, post_logout_redirect_uri: uri(), state: 'x' }
  const page = await browser.open(end(fields))
  expect([page.status, page.url]).toEqual([303, `${uri()}?state=x`])
  expect(await isSignedIn(browser)).toBe(false)
})

test('L2, L7: a hint of another session asks first, and then goes where it was asked to', async () => {
  const { hint } = await signedIn()
  const { browser } = await signedIn()
  const page = await browser.open(
    end({ id_token_hint: hint, post_logout_redirect_uri: uri(), state: 'x' }),
  )
  expect(new URL(page.url).pathname).toBe('/logout')
  expect(await isSignedIn(browser)).toBe(true)
  const done = await browser.submit(page, {})
  expect(done.url).toBe(`${uri()}?state=x`)
  expect(await isSignedIn(browser)).toBe(false)
})

test.each([
  ['a line break', 'state=a\r\nSet-Cookie: x=y', 303],
  ['bytes that no header holds', 'state=é✓', 303],
  ['broken encoding', 'state=%zz', 400],
  ['more than an address holds', `state=${'x'.repeat(9_000)}`, 413],
])('L8: a POST with %s is answered all the same', async (_what, body, status) => {
  const sent = { method: 'POST', path: '/oidc/session/end', headers: FORM, body }
  const answer = await ask(portal.origin, sent)
  expect([answer.status, answer.headers['set-cookie']]).toEqual([status, undefined])
  if (status !== 303) return
  const { searchParams } = new URL(answer.headers.location ?? '', portal.origin)
  expect(`state=${searchParams.get('state')}`).toBe(body)
})

test('L8: a POST is taken up by the GET that follows', async () => {
  const body = new URLSearchParams({ state: 'x' }).toString()
  const answer = await ask(portal.origin, {
    method: 'POST',
    path: '/oidc/session/end',
    headers: FORM,
    body,
  })
  expect([answer.status, answer.headers.location]).toEqual([303, '/oidc/session/end?state=x'])
})

describe('back-channel logout', () => {
  let receiver: Receiver
  let own: OpenPortal
  let op: OpenOp

  beforeAll(async () => {
    receiver = await startReceiver()
    own = await openPortal({ env: { OUTBOUND_HOSTS: `localhost:${receiver.port}` } })
    op = own.op
    await op.changePolicy((tx) =>
      tx.application.update({
        where: { id: 'app_demo_web' },
        data: { backchannelLogoutUri: `http://localhost:${receiver.port}/bcl` },
      }),
    )
  })

  afterAll(async () => {
    await own.stop()
    receiver.close()
  })

  const delivered = () => emptyOutbox(op, () => true)

  async function signInAndOut(): Promise<Record<string, unknown>> {
    const browser = await aliceAtWeb(own)
    const answer = await exchange(own, await getCode(browser, webRequest(own.demo())))
    const { id_token } = JSON.parse(answer.body)
    await browser.open(`/oidc/session/end?id_token_hint=${id_token}`)
    return decodeJwt(id_token)
  }

  test('L10: the application receives a logout token, once', async () => {
    const idToken = await signInAndOut()
    await delivered()
    expect(receiver.bodies).toHaveLength(1)
    const form = new URLSearchParams(receiver.bodies[0])
    expect([...form.keys()]).toEqual(['logout_token'])
    const { body } = await ask(own.origin, { path: '/oidc/.well-known/jwks.json' })
    const keys = createLocalJWKSet(JSON.parse(body))
    const { payload, protectedHeader } = await jwtVerify(form.get('logout_token') ?? '', keys, {
      issuer: own.origin,
      audience: 'app_demo_web',
      typ: 'logout+jwt',
    })
    expect(payload).toMatchObject({
      sub: idToken.sub,
      sid: idToken.sid,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    expect(payload).not.toHaveProperty('nonce')
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(120)
    expect(protectedHeader.alg).toBe('RS256')
    await delivered()
    expect(receiver.bodies).toHaveLength(1)
  })

  test('L12: 200 applications: the person does not wait for them, and each hears it once', async () => {
    receiver.bodies.length = 0
    const browser = await aliceAtWeb(own)
    const answer = await exchange(own, await getCode(browser, webRequest(own.demo())))
    const { id_token } = JSON.parse(answer.body)
    const { sid, sub } = decodeJwt(id_token)
    const others = await alsoSignedInto(200, String(sid))
    const release = receiver.hold()
    const page = await browser.open(`/oidc/session/end?id_token_hint=${id_token}`)
    expect(page.url).toBe(`${own.origin}/logout`)
    // Not one of them has answered yet.
    const delivering = delivered()
    expect(await op.db.outboxMessage.count({ where: { deliveredAt: null } })).toBe(201)
    release()
    await delivering
    await delivered()
    expect(receiver.bodies).toHaveLength(201)
    const told = receiver.bodies.map((body) =>
      decodeJwt(new URLSearchParams(body).get('logout_token') ?? ''),
    )
    expect(told.map(({ aud }) => aud).sort()).toEqual([...others, 'app_demo_web'].sort())
    expect(new Set(told.map(({ jti }) => jti)).size).toBe(201)
    for (const token of told) expect([token.sid, token.sub]).toEqual([sid, sub])
  })

  /** Copies of the web app and of what it was granted in this session. */
  async function alsoSignedInto(count: number, sessionId: string): Promise<string[]> {
    const ids = Array.from({ length: count }, (_, index) => `app_other_${index}`)
    const { id: _app, ...application } = await op.db.application.findUniqueOrThrow({
      where: { id: 'app_demo_web' },
    })
    const { id: _grant, ...grant } = await op.db.tokenGrant.findFirstOrThrow({
      where: { sessionId },
    })
    const { jwks: _none, ...copied } = application
    await op.db.application.createMany({ data: ids.map((id) => ({ ...plain(copied), id })) })
    await op.db.tokenGrant.createMany({
      data: ids.map((id) => ({ ...plain(grant), id: `tgr_${id}`, applicationId: id })),
    })
    return ids
  }

  test('L11, L13: a failure is tried again with the same id, also by another process', async () => {
    receiver.bodies.length = 0
    receiver.status = 500
    await signInAndOut()
    await delivered()
    expect(receiver.bodies).toHaveLength(1)
    receiver.status = 200
    const second = await openSecond(own)
    second.moveClock(HOUR_MS)
    for (const { op } of [second, second, own]) await emptyOutbox(op, () => true)
    const ids = receiver.bodies.map(
      (body) => decodeJwt(new URLSearchParams(body).get('logout_token') ?? '').jti,
    )
    expect(ids).toEqual([ids[0], ids[0]])
    await second.stop()
  })

  test('L11: a redirect is not followed, a private address not called; the person is signed out all the same', async () => {
    receiver.bodies.length = 0
    receiver.status = 302
    await signInAndOut()
    await delivered()
    expect(receiver.bodies).toHaveLength(1)
    await op.changePolicy((tx) =>
      tx.application.update({
        where: { id: 'app_demo_web' },
        data: { backchannelLogoutUri: `https://127.0.0.1:${receiver.port}/bcl` },
      }),
    )
    await signInAndOut()
    await delivered()
    const lastError = 'the address is not public'
    expect(await op.db.outboxMessage.count({ where: { lastError } })).toBe(1)
  })
})

test('D24: a registered origin may call the token endpoint from a browser, others may not', async () => {
  const preflight = (origin: string, path: string) =>
    ask(portal.origin, { method: 'OPTIONS', path, headers: { origin } })
  const ours = await preflight('http://localhost:4001', '/oidc/token')
  expect(ours.headers['access-control-allow-origin']).toBe('http://localhost:4001')
  expect(ours.headers).not.toHaveProperty('access-control-allow-credentials')
  for (const origin of ['https://evil.example', 'null', 'http://localhost:4000']) {
    const { headers } = await preflight(origin, '/oidc/token')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect(headers.vary).toBe('Origin')
  }
})

/** A row as it was read, for Json columns to be written again. */
function plain(row: object) {
  return JSON.parse(JSON.stringify(row))
}

function unsigned(token: string): string {
  const [, payload] = token.split('.')
  return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`
}
