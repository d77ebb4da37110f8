import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../lib/store/database/database'
import { machineToken } from '../support/api'
import { ask, askToken, FORM, machineFields } from '../support/ask'
import { demoDatabase, usually } from '../support/databases'
import { temporaryFolder } from '../support/folder'
import { type Portal, spawnPortal } from '../support/portal'
import { freePort } from '../support/postgres'
import {
  type Client,
  clientOf,
  logLines,
  said,
  startLoad,
  startWorkers,
  type WorkerAnswer,
  workersOf,
} from '../support/workers'

// Portals of their own: it is about their processes.

describe.each(usually('sqlite'))('two workers on %s', (kind) => {
  let portal: Portal
  let db: Database

  beforeAll(async () => {
    const DATABASE_URL = await demoDatabase[kind]()
    db = await openDatabase(DATABASE_URL)
    portal = await startWorkers(2, { DATABASE_URL })
  })
  afterAll(async () => {
    await db.$disconnect()
    expect(await portal.stop()).toBe(0)
  })

  /** The process that answered, by its own log line. */
  async function pidOf({ requestId }: WorkerAnswer): Promise<number> {
    const line = () => logLines(portal).find((one) => one.requestId === requestId)
    await expect.poll(line).toBeDefined()
    return line()?.pid ?? 0
  }

  async function metric(name: string): Promise<number> {
    const { body } = await ask(portal.origin, { path: '/metrics' })
    const line = body.split('\n').find((one) => one.startsWith(`${name} `))
    return Number(line?.split(' ')[1])
  }
  const tokens = () => metric('gatehouse_tokens_total{grant_type="client_credentials"}')

  /** One connection to each worker; which of them takes a connection is by chance. */
  async function bothClients(): Promise<[Client, Client]> {
    const found = new Map<number, Client>()
    for (let round = 0; round < 20 && found.size < 2; round += 1) {
      const some = Array.from({ length: 6 }, () => clientOf(portal, true))
      const pids = await Promise.all(some.map(async ({ token }) => pidOf(await token())))
      for (const [at, client] of some.entries()) {
        const pid = pids[at] ?? 0
        if (found.has(pid)) client.close()
        else found.set(pid, client)
      }
    }
    expect(new Set(found.keys())).toEqual(new Set(workersOf(portal)))
    return [...found.values()] as [Client, Client]
  }

  test('both answer, and any of them tells what all have counted', async () => {
    const clients = await bothClients()
    const before = await tokens()
    for (let round = 0; round < 10; round += 1)
      for (const { token } of clients) expect((await token()).status).toBe(200)
    for (const _ of clients) expect(await tokens()).toBe(before + 20)
    expect(await metric('gatehouse_workers')).toBe(2)
    const ready = await ask(portal.origin, { path: '/readyz' })
    expect([ready.status, JSON.parse(ready.body).status]).toEqual([200, 'ready'])
    for (const { close } of clients) close()
  })

  test('a change through one is seen by the other', async () => {
    const [here, there] = await bothClients()
    const authorization = `Bearer ${await machineToken(portal)}`
    const json = { authorization, 'content-type': 'application/json' }
    const asked = JSON.stringify({ kind: 'machine', name: 'Seen' })
    for (const [from, to] of [
      [here, there],
      [there, here],
    ] as const) {
      const { id, secret } = JSON.parse(
        (await from.send('POST', '/api/v1/applications', json, asked)).body,
      )
      const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
      const body = new URLSearchParams(fields).toString()
      const error = async () =>
        JSON.parse((await to.send('POST', '/oidc/token', FORM, body)).body).error
      // Then it is known; what it may do was not said yet.
      await expect.poll(error).toBe('invalid_scope')
    }
    for (const { close } of [here, there]) close()
  })

  test('scheduled work is done by one of them; when that one is killed, by another', async () => {
    const complaint = 'the outbox could not be read'
    await db.$executeRaw`ALTER TABLE "OutboxMessage" RENAME TO "Away"`
    const complaints = await said(portal, complaint, 2)
    const working = new Set(complaints.map(({ pid }) => pid))
    expect(working.size).toBe(1)
    const [old = 0] = working
    const [other] = workersOf(portal).filter((pid) => pid !== old)
    const before = await tokens()
    process.kill(old, 'SIGKILL')
    // The other one goes on, from the first moment.
    for (let round = 0; round < 5; round += 1)
      expect((await askToken(portal.origin, machineFields(portal))).status).toBe(200)
    const newer = () =>
      logLines(portal).filter((line) => line.msg === complaint && line.pid !== old)
    await expect.poll(() => newer().length).toBeGreaterThan(1)
    expect(new Set(newer().map(({ pid }) => pid))).toEqual(new Set([other]))
    await db.$executeRaw`ALTER TABLE "Away" RENAME TO "OutboxMessage"`

    const [ended] = await said(portal, 'a worker ended; another one is started')
    expect(ended).toMatchObject({ worker: old, signal: 'SIGKILL', restartInMs: 0, failures: 1 })
    await said(portal, 'a worker listens', 2)
    expect(workersOf(portal)).toHaveLength(2)
    expect(await metric('gatehouse_worker_restarts_total')).toBe(1)
    // What a worker has counted is not lost with it.
    expect(await tokens()).toBe(before + 5)
  })

  test('SIGHUP under load replaces both and loses no request', async () => {
    const old = workersOf(portal)
    const idle = await bothClients()
    const before = await tokens()
    const load = startLoad(portal, 6, 2)
    await load.answers(50)
    portal.signal('SIGHUP')
    const [line] = await said(portal, 'the new workers have taken over')
    await load.answers(50)
    const { answered, lost } = await load.stop()
    expect(lost).toEqual([])
    expect(new Set(line?.leaving as number[])).toEqual(new Set(old))
    // Whoever kept a connection to an old worker is answered once more, and told to leave.
    for (const { token } of idle) expect(await token()).toMatchObject({ status: 200, closes: true })
    await said(portal, 'an old worker has left', 2)
    expect(new Set(workersOf(portal))).toEqual(new Set(line?.workers as number[]))
    expect(await tokens()).toBe(before + answered + 2)
    for (const { close } of idle) close()
  })
})

