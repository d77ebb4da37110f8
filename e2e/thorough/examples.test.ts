import { spawnSync } from 'node:child_process'
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signJwt } from '../../lib/crypto/jwt'
import { createOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import { machineToken as apiToken, callApi } from '../support/api'
import { ask, askToken, machineFields } from '../support/ask'
import { runCommand } from '../support/command'
import { approveDevice, enterCode } from '../support/device'
import { type Example, startExample } from '../support/example'
import { aliceAtWeb, exchange, getCode, webRequest } from '../support/flow'
import { OldBrowser } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'

let portal: Portal

beforeAll(async () => {
  portal = await startPortal({ args: ['--demo'] })
})

afterAll(() => portal.stop())

describe('examples/resource-server.mjs', () => {
  let server: Example
  let origin: string

  beforeAll(async () => {
    keys('stage')
    server = startExample(['examples/resource-server.mjs'], { ISSUER: portal.origin, PORT: '0' })
    origin = new URL(await server.says(/Orders are at (\S+)/)).origin
  })

  afterAll(() => server.stop())

  const orders = (headers: Record<string, string> = {}, path = '/orders') =>
    ask(origin, { path, headers })
  const withToken = (token: string) => orders({ authorization: `Bearer ${token}` })
  const challenged = async (answer: ReturnType<typeof orders>) => {
    const { status, headers } = await answer
    return [status, headers['www-authenticate']]
  }
  const invalidToken = [401, 'Bearer realm="orders", error="invalid_token"']

  test('200 with orders:read', async () => {
    const { status, body } = await withToken(await machineToken('orders:read'))
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject({
      for: 'app_demo_machine',
      orders: [{ id: 1001 }, { id: 1002 }],
    })
  })

  test('200 with the token of a person', async () => {
    const { access_token } = await aliceTokens('openid orders:read')
    const { status, body } = await withToken(access_token)
    expect([status, JSON.parse(body).for]).toEqual([200, 'usr_demo_alice'])
  })

  test('401 without an error where there are no credentials, or others (RFC 6750 §3.1)', async () => {
    const bare = [401, 'Bearer realm="orders"']
    expect(await challenged(orders())).toEqual(bare)
    expect(await challenged(orders({ authorization: 'Basic YTpi' }))).toEqual(bare)
  })

  test('401 invalid_token for what is not a token of the portal', async () => {
    const token = await machineToken('orders:read')
    const [head = '', body = '', signature = ''] = token.split('.')
    const first = signature.startsWith('A') ? 'B' : 'A'
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
    const bad = ['', 'x', `${head}.${body}.${first}${signature.slice(1)}`, `${none}.${body}.`]
    for (const one of bad) expect(await challenged(withToken(one))).toEqual(invalidToken)
  })

  test('401 invalid_token for an id_token, and for a token meant for somebody else', async () => {
    const { id_token, access_token } = await aliceTokens('openid profile')
    expect(await challenged(withToken(id_token))).toEqual(invalidToken)
    expect(await challenged(withToken(access_token))).toEqual(invalidToken)
  })

  test('401 invalid_token for what the portal signed, but not for this', async () => {
    const good = {
      iss: portal.origin,
      aud: 'https://orders.gatehouse.example',
      sub: 'usr_demo_alice',
      client_id: 'app_demo_web',
      scope: 'orders:read',
      jti: 'tok_of_this_test',
      iat: now(),
      exp: now() + 60,
    }
    const { exp: _, ...everlasting } = good
    expect((await withToken(await signed('at+jwt', good))).status).toBe(200)
    const others = [
      await signed('JWT', good),
      await signed('at+jwt', { ...good, iss: 'https://another.example' }),
      await signed('at+jwt', { ...good, aud: 'https://another.example' }),
      await signed('at+jwt', { ...good, exp: now() - 1 }),
      await signed('at+jwt', everlasting),
    ]
    for (const token of others) expect(await challenged(withToken(token))).toEqual(invalidToken)
  })

  test('403 insufficient_scope says which scope it takes', async () => {
    expect(await challenged(withToken(await machineToken('orders:write')))).toEqual([
      403,
      'Bearer realm="orders", error="insufficient_scope", scope="orders:read"',
    ])
  })

  test('400 invalid_request for a token in the URL, good as it may be', async () => {
    const token = await machineToken('orders:read')
    expect(await challenged(orders({}, `/orders?access_token=${token}`))).toEqual([
      400,
      'Bearer realm="orders", error="invalid_request"',
    ])
  })

  test('200 with tokens from before and after a rotation of the keys', async () => {
    const before = await machineToken('orders:read')
    keys('rotate', '--now')
    const kid = (token: string) => decodeProtectedHeader(token).kid
    await expect.poll(async () => kid(await machineToken('orders:read'))).not.toBe(kid(before))
    const after = await machineToken('orders:read')
    expect((await withToken(before)).status).toBe(200)
    expect((await withToken(after)).status).toBe(200)
  })
})

describe('examples/openid-client.mjs', () => {
  test('signs Alice in, refreshes, asks who she is, and its last line signs her out', async () => {
    const example = startExample(['examples/openid-client.mjs'], { ISSUER: portal.origin })
    const address = await example.says(/^Open (\S+)/m)
    const browser = new OldBrowser(portal.origin)
    const [alice] = portal.demo().users
    const consent = await browser.signIn(
      await browser.open(address),
      alice ?? { email: '', password: '' },
    )
    const { url } = await browser.submit(consent, { scope: ['orders:read'] })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\?code=/)
    expect(await (await fetch(url)).text()).toContain('Done')

    expect(await example.exited).toBe(0)
    const line = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(example.output())?.[1]
    expect(line('Granted:')).toBe('openid profile email offline_access orders:read')
    expect(line('Not granted:')).toBe('orders:refund')
    expect(JSON.parse(line('Claims:') ?? '')).toMatchObject({
      iss: portal.origin,
      aud: 'app_demo_native',
      sub: 'usr_demo_alice',
    })
    expect(line('Refreshed,')).toBe('for 3600 seconds')
    expect(JSON.parse(line('Userinfo:') ?? '')).toMatchObject({
      sub: 'usr_demo_alice',
      name: 'Alice Clerk',
      email: 'alice@gatehouse.example',
    })

    expect((await browser.open(address)).url).not.toContain('/login')
    expect((await browser.open(line('Sign out at') ?? '')).url).toBe(`${portal.origin}/logout`)
    expect((await browser.open(address)).url).toContain('/login')
  })
})

