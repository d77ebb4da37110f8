import { afterAll, beforeAll, expect, test } from 'vitest'
import { machineToken } from '../support/api'
import { runCommand } from '../support/command'
import { type OpenPortal, openPortal } from '../support/in-process'

/** What an operator types beside a portal that runs. */

let portal: OpenPortal

beforeAll(async () => {
  portal = await openPortal()
  await machineToken(portal)
  await portal.op.settled()
})
afterAll(() => portal.stop())

const verify = () => runCommand(portal.env, 'audit', 'verify')

test('N21: `audit verify` says that the log is whole, and exits with 0', async () => {
  expect(await verify()).toEqual({ status: 0, said: expect.stringMatching(/^intact: \d+ entries/) })
})

test('N21: `audit verify` names the entry that was changed, and exits with 1', async () => {
  await portal.op.db.$executeRaw`DROP TRIGGER "AuditEntry_refuse_update"`
  await portal.op.db.auditEntry.updateMany({ where: { seq: 2n }, data: { actorId: 'another' } })
  const said = expect.stringContaining('broken at entry 2 (changed)')
  expect(await verify()).toEqual({ status: 1, said })
})
