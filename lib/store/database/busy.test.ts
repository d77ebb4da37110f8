import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { bundleScript } from '../../../e2e/support/bundle'
import { freshDatabase } from '../../../e2e/support/databases'
import { migrate } from '../operations/migrations'
import { readPolicyVersion } from '../policy/policy-version'
import { openDatabase } from './database'
import { sqlitePath } from './sqlite'

const PROCESSES = 4
const WRITES = 60
const HOLD_MS = 25
const run = promisify(execFile)

test('O8: with 4 processes and a lock holder, every acknowledged write is in the SQLite file', async () => {
  const url = await freshDatabase.sqlite()
  await migrate(url)
  const script = await bundleScript('busy-writer')
  const stopHolding = holdLockNowAndThen(sqlitePath(url))
  const outcomes = await Promise.all(
    Array.from({ length: PROCESSES }, (_, index) =>
      run(process.execPath, [script, url, `p${index}`, String(WRITES)]),
    ),
  ).finally(stopHolding)
  const reports = outcomes.map(({ stdout }) => JSON.parse(stdout))

  expect(reports.flatMap((report) => report.failed)).toEqual([])
  const db = await openDatabase(url)
  const keys = (await db.setting.findMany()).map((row) => row.key)
  const acknowledged = reports.flatMap((report) => report.acknowledged)
  expect(keys.sort()).toEqual(acknowledged.sort())
  expect(acknowledged).toHaveLength(PROCESSES * WRITES)
  expect(await readPolicyVersion(db)).toBe(1 + (PROCESSES * WRITES) / 2)
  await db.$disconnect()
})

test('a connection that met SQLITE_BUSY writes to the file afterwards', async () => {
  const url = await freshDatabase.sqlite()
  await migrate(url)
  const db = await openDatabase(url)
  const other = new Database(sqlitePath(url))
  other.exec('BEGIN IMMEDIATE')
  const blocked = db.setting.create({ data: { key: 'waits', value: 1, updatedAt: new Date() } })
  setTimeout(() => other.exec('COMMIT'), 300)
  await blocked
  await db.setting.create({ data: { key: 'after', value: 2, updatedAt: new Date() } })
  const seen = other.prepare('SELECT key FROM Setting ORDER BY key').all() as { key: string }[]
  expect(seen.map(({ key }) => key)).toEqual(['after', 'waits'])
  other.close()
  await db.$disconnect()
})

/** A second connection, as a backup or a command-line tool opens it. */
function holdLockNowAndThen(path: string): () => void {
  const connection = new Database(path)
  const timer = setInterval(() => {
    try {
      connection.exec('BEGIN IMMEDIATE')
      setTimeout(() => connection.exec('COMMIT'), HOLD_MS)
    } catch {
      // Somebody else is writing: this turn is theirs.
    }
  }, HOLD_MS * 2)
  return () => {
    clearInterval(timer)
    setTimeout(() => connection.close(), HOLD_MS * 2)
  }
}
