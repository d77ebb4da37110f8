import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../e2e/support/databases'
import { temporaryFolder } from '../../../e2e/support/folder'
import { createOp, type OpenOp } from '../../op'
import { readConfig } from '../../settings/config'
import { describedBy } from './application'
import { parseMetadata } from './metadata'

describe('the scopes of a client that registers itself', () => {
  let op: OpenOp

  beforeAll(async () => {
    const DATABASE_URL = await freshDatabase.sqlite()
    const env = { DATABASE_URL, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }
    op = await createOp(readConfig(env))
  })

  afterAll(() => op.close())

  async function scopesFor(sent: object) {
    const { clientRegistration } = await op.settings.current()
    const scopes = ['openid', 'orders:read', 'orders:refund', 'stock:read']
    const redirect_uris = ['http://127.0.0.1/cb']
    const metadata = parseMetadata({ redirect_uris, application_type: 'native', ...sent })
    return describedBy(op, { ...clientRegistration, scopes }, metadata).scopeLimit
  }

  test('one permission of an API stands for all that the settings list of it', async () => {
    expect(await scopesFor({ scope: 'openid orders:read' })).toEqual([
      'openid',
      'orders:read',
      'orders:refund',
    ])
    expect(await scopesFor({})).toHaveLength(4)
  })

  test('R6: with a software statement, only those that it names', async () => {
    const signed = { software_statement: 'verified before', scope: 'openid orders:read' }
    expect(await scopesFor(signed)).toEqual(['openid', 'orders:read'])
    await expect(scopesFor({ ...signed, scope: 'orders:delete' })).rejects.toThrow()
  })
})
