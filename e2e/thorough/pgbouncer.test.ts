import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOp, type OpenOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import { verifyWhole } from '../../lib/store/audit/chain'
import { askToken, machineFields } from '../support/ask'
import { demoDatabase } from '../support/databases'
import { aliceAtWeb, exchange, getCode, refresh, userinfo, webRequest } from '../support/flow'
import type { OldBrowser } from '../support/old-browser'
import { findPgbouncer, type Pgbouncer, startPgbouncer } from '../support/pgbouncer'
import { type Portal, startPortal } from '../support/portal'

const program = findPgbouncer()
if (program === null) process.stderr.write('skipped: no pgbouncer on the PATH\n')

/** Fewer connections to the server than the portal holds. */
const SERVERS = 3
const AT_ONCE = 24

describe.skipIf(program === null)('behind PgBouncer in transaction mode', () => {
  let pgbouncer: Pgbouncer
  let portal: Portal
  let op: OpenOp
  let alice: OldBrowser

  beforeAll(async () => {
    const direct = await demoDatabase.postgres()
    pgbouncer = await startPgbouncer(program ?? '', direct, SERVERS)
    portal = await startPortal({ args: ['--demo'], env: { DATABASE_URL: pgbouncer.url } })
    op = await createOp(readConfig({ ...portal.env, DATABASE_URL: direct, LOG_LEVEL: 'silent' }))
    alice = await aliceAtWeb(portal)
  })

  afterAll(async () => {
    await op?.close()
    await portal?.stop()
    await pgbouncer?.stop()
  })

  const times = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: AT_ONCE }, work))
  const newCode = () => getCode(alice, webRequest(portal.demo()))

  test('many exchange, refresh and ask at once, and each gets its own answer', async () => {
    for (let round = 0; round < 3; round += 1) {
      const codes = await times(newCode)
      const [exchanged, machines] = await Promise.all([
        Promise.all(codes.map((code) => exchange(portal, code))),
        times(() => askToken(portal.origin, machineFields(portal))),
      ])
      for (const { status, body } of [...exchanged, ...machines]) expect(status, body).toBe(200)
      const held = exchanged.map(({ body }) => JSON.parse(body))
      expect(new Set(held.map(({ refresh_token }) => refresh_token)).size).toBe(AT_ONCE)
      const [refreshed, asked] = await Promise.all([
        Promise.all(held.map(({ refresh_token }) => refresh(portal, refresh_token))),
        Promise.all(held.map(({ access_token }) => userinfo(portal.origin, access_token))),
      ])
      for (const { status, body } of [...refreshed, ...asked]) expect(status, body).toBe(200)
      expect(new Set(asked.map(({ body }) => JSON.parse(body).sub)).size).toBe(1)
    }
  })

  test('a code is exchanged once', async () => {
    const code = await newCode()
    const answers = await times(() => exchange(portal, code))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(AT_ONCE - 1)
  })

  test('the audit log is one chain, with an entry for every code and every token', async () => {
    await portal.stop()
    expect((await verifyWhole(op.db)).broken).toBeNull()
    const issued = await op.db.auditEntry.count({ where: { event: 'code.issued' } })
    const codes = await op.db.authorizationCode.count()
    expect(issued).toBe(codes)
    const grants = await op.db.tokenGrant.count()
    const tokens = await op.db.auditEntry.findMany({ where: { event: 'token.issued' } })
    const exchanged = tokens.filter(({ detail }) =>
      JSON.stringify(detail).includes('"authorization_code"'),
    )
    expect(exchanged).toHaveLength(grants)
  })
})
