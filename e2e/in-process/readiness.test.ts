import { renameSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sqlitePath } from '../../lib/store/database/sqlite'
import { ask } from '../support/ask'
import { KINDS } from '../support/databases'
import { type OpenPortal, openPortal } from '../support/in-process'
import { READ_ONLY } from '../support/read-only'

/** /readyz says whether the portal can do its work, and that needs a database that takes writes. */

const LATER_MS = 6_000

describe.each(KINDS)('O7: /readyz on %s', (kind) => {
  let portal: OpenPortal

  beforeEach(async () => {
    portal = await openPortal({ kind, empty: true })
    return () => portal.stop()
  })

  async function readiness() {
    const { status, headers, body } = await ask(portal.origin, { path: '/readyz' })
    return [status, JSON.parse(body).checks.database, headers['retry-after'] ?? null]
  }

  test('is 503 while the database can only be read, and 200 again afterwards', async (context) => {
    const url = portal.env.DATABASE_URL ?? ''
    const obstacle = READ_ONLY[kind].obstacle(url)
    if (obstacle) context.skip(obstacle)
    expect(await readiness()).toEqual([200, 'ok', null])
    await READ_ONLY[kind].begin(url)
    try {
      portal.moveClock(LATER_MS)
      expect(await readiness()).toEqual([503, 'failing', '5'])
    } finally {
      await READ_ONLY[kind].end(url)
    }
    // A session that was ended says so once.
    await readiness()
    portal.moveClock(LATER_MS)
    expect(await readiness()).toEqual([200, 'ok', null])
  })

  test('writes once in a few seconds, however many ask', async () => {
    const written = async () =>
      (await portal.op.db.rateCounter.findMany()).map(({ count }) => count)
    await Promise.all([readiness(), readiness(), readiness()])
    await readiness()
    expect(await written()).toEqual([1])
    portal.moveClock(LATER_MS)
    await readiness()
    expect(await written()).toEqual([2])
  })
})

describe('O7: a SQLite file that is gone', () => {
  let portal: OpenPortal
  beforeEach(async () => {
    portal = await openPortal({ empty: true })
  })
  afterEach(() => portal.stop())

  test('is 503 at /readyz and at every endpoint that needs it, until it is back', async () => {
    const path = sqlitePath(portal.env.DATABASE_URL ?? '')
    const status = async (asked: string) => (await ask(portal.origin, { path: asked })).status
    renameSync(path, `${path}.aside`)
    expect(await status('/readyz')).toBe(503)
    expect(await status('/oidc/auth?client_id=unknown')).toBe(503)
    expect(await status('/oidc/.well-known/jwks.json')).toBe(200)
    renameSync(`${path}.aside`, path)
    portal.moveClock(LATER_MS)
    expect(await status('/readyz')).toBe(200)
  })
})
