import { describe, expect, test } from 'vitest'
import { loadDemo, refusePublicDemo } from '../../lib/operations/demo'
import { readConfig } from '../../lib/settings/config'
import { migrate } from '../../lib/store/operations/migrations'
import { ask } from '../support/ask'
import { emptyDatabase, KINDS } from '../support/databases'
import { temporaryFolder } from '../support/folder'
import { openPortal } from '../support/in-process'
import { SECRET } from '../support/portal'

/** What the first start of a portal makes, and which sample data it refuses to load. */

test.each(KINDS)(
  'H16: two instances on one empty %s database make one set of keys',
  async (kind) => {
    const DATABASE_URL = await emptyDatabase[kind]()
    const started = async () => {
      await migrate(DATABASE_URL)
      return openPortal({ env: { DATABASE_URL }, empty: true })
    }
    const both = await Promise.all([started(), started()])
    const sets = await Promise.all(
      both.map(({ origin }) => ask(origin, { path: '/oidc/.well-known/jwks.json' })),
    )
    expect(sets[0]?.body).toBe(sets[1]?.body)
    expect(JSON.parse(sets[0]?.body ?? '').keys).toHaveLength(2)
    for (const portal of both) await portal.stop()
  },
)

describe('Q17: --demo', () => {
  const ISSUER = 'https://id.example.com'

  test.each<[string, Record<string, string>]>([
    ['a public issuer', { ISSUER }],
    ['a public issuer in development', { ISSUER, GATEHOUSE_MODE: 'development' }],
    ['production on this machine', { ISSUER: 'https://localhost', NODE_ENV: 'production' }],
  ])('Q17: refuses %s', (_what, env) => {
    const DATA_DIR = temporaryFolder()
    const place = readConfig({ DATA_DIR, GATEHOUSE_SECRET: SECRET, ...env })
    expect(() => refusePublicDemo(place)).toThrow(
      `--demo is only for this machine, but ISSUER is ${env.ISSUER}: start without --demo, or unset ISSUER, GATEHOUSE_MODE and NODE_ENV`,
    )
  })

  test('refuses a database with data of its own', async () => {
    const portal = await openPortal({ empty: true })
    const stamps = { createdAt: new Date(), updatedAt: new Date() }
    await portal.op.changePolicy((tx) =>
      tx.user.create({ data: { id: 'usr_x', profile: {}, attributes: {}, ...stamps } }),
    )
    await expect(loadDemo(portal.op)).rejects.toThrow('already has data of its own')
    await portal.stop()
  })
})
