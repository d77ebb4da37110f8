import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { machineToken } from '../support/api'
import { askToken, machineFields } from '../support/ask'
import { runCommand } from '../support/command'
import { temporaryFolder } from '../support/folder'
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

test('`apply --replay` says what the file would have refused, and exits with 1', async () => {
  const token = await askToken(portal.origin, machineFields(portal, { scope: 'orders:read' }))
  expect(token.status).toBe(200)
  await portal.op.settled()
  const file = join(temporaryFolder(), 'portal.json')
  expect(await runCommand(portal.env, 'export', file)).toMatchObject({ status: 0 })
  const document = JSON.parse(readFileSync(file, 'utf8'))
  for (const application of document.applications)
    application.grants = application.grants.filter(
      (grant: { pattern: string }) => grant.pattern !== 'orders:read',
    )
  writeFileSync(file, JSON.stringify(document))
  const { status, said } = await runCommand(portal.env, 'apply', '--replay', '1d', file)
  expect(said).toMatch(/^- orders:read: .*\n(.*\n)*more than 0 would flip/m)
  expect(status).toBe(1)
})
