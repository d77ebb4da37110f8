import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../lib/store/database/database'
import { ask, machineFields } from '../support/ask'
import { emptyDatabase, usually } from '../support/databases'
import { temporaryFolder } from '../support/folder'
import { type Portal, spawnPortal, startPortal } from '../support/portal'
import { freePort } from '../support/postgres'

// Portals of their own: it is about starting and stopping a process.

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
    // One that complains of its complaints never comes to rest.
    const ticksOfHalfASecond = async () => {
      const before = cpuTicksOf(portal.pid)
      await sleep(500)
      return cpuTicksOf(portal.pid) - before
    }
    await expect.poll(ticksOfHalfASecond, { timeout: 60_000 }).toBeLessThan(5)
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

  test.each(usually('postgres'))(
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

/** User and system time, in hundredths of a second. */
function cpuTicksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

async function heldPort(): Promise<string> {
  const port = await freePort()
  const holder = createServer().listen(port, '127.0.0.1')
  holder.unref()
  return String(port)
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
