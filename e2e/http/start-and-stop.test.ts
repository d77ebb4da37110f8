import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../lib/store/database/database'
import { ask, askToken, machineFields } from '../support/ask'
import { freshDatabase } from '../support/databases'
import { type Portal, spawnPortal, startPortal } from '../support/portal'
import { freePort } from '../support/postgres'
import { isThorough } from '../support/thorough'

// Portals of their own: it is about starting and stopping a process.

describe('stopping', () => {
  test.each<NodeJS.Signals>(isThorough ? ['SIGTERM', 'SIGINT'] : ['SIGTERM'])(
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
  // What else is refused, and in which words: lib/operations/start-up-error.test.ts.
  const refusals: [string, () => Promise<Record<string, string>>, RegExp][] = [
    [
      'an unreachable database',
      async () => ({ DATABASE_URL: `postgresql://u:hidden@127.0.0.1:${await freePort()}/x` }),
      /the database at 127.0.0.1:\d+\/x cannot be reached.*DATABASE_URL/,
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

  test('goes on quietly when nobody reads what it prints; SIGINT ends it like SIGTERM', async () => {
    const portal = await spawnPortal(['dist/server.js'])
    portal.stopReading()
    const answers = () => ask(portal.origin, { path: '/healthz' }).catch(() => null)
    await expect.poll(async () => (await answers())?.status).toBe(200)
    // One that complains of its complaints never comes to rest.
    const ticksOfHalfASecond = async () => {
      const before = cpuTicksOf(portal.pid)
      await sleep(500)
      return cpuTicksOf(portal.pid) - before
    }
    await expect.poll(ticksOfHalfASecond).toBeLessThan(5)
    portal.signal('SIGINT')
    expect(await portal.exited).toBe(0)
  })

  test('O9, N24: a database of a newer version is refused', async () => {
    const DATABASE_URL = await freshDatabase.sqlite()
    const db = await openDatabase(DATABASE_URL)
    await db.$executeRaw`UPDATE "_prisma_migrations" SET migration_name = '29990101000000_future'
      WHERE migration_name = '20261115000000_first'`
    await db.$disconnect()
    const portal = await spawnPortal(['dist/server.js'], { DATABASE_URL })
    expect(await portal.exited).toBe(1)
    expect(portal.output()).toContain('newer version (29990101000000_future)')
  })

  test('a token is answered while the pages are still being prepared', async () => {
    const portal = await spawnPortal([...PAGES_LATER, 'server.js', '--demo=quiet'])
    const login = () => ask(portal.origin, { path: '/login' })
    const answers = async () => (await ask(portal.origin, { path: '/healthz' })).status
    await expect.poll(() => answers().catch(() => 0)).toBe(200)
    let isOpen = false
    const page = login().then((answer) => {
      isOpen = true
      return answer
    })
    // By then the page was asked for and waits.
    expect((await askToken(portal.origin, machineFields(portal))).status).toBe(200)
    expect([isOpen, portal.output()]).toEqual([false, expect.not.stringContaining('is ready at')])
    portal.write('built\n')
    expect((await page).status).toBe(200)
    await portal.stop()
  })
})

/** As bin/start.mjs does with a fresh clone: here the build ends when a line is read. */
const PAGES_LATER = [
  '--input-type=module',
  '--eval',
  `const built = new Promise((resolve) => process.stdin.once('data', () => resolve('built')))
   globalThis[Symbol.for('gatehouse.pages')] = built.finally(() => process.stdin.destroy())
   await import('./dist/server.js')`,
  '--',
]

/** User and system time, in hundredths of a second. */
function cpuTicksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

/** Sends half of the body, calls `between`, waits until the portal stops, sends the rest. */
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
  // The portal says that it goes on, so it has read the head (RFC 9110 §10.1.1).
  const isRead = new Promise((resolve) => socket.once('data', resolve))
  socket.write(
    `POST /oidc/token HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, half)}`,
  )
  await isRead
  between()
  await refusesConnections(portal)
  socket.write(body.slice(half))
  return (await answered).replace('HTTP/1.1 100 Continue\r\n\r\n', '')
}

/** It has begun to stop. */
async function refusesConnections({ origin }: Portal): Promise<void> {
  const answers = () =>
    ask(origin, { path: '/healthz' }).then(
      () => true,
      () => false,
    )
  await expect.poll(answers).toBe(false)
}
