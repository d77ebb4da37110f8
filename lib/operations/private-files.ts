import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join, sep } from 'node:path'
import type { Config } from '../settings/config'
import { isSqliteUrl, sqlitePath } from '../store/sqlite'

/** Secrets, people and signing keys lie in files: nobody else on the machine has business there. */

const OTHERS = 0o077
const OWN_FOLDER = 0o700
const OWN_FILE = 0o600
const STICKY = 0o1000
const OWN_FILES = ['secret', 'demo.json']
const DATABASE_FILES = ['', '-wal', '-shm', '-journal']

type Places = Pick<Config, 'dataDir' | 'databaseUrl'>

/** Also over a file that others could read until now: it is closed before it is filled. */
export function writePrivateFile(path: string, text: string): void {
  const file = openSync(path, 'w', OWN_FILE)
  try {
    fchmodSync(file, OWN_FILE)
    writeFileSync(file, text)
  } finally {
    closeSync(file)
  }
}

/** At the start, before anything is read or written. */
export function openDataFolder(places: Places): string[] {
  mkdirSync(places.dataDir, { recursive: true, mode: OWN_FOLDER })
  return closeToOthers(places)
}

/** What was there before may be open to others; what could not be closed comes back as lines. */
export function closeToOthers({ dataDir, databaseUrl }: Places): string[] {
  if (process.platform === 'win32') return []
  const database = isSqliteUrl(databaseUrl) ? sqlitePath(databaseUrl) : null
  // SQLite makes a file for everybody; those that it makes beside it get the same mode.
  if (database !== null) makeFile(database)
  const files = [
    ...OWN_FILES.map((name) => join(dataDir, name)),
    ...DATABASE_FILES.flatMap((end) => (database === null ? [] : `${database}${end}`)),
  ]
  return [closeFolder(dataDir), ...files.map((file) => close(file, OWN_FILE))].flatMap(
    (line) => line ?? [],
  )
}

/** Whatever stands in the way is the database's to complain of. */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWN_FILE))
  } catch {}
}

function closeFolder(folder: string): string | null {
  if (!isOpenToOthers(folder)) return null
  if (isOurs(folder)) return close(folder, OWN_FOLDER)
  return `others on this machine can look into ${folder}: it holds more than Gatehouse's files, so it is left as it is (set DATA_DIR to a folder of its own)`
}

/** A folder that is shared, holds our home or other folders is somebody's besides us. */
function isOurs(folder: string): boolean {
  const path = realpathSync(folder)
  if (holds(path, homedir()) || holds(path, process.cwd())) return false
  if ((statSync(path).mode & STICKY) !== 0) return false
  return !readdirSync(path, { withFileTypes: true }).some(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'lost+found',
  )
}

function holds(folder: string, place: string): boolean {
  const real = existsSync(place) ? realpathSync(place) : place
  return `${real}${sep}`.startsWith(folder === sep ? sep : `${folder}${sep}`)
}

function close(path: string, mode: number): string | null {
  if (!isOpenToOthers(path)) return null
  try {
    chmodSync(path, mode)
    return null
  } catch {
    return `others on this machine can open ${path}, and this user may not change that: run chmod ${mode.toString(8)} on it as its owner`
  }
}

function isOpenToOthers(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && (found.mode & OTHERS) !== 0
}
