import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'libsql'
import pg from 'pg'
import { databaseKindOf } from '../database/connection'
import { sqlitePath } from '../database/sqlite'
import { isBusy } from '../database/sqlite-connection'

const ADVISORY_LOCK = 0x6a7e_0001
const POLL_MS = 100

/**
 * One migration at a time; the operating system or the server releases the lock of a dead process.
 */
export function withMigrationLock<T>(url: string, work: () => Promise<T>): Promise<T> {
  return databaseKindOf(url) === 'sqlite'
    ? withFileLock(`${sqlitePath(url)}.migrating`, work)
    : withAdvisoryLock(url, work)
}

async function withAdvisoryLock<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'gatehouse migration' })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK])
    return await work()
  } finally {
    await client.end()
  }
}

/**
 * SQLite's own lock on an empty database file beside the main one: released when its process ends.
 */
async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = new Database(path)
  try {
    while (!tryBegin(lock)) await sleep(POLL_MS)
    return await work()
  } finally {
    lock.close()
  }
}

function tryBegin(lock: Database.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}
