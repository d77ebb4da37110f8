import { once } from 'node:events'
import { statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, askToken, machineFields } from '../support/ask'
import { temporaryFolder } from '../support/folder'
import { type Portal, startPortal } from '../support/portal'

// A portal of its own: what it prints, its first start and its sockets.

describe('a running portal', () => {
  let portal: Portal

  beforeAll(async () => {
    portal = await startPortal({ args: ['--demo'], env: { DATA_DIR: temporaryFolder() } })
  })

  afterAll(() => portal.stop())

  test('demo.json has exactly the promised members and mode 600', () => {
    const shape = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shape(member)]))
        : Array.isArray(value)
          ? value.map(shape)
          : typeof value
    expect(shape(portal.demo())).toEqual({
      issuer: 'string',
      admin: { email: 'string', password: 'string' },
      users: [
        { email: 'string', password: 'string' },
        { email: 'string', password: 'string' },
      ],
      web: {
        client_id: 'string',
        client_secret: 'string',
        redirect_uris: ['string', 'string', 'string'],
        post_logout_redirect_uris: ['string', 'string', 'string'],
      },
      spa: { client_id: 'string', redirect_uris: ['string'] },
      machine: {
        client_id: 'string',
        client_secret: 'string',
        access_key: 'string',
        secret_key: 'string',
        granted: ['string', 'string', 'string'],
        not_granted: ['string', 'string'],
      },
    })
    expect(portal.demo().web.redirect_uris[0]).toBe('http://localhost:4000/callback')
    expect(statSync(join(portal.dataDir, 'demo.json')).mode & 0o777).toBe(0o600)
  })

  test('the printed curl lines ask for a token and get one', async () => {
    const lines = portal.output().match(/curl -s \S+ .*/g) ?? []
    expect(lines).toHaveLength(2)
    for (const line of lines) {
      const fields = [...line.matchAll(/-d (?:'([^']+)'|(\S+))/g)].map((m) => m[1] ?? m[2] ?? '')
      const { status, body } = await askToken(portal.origin, fields.join('&').replaceAll(' ', '+'))
      expect(status).toBe(200)
      expect(JSON.parse(body)).toMatchObject({
        scope: 'orders:read',
        scope_rejected: 'orders:refund',
      })
    }
  })

  test('healthz and readyz', async () => {
    const health = await ask(portal.origin, { path: '/healthz' })
    expect([health.status, JSON.parse(health.body)]).toEqual([200, { status: 'ok' }])
    const ready = await ask(portal.origin, { path: '/readyz' })
    expect(ready.status).toBe(200)
    expect(JSON.parse(ready.body)).toEqual({
      status: 'ready',
      checks: { database: 'ok', migrations: 'ok', keys: 'ok' },
      mail: 'printed',
    })
  })

  test('metrics count requests, tokens by grant and refusals by reason', async () => {
    await askToken(
      portal.origin,
      machineFields(portal, { scope: 'orders:read orders:delete nope' }),
    )
    const { status, body, headers } = await ask(portal.origin, { path: '/metrics' })
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('text/plain')
    expect(body).toMatch(/gatehouse_requests_total\{endpoint="token",status="200"\} \d+/)
    expect(body).toMatch(/gatehouse_request_seconds_bucket\{le="0.01",endpoint="token"\} \d+/)
    expect(body).toMatch(/gatehouse_tokens_total\{grant_type="client_credentials"\} \d+/)
    expect(body).toMatch(/gatehouse_scopes_refused_total\{code="client_not_granted"\} \d+/)
    expect(body).toMatch(/gatehouse_scopes_refused_total\{code="unknown_scope"\} \d+/)
    expect(body).not.toContain(portal.demo().machine.client_secret)
  })

  test('logs are JSON with the request id that the answer carries', async () => {
    const { headers } = await askToken(portal.origin, machineFields(portal))
    const lineOf = (id = '') =>
      portal
        .output()
        .split('\n')
        .find((text) => text.includes(id))
    await expect.poll(() => lineOf(headers['x-request-id'])).toBeDefined()
    const line = lineOf(headers['x-request-id'])
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      requestId: headers['x-request-id'],
      endpoint: 'token',
      status: 200,
    })
    expect(line).not.toContain('"reason"')
  })

  test('a refused request has its reason in the log and in the metrics (D16: not in the answer)', async () => {
    const wrong = machineFields(portal, { client_secret: 'ghcs_wrong' })
    const { headers, body } = await askToken(portal.origin, wrong)
    expect(JSON.parse(body)).toEqual({
      error: 'invalid_client',
      error_description: 'client authentication failed',
    })
    const output = await portal.allOutput()
    const line = output.split('\n').find((one) => one.includes(headers['x-request-id'] ?? '-'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      status: 401,
      note: 'client authentication failed',
      error: 'invalid_client',
      reason: 'wrong_secret',
    })
    const metrics = (await ask(portal.origin, { path: '/metrics' })).body
    expect(metrics).toMatch(
      /gatehouse_refusals_total\{error="invalid_client",reason="wrong_secret"\} \d+/,
    )
  })

  test('M19: a foreign Host is 421, except for probes', async () => {
    const headers = { host: 'evil.example' }
    expect((await ask(portal.origin, { path: '/', headers })).status).toBe(421)
    const discovery = await ask(portal.origin, {
      path: '/.well-known/openid-configuration',
      headers,
    })
    expect(discovery.status).toBe(421)
    expect((await ask(portal.origin, { path: '/healthz', headers })).status).toBe(200)
  })

  test('D25: path tricks never reach a handler of another kind', async () => {
    for (const path of [
      '//oidc/token',
      '/oidc/token/',
      '/OIDC/token',
      '/oidc/token%2f',
      '/oidc/%74oken',
    ]) {
      const { status } = await ask(portal.origin, { method: 'POST', path, body: '' })
      expect(status).toBe(403)
      const headers = { origin: portal.origin }
      const own = await ask(portal.origin, { method: 'POST', path, headers, body: '' })
      expect([308, 400, 401, 404]).toContain(own.status)
    }
  })

  test('O4: 1 MiB of headers is 431 and a slow client is cut off; the process lives', async () => {
    const large = await raw(
      portal,
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(1024 * 1024)}\r\n\r\n`,
    )
    expect(large).toMatch(/^HTTP\/1.1 431 /)
    const head = `HEAD / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(17 * 1024)}\r\n\r\n`
    expect(await raw(portal, head)).toMatch(/^HTTP\/1.1 431 [^{]*\r\n\r\n$/)
    const slow = await raw(portal, 'POST /oidc/token HTTP/1.1\r\nHost: localhost\r\n')
    expect(slow).toMatch(/^HTTP\/1.1 408 /)
    expect((await ask(portal.origin, { path: '/healthz' })).status).toBe(200)
  })

  test('O4: 16 KiB of headers and 8 KiB of an address are the most, for pages too', async () => {
    const padded = async (kib: number) => {
      const headers = { x: 'x'.repeat(kib * 1024) }
      return (await ask(portal.origin, { path: '/login', headers })).status
    }
    expect([await padded(15), await padded(16)]).toEqual([200, 431])
    const long = async (kib: number) =>
      (await ask(portal.origin, { path: `/login?x=${'x'.repeat(kib * 1024 - 20)}` })).status
    expect([await long(8), await long(9)]).toEqual([200, 414])
  })

  test('M23: an upgrade is refused', async () => {
    const answer = await raw(
      portal,
      'GET http://169.254.169.254/ HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
  })

  test('an offer of HTTP/2 is ignored, as Java’s client makes it with each request (RFC 9110 §7.8)', async () => {
    const offer = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
    }
    expect((await ask(portal.origin, { path: '/login', headers: offer })).status).toBe(200)
    const token = await askToken(portal.origin, machineFields(portal), offer)
    expect([token.status, token.headers.connection]).toEqual([200, 'close'])
  })

  test('M23: one that is reset or held open harms nobody', async () => {
    const port = Number(new URL(portal.origin).port)
    const upgrade = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
    for (let i = 0; i < 5; i += 1) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      await new Promise((resolve) => socket.write(upgrade, resolve))
      socket.resetAndDestroy()
    }
    const held = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    held.write(upgrade)
    await once(held, 'data')
    expect((await ask(portal.origin, { path: '/healthz' })).status).toBe(200)
    held.destroy()
  })

  test('a page takes no body that is large or of unknown length', async () => {
    const large = await ask(portal.origin, {
      method: 'POST',
      path: '/login',
      body: 'x'.repeat(70_000),
    })
    expect(large.status).toBe(413)
    const chunked = { 'transfer-encoding': 'chunked' }
    const unknown = await ask(portal.origin, {
      method: 'POST',
      path: '/preferences',
      headers: chunked,
      body: 'x',
    })
    expect(unknown.status).toBe(411)
  })

  test('a client that hangs up is no fault of ours', async () => {
    const socket = connect(Number(new URL(portal.origin).port), '127.0.0.1')
    socket.write(
      'POST /oidc/token HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na=1',
    )
    // It goes on to read (RFC 9110 §10.1.1).
    await once(socket, 'data')
    socket.destroy()
    await expect.poll(() => portal.output()).toContain('"status":499')
    expect(portal.output()).not.toContain('"msg":"fault"')
  })
})

function raw(portal: Portal, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(portal.origin).port), '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(received))
    socket.on('error', () => resolve(received))
    socket.write(text)
  })
}
