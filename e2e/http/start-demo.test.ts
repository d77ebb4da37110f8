import { chmodSync, copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, FORM } from '../support/ask'
import { runCommand } from '../support/command'
import { copyDemo } from '../support/demo-folders'
import { temporaryFolder } from '../support/folder'
import { filledForm } from '../support/old-browser'
import { type Portal, spawnPortal, startNext, startPortal } from '../support/portal'

/** What the start of a process refuses, closes and says, under server.ts and under plain Next. */

const PUBLIC = 'https://id.example.com'
const FILES = ['demo.json', 'gatehouse.db', 'gatehouse.db-shm', 'gatehouse.db-wal', 'secret']

const modeOf = (path: string) => statSync(path).mode & 0o777
const modesIn = (folder: string) => FILES.map((name) => [name, modeOf(join(folder, name))])
const CLOSED = FILES.map((name) => [name, 0o600])

/** As an older version, or a careless hand, left it. */
function openUp(folder: string): void {
  writeFileSync(join(folder, 'secret'), 'a secret that was made in development\n')
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644)
  chmodSync(folder, 0o755)
}

// Which places are public: e2e/in-process/first-start.test.ts.
test('Q17: --demo at a public address is refused, and nothing is touched', async () => {
  const env = { ISSUER: PUBLIC, DATA_DIR: temporaryFolder() }
  const portal = await spawnPortal(['dist/server.js', '--demo'], env)
  expect(await portal.exited).toBe(1)
  const said = portal.output().trim()
  expect(said).toBe(
    `--demo is only for this machine, but ISSUER is ${PUBLIC}: start without --demo, or unset ISSUER, GATEHOUSE_MODE and NODE_ENV`,
  )
  expect(readdirSync(portal.dataDir)).toEqual([])
})

describe('where the data of --demo is', () => {
  let dataDir: string
  const inPublic = () => ({ DATA_DIR: dataDir, ISSUER: PUBLIC, GATEHOUSE_MODE: 'production' })

  beforeAll(() => {
    dataDir = temporaryFolder()
    copyDemo(dataDir, undefined)
  })

  test('Q17: a data folder that was open is closed, and so is what is written from it', async () => {
    openUp(dataDir)
    const portal = await startPortal({ env: { DATA_DIR: dataDir } })
    expect([modeOf(dataDir), modesIn(dataDir)]).toEqual([0o700, CLOSED])
    expect(portal.output()).not.toContain('Sample data from --demo is still')
    const [backup, exported] = [join(dataDir, 'a.backup'), join(dataDir, 'portal.json')]
    writeFileSync(exported, 'an older one', { mode: 0o644 })
    expect(await runCommand(portal.env, 'backup', backup)).toMatchObject({ status: 0 })
    expect(await runCommand(portal.env, 'export', exported)).toMatchObject({ status: 0 })
    expect([backup, exported].map(modeOf)).toEqual([0o600, 0o600])
    await portal.stop()
  })

  test('Q17: by plain Next too; at a public address it says whose data is left', async () => {
    openUp(dataDir)
    const next = await startNext(inPublic())
    await saysThatDemoIsLeft(next)
    expect([modeOf(dataDir), modesIn(dataDir)]).toEqual([0o700, CLOSED])
    await next.stop()
  })
})

describe('server.ts at a public address, with a database elsewhere, in folders that hold others', () => {
  let portal: Portal
  let database: string

  beforeAll(async () => {
    const [shared, elsewhere] = [temporaryFolder(), temporaryFolder()]
    copyDemo(elsewhere, undefined)
    copyFileSync(join(elsewhere, 'demo.json'), join(shared, 'demo.json'))
    openUp(elsewhere)
    chmodSync(shared, 0o755)
    mkdirSync(join(shared, 'somebody'))
    database = join(elsewhere, 'gatehouse.db')
    const place = { DATA_DIR: shared, DATABASE_URL: `file:${database}` }
    portal = await startPortal({
      env: { ...place, ISSUER: PUBLIC, GATEHOUSE_MODE: 'production' },
    })
  })
  afterAll(() => portal.stop())

  test('Q17: the database is closed; the folders are left, and named', () => {
    const { dataDir } = portal
    expect([modeOf(dataDir), modeOf(dirname(database))]).toEqual([0o755, 0o755])
    expect(['', '-wal', '-shm'].map((end) => modeOf(`${database}${end}`))).toEqual([
      0o600, 0o600, 0o600,
    ])
    expect(portal.output()).toContain(`other users of this machine can read ${dataDir}`)
  })

  test('Q17: it says whose data is left', () => saysThatDemoIsLeft(portal))

  test('M10: the session is __Host-, Secure, HttpOnly, Lax', async () => {
    const overHttp = await signInAt(portal, PUBLIC.replace('https', 'http'))
    expect([overHttp.status, overHttp.headers['set-cookie']]).toEqual([403, undefined])
    const { headers } = await signInAt(portal, PUBLIC)
    expect([headers['set-cookie'] ?? []].flat().join('\n')).toMatch(
      /^__Host-gatehouse\.session=.*; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/m,
    )
  })
})

/** The form of the public address, sent from a page at `origin`. */
async function signInAt(portal: Portal, origin: string) {
  const { email, password } = portal.demo().admin
  const { host } = new URL(PUBLIC)
  const path = `/login?${new URLSearchParams({ identifier: email })}`
  const { body: html, headers } = await ask(portal.origin, { path, headers: { host } })
  expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8}/)
  const page = { url: PUBLIC + path, status: 200, headers: new Headers(), html }
  const bytes = new Response(filledForm(page, { identifier: email, password }).body)
  const type = bytes.headers.get('content-type') ?? ''
  return ask(portal.origin, {
    method: 'POST',
    path,
    headers: { host, origin, 'content-type': type },
    body: Buffer.from(await bytes.arrayBuffer()),
  })
}

async function saysThatDemoIsLeft(portal: Portal): Promise<void> {
  const names = /Sample data from --demo is still in this database: usr_demo_\w+, .*app_demo_/
  await expect.poll(() => portal.output()).toMatch(names)
  const { machine } = portal.demo()
  const host = new URL(PUBLIC).host
  const form = {
    grant_type: 'client_credentials',
    client_id: machine.client_id,
    client_secret: machine.client_secret,
    scope: 'settings:read',
  }
  const token = await ask(portal.origin, {
    method: 'POST',
    path: '/oidc/token',
    headers: { ...FORM, host },
    body: new URLSearchParams(form).toString(),
  })
  const authorization = `Bearer ${JSON.parse(token.body).access_token}`
  const health = await ask(portal.origin, {
    path: '/api/v1/health',
    headers: { authorization, host },
  })
  const [found] = JSON.parse(health.body).data.filter(
    ({ check }: { check: string }) => check === 'demo',
  )
  expect(found).toMatchObject({ state: 'warn', code: 'demo_left' })
  expect(found.mend).toContain('delete or disable them')
}

test('plain Next with settings that cannot be: one line that says what to do, exit code 1', async () => {
  const args = ['node_modules/next/dist/bin/next', 'start', '--port', '0']
  const portal = await spawnPortal(args, { ISSUER: PUBLIC, GATEHOUSE_SECRET: 'weak' })
  expect(await portal.exited).toBe(1)
  expect(portal.output()).toContain('GATEHOUSE_SECRET is weak: use at least 32 random characters')
  expect(portal.output()).not.toMatch(/^\s+at /m)
})
