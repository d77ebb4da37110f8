import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../e2e/support/databases'
import { temporaryFolder } from '../../e2e/support/folder'
import { freePort } from '../../e2e/support/postgres'
import { READ_ONLY } from '../../e2e/support/read-only'
import { createOp } from '../op'
import { readConfig } from '../settings/config'
import { openDatabase } from '../store/database/database'
import { openDataFolder } from './private-files'
import { explainStartUpError, ListenError } from './start-up-error'

/** O9: what the operator reads, from the errors that Node and the drivers really throw. */

async function explained(env: Record<string, string>, start: () => unknown): Promise<string> {
  const settings = readConfig({ DATA_DIR: temporaryFolder(), ...env })
  const error = await Promise.resolve()
    .then(start)
    .then(shouldHaveFailed, (cause) => cause)
  return explainStartUpError(error, () => settings)
}

function shouldHaveFailed() {
  throw new Error('it started')
}

function listening(port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => reject(new ListenError(error)))
    server.listen(port, host, () => resolve(server))
  })
}

test('O9: a port in use', async () => {
  const port = await freePort()
  const holder = await listening(port, '127.0.0.1')
  const said = await explained({ PORT: String(port) }, () => listening(port, '127.0.0.1'))
  expect(said).toBe(
    `port ${port} is in use: stop the program that uses it, or set PORT to another port`,
  )
  holder.close()
})

test('O9: an address that is not ours', async () => {
  const HOST = '203.0.113.1'
  const port = await freePort()
  expect(await explained({ HOST }, () => listening(port, HOST))).toBe(
    'cannot listen on 203.0.113.1 (EADDRNOTAVAIL): correct HOST, or unset it',
  )
})

test('O9: a folder that cannot be written', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const dataDir = join(file, 'data')
  const place = { dataDir, databaseUrl: `file:${join(dataDir, 'gatehouse.db')}` }
  expect(await explained({}, () => openDataFolder(place))).toMatch(
    /^cannot write to .*set DATA_DIR/,
  )
})

test('O9: an unreachable database, without its password', async () => {
  const DATABASE_URL = `postgresql://u:hidden@127.0.0.1:${await freePort()}/x`
  const said = await explained({ DATABASE_URL }, async () => {
    const db = await openDatabase(DATABASE_URL)
    return db.user.count()
  })
  expect(said).toMatch(/^the database at 127\.0\.0\.1:\d+\/x cannot be reached: .*DATABASE_URL$/)
})

test('O9: a password that is not encoded, without the password', async () => {
  const DATABASE_URL = 'postgresql://u:hid#den@127.0.0.1/x'
  const said = await explained({}, () => readConfig({ DATABASE_URL }))
  expect(said).toMatch(/^DATABASE_URL: is not a URL: percent-encode/)
  expect(said).not.toContain('hid#')
})

test.for(KINDS)('O9: a %s that can only be read', async (kind, context) => {
  const DATABASE_URL = await freshDatabase[kind]()
  const obstacle = READ_ONLY[kind].obstacle(DATABASE_URL)
  if (obstacle) context.skip(obstacle)
  await READ_ONLY[kind].begin(DATABASE_URL)
  const said = await explained({ DATABASE_URL, LOG_LEVEL: 'silent' }, async () => {
    const op = await createOp(readConfig({ DATABASE_URL, DATA_DIR: temporaryFolder() }))
    await op.health.write().finally(() => op.db.$disconnect())
  })
  await READ_ONLY[kind].end(DATABASE_URL)
  expect(said).toMatch(/^(?:cannot write to .*DATA_DIR|the database at .* can only be read: )/)
})
