import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadDemo } from '../../lib/operations/demo'
import { askToken, machineFields } from '../support/ask'
import { freshDatabase } from '../support/databases'
import { openPortal, openSecond } from '../support/in-process'

test('a second demo start keeps the secrets; without demo.json they are made anew', async () => {
  const first = await openPortal({ env: { DATABASE_URL: await freshDatabase.sqlite() } })
  const demo = first.demo()
  const second = await openSecond(first)
  await loadDemo(second.op)
  expect(second.demo()).toEqual(demo)
  await rm(join(first.dataDir, 'demo.json'))
  await loadDemo(second.op)
  expect(second.demo().machine.client_secret).not.toBe(demo.machine.client_secret)
  expect((await askToken(second.origin, machineFields(second))).status).toBe(200)
  await second.stop()
  await first.stop()
})
