import { readFileSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../lib/store/database'
import { ask, askToken, basic, FORM, machineFields } from '../support/ask'
import { emptyDatabase, freshDatabase, KINDS } from '../support/databases'
import { temporaryFolder } from '../support/folder'
import { type Portal, spawnPortal, startPortal } from '../support/portal'
import { freePort, startPostgres } from '../support/postgres'

describe('a running portal', () => {
  let portal: Portal

  beforeAll(async () => {
    portal = await startPortal({ args: ['--demo'] })
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
    const slow = await raw(portal, 'POST /oidc/token HTTP/1.1\r\nHost: localhost\r\n')
    expect(slow).toMatch(/^HTTP\/1.1 408 /)
    expect((await ask(portal.origin, { path: '/healthz' })).status).toBe(200)
  }, 30_000)

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

  test('M23: one that is reset or held open harms nobody', async () => {
    const port = Number(new URL(portal.origin).port)
    const upgrade = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
    for (let i = 0; i < 5; i += 1) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(upgrade)
      await sleep(20)
      socket.resetAndDestroy()
    }
    const held = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    held.write(upgrade)
    await sleep(200)
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
      'POST /oidc/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na=1',
    )
    await sleep(100)
    socket.destroy()
    await expect.poll(() => portal.output()).toContain('"status":499')
    expect(portal.output()).not.toContain('"msg":"fault"')
  })
})

/** User and system time, in hundredths of a second. */
function cpuTicksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

describe('a database that stops answering', () => {
  test('O7, J6: tokens and revocations are 503 within seconds, not minutes', async () => {
    const database = new URL(await freshDatabase.postgres())
    const proxy = await freezableProxy(Number(database.port))
    database.port = String(proxy.port)
    const portal = await startPortal({ args: ['--demo'], env: { DATABASE_URL: database.href } })
    expect((await askToken(portal.origin, machineFields(portal))).status).toBe(200)
    proxy.freeze()
    await sleep(1_100)
    const started = Date.now()
    expect((await askToken(portal.origin, machineFields(portal))).status).toBe(503)
    expect(Date.now() - started).toBeLessThan(6_000)
    expect((await ask(portal.origin, { path: '/oidc/.well-known/jwks.json' })).status).toBe(200)
    const stopping = Date.now()
    await portal.stop()
    expect(Date.now() - stopping).toBeLessThan(10_000)
    proxy.close()
  })
})

describe('a database that goes away', () => {
  test('O7: tokens are 503 with Retry-After, discovery and JWKS stay, and it recovers', async () => {
    const port = await freePort()
    const first = await startPostgres({ port })
    const env = { DATABASE_URL: first.url }
    const portal = await startPortal({ args: ['--demo'], env })
    const token = () => askToken(portal.origin, machineFields(portal))
    const issued = await token()
    expect(issued.status).toBe(200)
    await first.stopServer()
    // J6: within the second in which the snapshot still answers, too: never a 200.
    const { client_id = '', client_secret = '' } = machineFields(portal)
    const revoked = await ask(portal.origin, {
      method: 'POST',
      path: '/oidc/token/revocation',
      headers: { ...FORM, ...basic(client_id, client_secret) },
      body: new URLSearchParams({ token: JSON.parse(issued.body).access_token }).toString(),
    })
    expect([revoked.status, revoked.headers['retry-after']]).toEqual([503, '5'])
    await sleep(1_100)
    const refused = await token()
    expect(refused.status).toBe(503)
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
    expect(JSON.parse(refused.body)).toEqual({
      error: 'temporarily_unavailable',
      error_description: expect.any(String),
    })
    for (const path of [
      '/.well-known/openid-configuration',
      '/oidc/.well-known/jwks.json',
      '/healthz',
    ]) {
      expect((await ask(portal.origin, { path })).status).toBe(200)
    }
    const ready = await ask(portal.origin, { path: '/readyz' })
    expect([ready.status, JSON.parse(ready.body).checks.database]).toEqual([503, 'failing'])
    await first.startServer()
    await sleep(1_100)
    expect((await token()).status).toBe(200)
    expect((await ask(portal.origin, { path: '/readyz' })).status).toBe(200)
    await portal.stop()
    await first.stop()
  })
})

describe('stopping', () => {
  test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])(
    'O6: %s finishes what is in flight and exits 0 within 10 s',
    async (signal) => {
      const portal = await startPortal({ args: ['--demo'] })
      const body = new URLSearchParams(machineFields(portal)).toString()
      const answer = slowly(portal, body, () => portal.signal(signal))
      const stopped = Date.now()
      expect(await answer).toMatch(/^HTTP\/1.1 200 /)
      expect(await portal.exited).toBe(0)
      expect(Date.now() - stopped).toBeLessThan(10_000)
      const db = await openDatabase(`file:${join(portal.dataDir, 'gatehouse.db')}`)
      expect(await db.auditEntry.count({ where: { event: 'token.issued' } })).toBe(1)
      await db.$disconnect()
    },
  )
})

