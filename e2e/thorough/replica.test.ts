import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../lib/store/operations/migrations'
import { ADMIN_SCOPES, callApi, machineToken } from '../support/api'
import { temporaryFolder } from '../support/folder'
import { type Portal, startPortal } from '../support/portal'
import { createDatabase, type Postgres, startPostgres } from '../support/postgres'
import { type Replica, startReplica } from '../support/replica'

describe('a portal with DATABASE_REPLICA_URL', () => {
  let primary: Postgres
  let replica: Replica
  let portal: Portal
  let url: string
  let token: string

  beforeAll(async () => {
    primary = await startPostgres()
    replica = await startReplica(primary)
    url = await createDatabase(primary.url)
    await migrate(url)
    const env = { DATABASE_URL: url, DATABASE_REPLICA_URL: replica.urlOf(url) }
    portal = await startPortal({ args: ['--demo'], env: { ...env, DATA_DIR: temporaryFolder() } })
    token = await machineToken(portal, ADMIN_SCOPES)
  })

  afterAll(async () => {
    await portal?.stop()
    await replica?.stop()
    await primary?.stop()
  })

  async function createUser(email: string): Promise<void> {
    const { status, raw } = await callApi(portal, token, 'POST', '/users', { email })
    expect(status, raw).toBe(201)
  }

  async function listed(email: string): Promise<boolean> {
    const { json } = await callApi(portal, token, 'GET', `/users?q=${email}`)
    return json.data.length === 1
  }

  /** The last query of each connection of the portal to the replica. */
  async function askedOfReplica(): Promise<string> {
    const client = new pg.Client({ connectionString: replica.urlOf(url) })
    await client.connect()
    const { rows } = await client.query(
      `SELECT query FROM pg_stat_activity WHERE application_name = 'gatehouse'`,
    )
    await client.end()
    return rows.map(({ query }) => query).join('\n')
  }

  test('lists users from the replica, each one as soon as it was created', async () => {
    const missed: number[] = []
    for (let at = 0; at < 20; at += 1) {
      await createUser(`list${at}@replica.example`)
      if (!(await listed(`list${at}@replica.example`))) missed.push(at)
    }
    expect(missed).toEqual([])
    await expect
      .poll(
        async () => {
          await listed('list0@replica.example')
          return askedOfReplica()
        },
        { timeout: 20_000, interval: 500 },
      )
      .toContain('FROM "public"."User"')
  })

  test('lists from the primary while the replica is behind, and says so once', async () => {
    await replica.pause()
    for (const name of ['one', 'two']) {
      await createUser(`${name}@replica.example`)
      expect(await listed(`${name}@replica.example`)).toBe(true)
    }
    const lines = (await portal.allOutput()).split('the replica is behind').length - 1
    expect(lines).toBe(1)
    await replica.resume()
  })

  test('serves tokens and lists while the replica is away', async () => {
    await replica.stop()
    expect(await machineToken(portal, ADMIN_SCOPES)).toContain('.')
    await createUser('away@replica.example')
    expect(await listed('away@replica.example')).toBe(true)
  })
})
