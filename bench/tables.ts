import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OPERATOR } from '../lib/api/http/caller'
import { answerApi } from '../lib/api/table'
import type { Op } from '../lib/context/op'
import { createOp } from '../lib/op'
import { readConfig } from '../lib/settings/config'
import type { Database } from '../lib/store/database/database'
import { migrate } from '../lib/store/operations/migrations'
import { median } from './measure'
import { indexSeeded } from './seed'

/**
 * npm run bench -- tables: what a page of the users table costs the server, with 1 000 and with
 * 100 000 users: CPU of the API's own answer, count and all, as the admin page asks it.
 */

const SIZES = [1_000, 100_000]
const PER_PAGE = 50
const ROUNDS = 40

type OpenPortal = Op & { db: Database }
type Work = { name: string; path(op: OpenPortal, size: number): Promise<string> }

const WORKS: Work[] = [
  { name: 'first page', path: async () => '/users?count=true' },
  { name: 'page 1 000, or the last', path: deepPage },
  {
    name: 'search, found once',
    path: async (_portal, size) => `/users?count=true&q=user${size - 7}x`,
  },
  { name: 'search, found nowhere', path: async () => '/users?count=true&q=nobodyatall' },
  { name: 'search, found often', path: async () => '/users?count=true&q=User' },
  { name: 'sorted by name', path: async () => '/users?count=true&sort=name' },
]

async function benchTables(): Promise<void> {
  const ops = await Promise.all(SIZES.map(portalWith))
  console.log(`CPU of one answer, median of ${ROUNDS}, ${SIZES.join(' and ')} users\n`)
  for (const { name, path } of WORKS) {
    const paths = await Promise.all(ops.map((op, at) => path(op, SIZES[at] ?? 0)))
    const costs: number[][] = ops.map(() => [])
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [at, op] of ops.entries()) costs[at]?.push(await cost(op, paths[at] ?? ''))
    }
    const [small = 0, large = 0] = costs.map(median)
    const ratio = (large / small).toFixed(2)
    console.log(`${name.padEnd(26)} ${small.toFixed(2)} ms  ${large.toFixed(2)} ms  ${ratio} times`)
  }
  for (const op of ops) await op.close()
}

async function portalWith(users: number): Promise<OpenPortal> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-tables-'))
  const settings = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  await migrate(settings.databaseUrl)
  const op = await createOp(settings)
  const now = new Date()
  await op.db.$executeRaw`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${users})
    INSERT INTO "User" ("id", "name", "email", "emailKey", "username", "usernameKey", "profile", "attributes", "createdAt", "updatedAt")
    SELECT 'usr_' || i, 'User Number ' || i, 'user' || i || 'x@example.com', 'user' || i || 'x@example.com',
      'person' || i, 'person' || i, '{}', '{}', CAST(${now.getTime()} AS INTEGER) + i, ${now} FROM n`
  await indexSeeded(op.db, op.databaseKind)
  return op
}

async function deepPage(op: OpenPortal, size: number): Promise<string> {
  let path = '/users?count=true'
  const pages = Math.min(1_000, Math.floor(size / PER_PAGE)) - 1
  for (let page = 0; page < pages; page += 1) {
    const { next } = (await answer(op, path.replace('count=true', 'limit=50'))).page
    path = `/users?count=true&cursor=${encodeURIComponent(next)}`
  }
  return path
}

async function answer(op: OpenPortal, path: string): Promise<{ page: { next: string } }> {
  const incoming = {
    method: 'GET',
    url: `/api/v1${path}`,
    headers: { get: () => null },
    ip: null,
    requestId: 'bench',
    body: async () => new Uint8Array(),
  }
  const reply = await answerApi(op, incoming, async () => OPERATOR)
  if (reply.status !== 200) throw new Error(reply.body)
  return JSON.parse(reply.body)
}

async function cost(op: OpenPortal, path: string): Promise<number> {
  const before = process.cpuUsage()
  await answer(op, path)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

await benchTables()
