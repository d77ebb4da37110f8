import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../e2e/support/databases'
import { temporaryFolder } from '../../e2e/support/folder'
import { freePort } from '../../e2e/support/postgres'
import { applyConfiguration } from '../api/configuration/apply'
import { configurationSchema } from '../api/configuration/schema'
import { createOp } from '../op'
import { readConfig } from '../settings/config'
import { isListed } from './breached-passwords'
import { register } from './register'

const RANGE = '0018A45C4D1DEF81644B54AB7F969B88D65:21\r\n00D4F6E8FA6EECAD2A3AA415EEC418D38EC:0\r\n'

describe('an answer of the range API', () => {
  test('lists a suffix, in upper or lower case', () => {
    expect(isListed(RANGE, '0018A45C4D1DEF81644B54AB7F969B88D65')).toBe(true)
    expect(isListed(RANGE.toLowerCase(), '0018A45C4D1DEF81644B54AB7F969B88D65')).toBe(true)
  })

  test('padding is not a breach', () => {
    expect(isListed(RANGE, '00D4F6E8FA6EECAD2A3AA415EEC418D38EC')).toBe(false)
  })

  test('what is not listed, or only begins alike, was not breached', () => {
    expect(isListed(RANGE, '0018A45C4D1DEF81644B54AB7F969B88D66')).toBe(false)
    expect(isListed(RANGE, '0018A45C')).toBe(false)
    expect(isListed('', '')).toBe(false)
  })
})

test('R25: whoever creates accounts is limited before another service is asked', async () => {
  let asked = 0
  const service = createServer((_request, response) => {
    asked += 1
    response.end(RANGE)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => service.listen(port, '127.0.0.1', resolve))
  const portal = await createOp(
    readConfig({
      DATABASE_URL: await freshDatabase.sqlite(),
      DATA_DIR: temporaryFolder(),
      LOG_LEVEL: 'silent',
      OUTBOUND_HOSTS: `127.0.0.1:${port}`,
      BREACHED_PASSWORDS_URL: `http://127.0.0.1:${port}/`,
    }),
  )
  const security = { breachedPasswords: true, registration: 'open' }
  const file = configurationSchema.parse({ version: 1, settings: { security } })
  await applyConfiguration(portal, file, { env: {}, dryRun: false })
  const problems: unknown[] = []
  for (let i = 0; i < 6; i += 1) {
    const result = await register(portal, {
      name: 'Ann',
      email: 'ann@rp.example',
      password: `sunken harbor 1742 owl ${i}`,
      locale: 'en',
      returnTo: '/',
      ip: '192.0.2.1',
    })
    problems.push(result.ok || result.problem)
  }
  expect(problems).toEqual([true, true, true, 'slow_down', 'slow_down', 'slow_down'])
  expect(asked).toBe(3)
  await portal.close()
  service.close()
})