describe('starting', () => {
  const refusals: [string, () => Promise<Record<string, string>>, RegExp][] = [
    ['a port in use', async () => ({ PORT: await heldPort() }), /port \d+ is in use.*set PORT/],
    [
      'a folder that cannot be written',
      async () => {
        const file = join(temporaryFolder(), 'file')
        await writeFile(file, '')
        return { DATA_DIR: join(file, 'data') }
      },
      /cannot write to .*set DATA_DIR/,
    ],
    [
      'an unreachable database',
      async () => ({ DATABASE_URL: `postgresql://u:hidden@127.0.0.1:${await freePort()}/x` }),
      /the database at 127.0.0.1:\d+\/x cannot be reached.*DATABASE_URL/,
    ],
    [
      'an address that is not ours',
      async () => ({ HOST: '203.0.113.1' }),
      /cannot listen on 203.0.113.1 \(EADDRNOTAVAIL\): correct HOST/,
    ],
    [
      'a password that is not encoded',
      async () => ({ DATABASE_URL: 'postgresql://u:hid#den@127.0.0.1/x' }),
      /DATABASE_URL: is not a URL: percent-encode/,
    ],
    ['a weak secret', async () => ({ GATEHOUSE_SECRET: 'weak' }), /GATEHOUSE_SECRET is weak/],
    ['http in production', async () => ({ NODE_ENV: 'production' }), /ISSUER .*https/],
    [
      'SQLite on Vercel',
      async () => ({ VERCEL: '1', ISSUER: 'https://id.example.com' }),
      /DATABASE_URL.*Vercel/,
    ],
  ]

  test.each(refusals)(
    'O9: %s: one line that says what to do, exit code 1',
    async (_what, env, line) => {
      const portal = await spawnPortal(['dist/server.js'], await env())
      expect(await portal.exited).toBe(1)
      const said = portal
        .output()
        .trim()
        .split('\n')
        .filter((text) => !text.startsWith('  '))
      expect(said).toHaveLength(1)
      expect(said[0]).toMatch(line)
      expect(portal.output()).not.toContain('hidden')
    },
  )

  test('goes on quietly when nobody reads what it prints', async () => {
    const portal = await spawnPortal(['dist/server.js'])
    portal.stopReading()
    const answers = () => ask(portal.origin, { path: '/healthz' }).catch(() => null)
    await expect.poll(async () => (await answers())?.status, { timeout: 30_000 }).toBe(200)
    await sleep(1_000)
    const before = cpuTicksOf(portal.pid)
    await sleep(2_000)
    // One that complains of its complaints uses whatever a core can give.
    expect(cpuTicksOf(portal.pid) - before).toBeLessThan(20)
    await portal.stop()
  })

  test('O9, N24: a database of a newer version is refused', async () => {
    const first = await startPortal()
    await first.stop()
    const db = await openDatabase(`file:${join(first.dataDir, 'gatehouse.db')}`)
    await db.$executeRaw`UPDATE "_prisma_migrations" SET migration_name = '29990101000000_future'
      WHERE migration_name = '20261115000000_first'`
    await db.$disconnect()
    const again = await spawnPortal(['dist/server.js'], first.env)
    expect(await again.exited).toBe(1)
    expect(again.output()).toContain('newer version (29990101000000_future)')
  })

  test('an empty database prints a set-up link; --demo refuses data of its own', async () => {
    const portal = await startPortal()
    expect(portal.output()).toMatch(/http:\/\/localhost:\d+\/setup\?token=ghlk_[\w-]{43}/)
    await portal.stop()
    const db = await openDatabase(`file:${join(portal.dataDir, 'gatehouse.db')}`)
    const stamps = { createdAt: new Date(), updatedAt: new Date() }
    await db.user.create({ data: { id: 'usr_x', profile: {}, attributes: {}, ...stamps } })
    await db.$disconnect()
    const demo = await spawnPortal(['dist/server.js', '--demo'], portal.env)
    expect(await demo.exited).toBe(1)
    expect(demo.output()).toContain('already has data of its own')
  })

  test('a second demo start keeps the secrets; without demo.json they are made anew', async () => {
    const first = await startPortal({ args: ['--demo'] })
    const demo = first.demo()
    await first.stop()
    const second = await startPortal({ args: ['--demo'], env: first.env })
    expect(second.demo()).toEqual(demo)
    await second.stop()
    const { rm } = await import('node:fs/promises')
    await rm(join(first.dataDir, 'demo.json'))
    const third = await startPortal({ args: ['--demo'], env: first.env })
    expect(third.demo().machine.client_secret).not.toBe(demo.machine.client_secret)
    expect((await askToken(third.origin, machineFields(third))).status).toBe(200)
    await third.stop()
  })

  test.each(KINDS)(
    'H16: two instances on one empty %s database make one set of keys',
    async (kind) => {
      const DATABASE_URL = await emptyDatabase[kind]()
      const both = await Promise.all([
        startPortal({ env: { DATABASE_URL } }),
        startPortal({ env: { DATABASE_URL } }),
      ])
      const sets = await Promise.all(
        both.map(({ origin }) => ask(origin, { path: '/oidc/.well-known/jwks.json' })),
      )
      expect(sets[0]?.body).toBe(sets[1]?.body)
      expect(JSON.parse(sets[0]?.body ?? '').keys).toHaveLength(2)
      await Promise.all(both.map((portal) => portal.stop()))
    },
  )
})

/** Forwards bytes until it is told to hold them back for good. */
async function freezableProxy(target: number) {
  const port = await freePort()
  const sockets: Socket[] = []
  let frozen = false
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    sockets.push(client, upstream)
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.on('data', (chunk) => frozen || upstream.write(chunk))
    upstream.on('data', (chunk) => frozen || client.write(chunk))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    freeze: () => {
      frozen = true
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function heldPort(): Promise<string> {
  const port = await freePort()
  const holder = createServer().listen(port, '127.0.0.1')
  holder.unref()
  return String(port)
}

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

/** Sends half of the body, calls `between`, waits, sends the rest. */
async function slowly(portal: Portal, body: string, between: () => void): Promise<string> {
  const socket = connect(Number(new URL(portal.origin).port), '127.0.0.1')
  const answered = new Promise<string>((resolve) => {
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(received))
  })
  const half = Math.floor(body.length / 2)
  socket.write(
    `POST /oidc/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, half)}`,
  )
  await sleep(200)
  between()
  await sleep(500)
  socket.write(body.slice(half))
  return answered
}