describe('examples/television.mjs', () => {
  async function television(): Promise<Record<string, string>> {
    const token = await apiToken(portal)
    const call = (method: string, path: string, body: object) =>
      callApi(portal, token, method, path, body, method === 'PUT' ? { 'if-match': '*' } : {})
    const made = await call('POST', '/applications', { kind: 'device', name: 'Television' })
    const grants = [{ pattern: 'orders:*' }]
    await call('PUT', `/applications/${made.json.id}/grants`, { grants })
    return { ISSUER: portal.origin, CLIENT_ID: made.json.id }
  }

  test('shows a code and a QR code, and greets Alice once she has answered on her phone', async () => {
    const example = startExample(['examples/television.mjs'], await television())
    const code = await example.says(/enter the code (\S+)/)
    expect(example.output()).toContain('█')
    const [alice] = portal.demo().users
    await approveDevice(portal, code, alice ?? { email: '', password: '' })
    expect(await example.exited).toBe(0)
    expect(example.output()).toContain('Good evening, Alice Clerk')
    expect(example.output()).toContain('Granted: openid profile offline_access orders:read\n')
    expect(example.output()).toContain('Not granted: orders:refund')
    expect(example.output()).toContain('Refreshed, for 3600 seconds')
  })

  test('says so when it is refused', async () => {
    const example = startExample(['examples/television.mjs'], await television())
    const browser = new OldBrowser(portal.origin)
    const confirm = await enterCode(browser, await example.says(/enter the code (\S+)/))
    await browser.submit(confirm, {}, ['answer', 'no'])
    expect(await example.exited).toBe(1)
    expect(example.output()).toContain('Somebody refused this television.')
  })
})