test('a portal whose primary was killed starts again, although a worker still has the port', async () => {
  const killed = await startWorkers(2, {})
  const workers = workersOf(killed)
  for (const pid of workers) process.kill(pid, 'SIGSTOP') // as one that is very busy
  killed.signal('SIGKILL')
  await killed.exited
  const next = await spawnPortal(['dist/server.js'], killed.env)
  await expect.poll(() => next.output()).toContain('is in use; waiting')
  for (const pid of workers) process.kill(pid, 'SIGCONT')
  await expect.poll(() => next.output()).toContain('is ready at')
  expect((await askToken(next.origin, machineFields(killed))).status).toBe(200)
  expect(await next.stop()).toBe(0)
})

test('a port in use is said in one line by the first worker, exit code 1', async () => {
  const port = await freePort()
  const holder = createServer().listen(port, '127.0.0.1')
  const portal = await spawnPortal(['dist/server.js'], { WORKERS: '2', PORT: String(port) })
  expect(await portal.exited).toBe(1)
  expect(portal.output()).toMatch(/port \d+ is in use.*set PORT/)
  holder.close()
})

describe('a worker that cannot start', () => {
  const file = join(temporaryFolder(), 'portal.json')
  const configuration = (name: unknown) =>
    writeFileSync(file, JSON.stringify({ version: 1, settings: { branding: { name } } }))
  let portal: Portal

  beforeAll(async () => {
    configuration('Example ID')
    portal = await startWorkers(2, { GATEHOUSE_CONFIG: file })
  })
  afterAll(() => portal.stop())

  test('takes nothing over: the old ones go on', async () => {
    const old = workersOf(portal)
    configuration(17)
    portal.signal('SIGHUP')
    await said(portal, 'a new worker could not be started; the old ones go on')
    expect(portal.output()).toContain('branding')
    expect(workersOf(portal)).toEqual(old)
    expect((await askToken(portal.origin, machineFields(portal))).status).toBe(200)
  })

  test('is tried again after longer and longer pauses, and the log says so', async () => {
    const db = await openDatabase(`file:${join(portal.dataDir, 'gatehouse.db')}`)
    const [victim = 0, other] = workersOf(portal)
    await db.$executeRaw`UPDATE "_prisma_migrations" SET migration_name = '29990101000000_future'
      WHERE migration_name = '20261115000000_first'`
    process.kill(victim, 'SIGKILL')
    const lines = await said(portal, 'a worker ended soon after its start', 2)
    expect(lines.map(({ failures, restartInMs }) => [failures, restartInMs])).toEqual([
      [2, 1_000],
      [3, 2_000],
    ])
    expect(portal.output()).toContain('newer version (29990101000000_future)')
    expect(workersOf(portal)).toContain(other)
    expect((await askToken(portal.origin, machineFields(portal))).status).toBe(200)
    await db.$executeRaw`UPDATE "_prisma_migrations" SET migration_name = '20261115000000_first'
      WHERE migration_name = '29990101000000_future'`
    await db.$disconnect()
    await said(portal, 'a worker listens', 2)
    expect(workersOf(portal)).toHaveLength(2)
  })
})
