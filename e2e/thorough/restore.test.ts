import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backUp } from '../../lib/operations/backup/backup'
import { fsck } from '../../lib/operations/fsck'
import { readConfig } from '../../lib/settings/config'
import { type Database, openDatabase } from '../../lib/store/database/database'
import { tables } from '../../lib/store/database/tables'
import { type Answer, ask, askToken, type Fields, FORM, machineFields } from '../support/ask'
import { runCommand } from '../support/command'
import { emptyDatabase, KINDS } from '../support/databases'
import {
  aliceAtWeb,
  authorizeUrl,
  exchange,
  getCode,
  refresh,
  userinfo,
  webRequest,
} from '../support/flow'
import { temporaryFolder } from '../support/folder'
import type { OldBrowser } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'

/** docs/attacks.md, N23: what a restore brings back, and what it must not. */

const json = (answer: Answer) => JSON.parse(answer.body)

type Held = { browser: OldBrowser; refresh_token: string; access_token: string; machine: string }

async function signedIn(portal: Portal): Promise<Held> {
  const browser = await aliceAtWeb(portal)
  const code = await getCode(browser, webRequest(portal.demo()))
  const { refresh_token, access_token } = json(await exchange(portal, code))
  const machine = json(await askToken(portal.origin, machineFields(portal))).access_token
  return { browser, refresh_token, access_token, machine }
}

function post(portal: Portal, path: string, fields: Fields): Promise<Answer> {
  const body = new URLSearchParams(fields).toString()
  return ask(portal.origin, { method: 'POST', path, headers: FORM, body })
}

function clientOf(portal: Portal, token: string, held: Held): Fields {
  const { web, machine } = portal.demo()
  const { client_id, client_secret } = token === held.machine ? machine : web
  return { client_id, client_secret, token }
}

async function revokeAll(portal: Portal, held: Held): Promise<void> {
  for (const token of [held.refresh_token, held.machine])
    expect(
      (await post(portal, '/oidc/token/revocation', clientOf(portal, token, held))).status,
    ).toBe(200)
}

/** What still works of what somebody holds. */
async function living(portal: Portal, held: Held): Promise<string[]> {
  const introspect = async (token: string) =>
    json(await post(portal, '/oidc/token/introspection', clientOf(portal, token, held))).active
  const page = await held.browser.open(authorizeUrl(webRequest(portal.demo(), { prompt: 'none' })))
  const alive: [string, boolean][] = [
    ['the session', new URL(page.url).searchParams.has('code')],
    ['introspection of the access token', await introspect(held.access_token)],
    ['introspection of the machine’s token', await introspect(held.machine)],
    ['userinfo', (await userinfo(portal.origin, held.access_token)).status === 200],
    ['refresh', (await refresh(portal, held.refresh_token)).status === 200],
  ]
  return alive.flatMap(([what, works]) => (works ? [what] : []))
}

describe.each(KINDS)('yesterday’s backup of %s', (kind) => {
  let portal: Portal
  let db: Database
  const file = join(temporaryFolder(), 'portal.backup')
  let revokedBefore: Held
  let revokedSince: Held
  let untouched: Held
  let said = ''

  beforeAll(async () => {
    const DATABASE_URL = await emptyDatabase[kind]()
    portal = await startPortal({ args: ['--demo'], env: { DATABASE_URL } })
    db = await openDatabase(DATABASE_URL)
    revokedBefore = await signedIn(portal)
    revokedSince = await signedIn(portal)
    untouched = await signedIn(portal)
    await revokeAll(portal, revokedBefore)
    await backUpUnderLoad()
    await revokeAll(portal, revokedSince)
    await db.oneTimeLink.create({
      data: { tokenHash: 'since', purpose: 'reset', createdAt: new Date(), expiresAt: new Date() },
    })
  })

  afterAll(async () => {
    await db.$disconnect()
    await portal.stop()
  })

  /** Nobody is refused or kept waiting while it is made. */
  async function backUpUnderLoad() {
    const making = backUp(readConfig(portal.env), file, new Date())
    let over = false
    making.then(() => {
      over = true
    })
    let asked = 0
    while (!over) {
      const { status } = await askToken(portal.origin, machineFields(portal))
      expect(status).toBe(200)
      const refreshed = await refresh(portal, untouched.refresh_token)
      expect(refreshed.status).toBe(200)
      untouched = { ...untouched, refresh_token: json(refreshed).refresh_token }
      asked += 1
    }
    expect(asked).toBeGreaterThan(0)
    return making
  }

  test('replaces the database while the portal runs', async () => {
    expect(await living(portal, untouched)).not.toEqual([])
    const restored = await runCommand(portal.env, 'restore', file, '--replace')
    said = restored.said
    expect(restored.status).toBe(0)
    // Other instances hear of it within a second.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
  })

  test('N23: what was revoked before the backup stays revoked, and so does what was revoked since', async () => {
    expect(await living(portal, revokedBefore)).toEqual([])
    expect(await living(portal, revokedSince)).toEqual([])
  })

  test('N23: no session, grant or signing key of the backup is valid any more', async () => {
    expect(await living(portal, untouched)).toEqual([])
    expect(said).toMatch(/ended, .* \d+ sessions, \d+ grants, 2 signing keys/)
  })

  test('everybody signs in anew, with what they know', async () => {
    const held = await signedIn(portal)
    expect(await living(portal, held)).toHaveLength(5)
  })

  test('what came since the backup is gone; the log says that it was restored, and all is sound', async () => {
    expect(await db.oneTimeLink.count({ where: { tokenHash: 'since' } })).toBe(0)
    expect(await db.auditEntry.count({ where: { event: 'portal.restored' } })).toBe(1)
    const broken = (await fsck(portal.env.DATABASE_URL ?? '')).filter(({ ids }) => ids.length > 0)
    expect(broken).toEqual([])
  })
})

test('a portal moves from SQLite to PostgreSQL with everything that lives', async () => {
  const before = await startPortal({ args: ['--demo'] })
  const [stays, revoked] = [await signedIn(before), await signedIn(before)]
  await revokeAll(before, revoked)
  await before.stop()
  const file = join(temporaryFolder(), 'portal.backup')
  const made = await runCommand(before.env, 'backup', file)
  const said = expect.stringContaining(` rows of ${tables.length} tables`)
  expect(made).toMatchObject({ status: 0, said })
  const env = { ...before.env, DATABASE_URL: await emptyDatabase.postgres() }
  expect(await runCommand(env, 'restore', file, '--moved')).toMatchObject({ status: 0 })
  const after = await startPortal({ env })
  expect(await living(after, stays)).toHaveLength(5)
  expect(await living(after, revoked)).toEqual(['the session'])
  await after.stop()
})
