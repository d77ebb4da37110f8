import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ask, FORM } from '../../support/ask'
import { runCommand } from '../../support/command'
import { temporaryFolder } from '../../support/folder'
import { formOf } from '../../support/old-browser'
import { type Portal, spawnPortal, startNext, startPortal } from '../../support/portal'

/** What a start refuses, closes and says, under server.ts and under plain Next. */

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

describe('(q) --demo', () => {
  test.each<[string, Record<string, string>]>([
    ['a public issuer', { ISSUER: PUBLIC }],
    ['a public issuer in development', { ISSUER: PUBLIC, GATEHOUSE_MODE: 'development' }],
    ['production on this machine', { ISSUER: 'https://localhost', NODE_ENV: 'production' }],
  ])('(q) refuses %s, and nothing is touched', async (_what, env) => {
    const portal = await spawnPortal(['dist/server.js', '--demo'], env)
    expect(await portal.exited).toBe(1)
    const said = portal.output().trim()
    expect(said).toBe(
      `--demo is for trying things out on this machine, and ISSUER is ${env.ISSUER}: start without --demo, or unset ISSUER, GATEHOUSE_MODE and NODE_ENV`,
    )
    expect(readdirSync(portal.dataDir)).toEqual([])
  })
})

test('(q) data of --demo, a data folder that was open and what is written from it', async () => {
  const first = await startPortal({ args: ['--demo'] })
  const { dataDir, env } = first
  await first.stop()

  openUp(dataDir)
  const direct = await startPortal({ args: ['--demo'], env })
  expect([modeOf(dataDir), modesIn(dataDir)]).toEqual([0o700, CLOSED])
  expect(direct.output()).not.toContain('Sample data of --demo is still')
  const files = [join(dataDir, 'a.backup'), join(dataDir, 'portal.json')]
  writeFileSync(files[1] ?? '', 'an older one', { mode: 0o644 })
  expect(await runCommand(env, 'backup', files[0] ?? '')).toMatchObject({ status: 0 })
  expect(await runCommand(env, 'export', files[1] ?? '')).toMatchObject({ status: 0 })
  expect(files.map(modeOf)).toEqual([0o600, 0o600])
  await direct.stop()

  const inPublic = { ...env, ISSUER: PUBLIC, GATEHOUSE_MODE: 'production' }
  await saysThatDemoIsLeft(await startPortal({ env: inPublic }))
  openUp(dataDir)
  const next = await startNext(inPublic)
  expect(modeOf(dataDir)).toBe(0o700)
  expect(modesIn(dataDir)).toEqual(CLOSED)
  await saysThatDemoIsLeft(next)
})

test('M10: on https the session travels as __Host-, Secure, HttpOnly and Lax, under HSTS', async () => {
  const first = await startPortal({ args: ['--demo'] })
  const { email, password } = first.demo().admin
  await first.stop()
  const portal = await startPortal({ env: { ...first.env, ISSUER: PUBLIC } })
  const { host } = new URL(PUBLIC)
  const path = `/login?${new URLSearchParams({ identifier: email })}`
  const page = await ask(portal.origin, { path, headers: { host } })
  expect(page.headers['strict-transport-security']).toMatch(/^max-age=\d{8}/)
  const url = `${PUBLIC}${path}`
  const { inputs } = formOf({ url, status: 200, headers: new Headers(), html: page.body })
  const body = new FormData()
  const typed = Object.entries({ identifier: email, password })
  for (const [name, value] of [...inputs, ...typed]) body.append(name, value)
  const bytes = new Response(body)
  const sent = { method: 'POST', path, body: Buffer.from(await bytes.arrayBuffer()) }
  const headers = { host, 'content-type': bytes.headers.get('content-type') ?? '' }
  const overHttp = await ask(portal.origin, {
    ...sent,
    headers: { ...headers, origin: PUBLIC.replace('https', 'http') },
  })
  expect(overHttp.status).toBe(403)
  const answer = await ask(portal.origin, { ...sent, headers: { ...headers, origin: PUBLIC } })
  const session = [answer.headers['set-cookie'] ?? []]
    .flat()
    .find((line) => line.includes('gatehouse.session='))
  expect(session).toMatch(
    /^__Host-gatehouse\.session=.*; Path=\/;.*; Secure; HttpOnly; SameSite=lax$/,
  )
  await portal.stop()
})

async function saysThatDemoIsLeft(portal: Portal): Promise<void> {
  const names = /Sample data of --demo is still in this database: usr_demo_\w+, .*app_demo_/
  await expect.poll(() => portal.output(), { timeout: 10_000 }).toMatch(names)
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
  await portal.stop()
}

test('(q) a database elsewhere is closed; folders that hold others are left, and named', async () => {
  const [shared, elsewhere] = [temporaryFolder(), temporaryFolder()]
  for (const folder of [shared, elsewhere]) chmodSync(folder, 0o755)
  mkdirSync(join(shared, 'somebody'))
  const database = join(elsewhere, 'portal.db')
  const env = { DATA_DIR: shared, DATABASE_URL: `file:${database}` }
  const portal = await startPortal({ env })
  expect([modeOf(shared), modeOf(elsewhere)]).toEqual([0o755, 0o755])
  expect(['', '-wal', '-shm'].map((end) => modeOf(`${database}${end}`))).toEqual([
    0o600, 0o600, 0o600,
  ])
  expect(portal.output()).toContain(`others on this machine can look into ${shared}`)
  await portal.stop()
})

test('plain Next with settings that cannot be: one line that says what to do, exit code 1', async () => {
  const args = ['node_modules/next/dist/bin/next', 'start', '--port', '0']
  const portal = await spawnPortal(args, { ISSUER: PUBLIC, GATEHOUSE_SECRET: 'weak' })
  expect(await portal.exited).toBe(1)
  expect(portal.output()).toContain('GATEHOUSE_SECRET is weak: use at least 32 random characters')
  expect(portal.output()).not.toMatch(/^\s+at /m)
})
