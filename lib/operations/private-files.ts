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
import { isSqliteUrl, sqlitePath } from '../store/database/sqlite'

/** Files contain secrets, users and signing keys: other users of the machine must not read them. */

const OTHERS = 0o077
const OWN_FOLDER = 0o700
const OWN_FILE = 0o600
const STICKY = 0o1000
const OWN_FILES = ['secret', 'demo.json']
const DATABASE_FILES = ['', '-wal', '-shm', '-journal']

type Places = Pick<Config, 'dataDir' | 'databaseUrl'>

/** Also for an existing file that others could read: its mode is set before it is written. */
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

/**
 * Existing files may be open to others. Returns a line for each one whose mode could not be
 * changed.
 */
export function closeToOthers({ dataDir, databaseUrl }: Places): string[] {
  if (process.platform === 'win32') return []
  const database = isSqliteUrl(databaseUrl) ? sqlitePath(databaseUrl) : null
  // SQLite creates files with the default mode; the files beside it get the mode of the main file.
  if (database !== null) makeFile(database)
  const files = [
    ...OWN_FILES.map((name) => join(dataDir, name)),
    ...DATABASE_FILES.flatMap((end) => (database === null ? [] : `${database}${end}`)),
  ]
  return [closeFolder(dataDir), ...files.map((file) => close(file, OWN_FILE))].flatMap(
    (line) => line ?? [],
  )
}

/** The database reports it if the file cannot be created. */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWN_FILE))
  } catch {}
}

function closeFolder(folder: string): string | null {
  if (!isOpenToOthers(folder)) return null
  if (isOurs(folder)) return close(folder, OWN_FOLDER)
  return `other users of this machine can read ${folder}: it contains more than the files of Gatehouse, so its mode is not changed (set DATA_DIR to a folder of its own)`
}

/**
 * A folder is not only the portal's if it is shared, contains the home folder or has other folders
 * in it.
 */
function isOurs(folder: string): boolean {
  const path = realpathSync(folder)
  if ([homeFolder(), process.cwd()].some((place) => place !== null && holds(path, place)))
    return false
  if ((statSync(path).mode & STICKY) !== 0) return false
  return !readdirSync(path, { withFileTypes: true }).some(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'lost+found',
  )
}

/** Null if there is none: a container may run as a user whom the system does not know. */
function homeFolder(): string | null {
  try {
    return homedir()
  } catch {
    return null
  }
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
    return `other users of this machine can open ${path}, and this user may not change that: run chmod ${mode.toString(8)} on it as its owner`
  }
}

function isOpenToOthers(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && (found.mode & OTHERS) !== 0
}