async function machineToken(scope: string): Promise<string> {
  const { body } = await askToken(portal.origin, machineFields(portal, { scope }))
  return JSON.parse(body).access_token
}

async function aliceTokens(scope: string): Promise<{ access_token: string; id_token: string }> {
  const browser = await aliceAtWeb(portal)
  const { body } = await exchange(
    portal,
    await getCode(browser, webRequest(portal.demo(), { scope })),
  )
  return JSON.parse(body)
}

/** As `npm run keys` does it, beside the portal that runs. */
function keys(...args: string[]): void {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, ...portal.env } as unknown as NodeJS.ProcessEnv
  const { status, stderr } = spawnSync(process.execPath, ['dist/commands.js', 'keys', ...args], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}

async function signed(typ: 'at+jwt' | 'JWT', claims: Record<string, unknown>): Promise<string> {
  const op = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
  const token = await signJwt(await op.signingKey('ES256'), typ, claims)
  await op.close()
  return token
}

describe('examples/plain/', () => {
  test('signs Alice in with the five parameters of the contract and a secret', async () => {
    const secret = { SHOP_SECRET: `ghcs_${'p'.repeat(43)}` }
    const settings = { ...portal.env, ...secret }
    const applied = await runCommand(settings, 'apply', 'examples/plain/portal.json')
    expect(applied.status, applied.said).toBe(0)
    const example = startExample(['examples/plain/sign-in.mjs'], {
      ISSUER: portal.origin,
      ...secret,
    })
    const address = await example.says(/^Open (\S+)/m)
    const asked = ['client_id', 'scope', 'redirect_uri', 'state', 'response_type']
    expect([...new URL(address).searchParams.keys()]).toEqual(asked)
    const browser = new OldBrowser(portal.origin)
    const [alice = { email: '', password: '' }] = portal.demo().users
    const consent = await browser.signIn(await browser.open(address), alice)
    const { url } = await browser.submit(consent, { scope: ['orders:read'] })
    expect(await (await fetch(url)).text()).toContain('Done')
    expect(await example.exited, example.output()).toBe(0)
    expect(example.output()).toContain('Granted: openid orders:read\nNot granted: orders:refund')
  })
})

describe('examples/chain/', () => {
  const ORDERS_SECRET = `ghcs_${'o'.repeat(43)}`
  const STOCK_SECRET = `ghcs_${'s'.repeat(43)}`

  test('two services exchange the token of Alice: scopes narrow, and the last one sees who acts', async () => {
    const secrets = { ORDERS_SECRET, STOCK_SECRET }
    const settings = { ...portal.env, ...secrets }
    const applied = await runCommand(settings, 'apply', 'examples/chain/portal.json')
    expect(applied.status, applied.said).toBe(0)
    const again = await runCommand(settings, 'apply', 'examples/chain/portal.json')
    expect(again.said).not.toContain('orders-service')

    const env = { ISSUER: portal.origin, ...secrets }
    const example = startExample(['examples/chain/chain.mjs'], env)
    const address = await example.says(/^Open (\S+)/m)
    const browser = new OldBrowser(portal.origin)
    const [alice] = portal.demo().users
    const consent = await browser.signIn(
      await browser.open(address),
      alice ?? { email: '', password: '' },
    )
    const { url } = await browser.submit(consent, { scope: ['orders:read'] })
    expect(await (await fetch(url)).text()).toContain('Done')

    expect(await example.exited, example.output()).toBe(0)
    const said = example.output()
    expect(said).toContain('Alice has openid orders:read')
    expect(said).toMatch(/^Exchanged for stock:read for \d+ seconds$/m)
    expect(said).toContain('Not exchanged for stock:move because of condition_failed')
    expect(said).toContain(
      'Stock was asked for usr_demo_alice by {"sub":"orders-service","act":{"sub":"app_demo_native"}}',
    )
    expect(said).toContain('Stock sees the scope stock:read')
    expect(said).toContain('Answer: {"order":1001,"stock":{"Brass bell":12,"Oak gate":1}}')
    expect(said).toContain('Her own token at the stock service: refused with 401')
  })
})
