import { renameSync, type Stats, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'libsql'
import Elsewhere from 'libsql/promise'
import { StoreUnavailable } from './unavailable'

/**
 * The connections of one process to a SQLite file.
 *
 * The stock libsql client loses writes: a statement that returns rows and meets SQLITE_BUSY is never
 * reset, its connection stays inside a transaction that nobody ends, and later writes report success
 * without reaching the file. Here every write first takes the lock with BEGIN IMMEDIATE, which fails
 * cleanly and is tried again; a connection that any other statement left in the middle of something
 * is replaced.
 */

export const BUSY_GIVE_UP_MS = 5_000
const BUSY_MAX_WAIT_MS = 12
/** The page cache: up to 16 MB of the file, as needed; 2 MB would be enough for a small one. */
const PRAGMAS = ['journal_mode=WAL', 'synchronous=FULL', 'foreign_keys=ON', 'cache_size=-16384']
const PRIMARY_CODE = 0xff
const SQLITE_BUSY = 5
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_CANTOPEN = 14
/** The connection keeps what it met when it was opened: a new one may find a file that can be written. */
const MENDED_BY_OPENING: ReadonlySet<number> = new Set([
  SQLITE_READONLY,
  SQLITE_IOERR,
  SQLITE_CANTOPEN,
])
/** Every connection to it has a database of its own. */
export const IN_MEMORY = ':memory:'

/**
 * For programs beside the portal that open its file in the same process. Two copies of the library
 * do not see each other’s locks, and bench/ may have one of its own.
 */
export const Sqlite = Database

/**
 * One connection only reads, outside transactions, so it sees what is committed, also while a
 * transaction lets other requests go on. The other writes, for one caller after the other.
 */
export class SqliteFile {
  readonly path: string
  readonly reader: SqliteConnection
  readonly writer: SqliteConnection
  readonly turns = new Turns()

  constructor(path: string) {
    this.path = path
    const place = new Place(path)
    this.writer = new SqliteConnection(place)
    this.reader = path === IN_MEMORY ? this.writer : new SqliteConnection(place)
  }

  close(): void {
    this.reader.close()
    this.writer.close()
  }
}

type FileIdentity = Pick<Stats, 'dev' | 'ino'>

/**
 * The path of the file. A file that was deleted or replaced stays open, and takes writes that nobody
 * will ever read: so the file that is open is compared with the one at the path.
 */
class Place {
  readonly path: string
  /** Before that it may be created. */
  #wasThere = false

  constructor(path: string) {
    this.path = path
  }

  /** Null before it was created; throws if it is gone. */
  identity(): FileIdentity | null {
    const found = identityAt(this.path)
    if (found) this.#wasThere = true
    else if (this.#wasThere) throw new StoreUnavailable('the file of the database is gone')
    return found
  }

  log(): FileIdentity | null {
    return identityAt(`${this.path}-wal`)
  }

  /** SQLite would put what is in the log of the old file into the new one. */
  setLogAside(log: FileIdentity | null): void {
    if (isSame(log, this.log())) renameSync(`${this.path}-wal`, `${this.path}-wal.of-replaced-file`)
  }
}

function identityAt(path: string): FileIdentity | null {
  if (path === IN_MEMORY) return null
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch (cause) {
    throw new StoreUnavailable('the file of the database cannot be reached', { cause })
  }
}

function isSame(one: FileIdentity | null, other: FileIdentity | null): boolean {
  return one !== null && other !== null && one.dev === other.dev && one.ino === other.ino
}

/** Opened when it is first needed. */
export class SqliteConnection {
  readonly #place: Place
  #connection: Database.Database | null = null
  #file: FileIdentity | null = null
  #log: FileIdentity | null = null

  constructor(place: Place) {
    this.#place = place
  }

  /** Tries again while another process holds the lock. */
  async whenFree<T>(use: (connection: Database.Database) => T): Promise<T> {
    const deadline = performance.now() + BUSY_GIVE_UP_MS
    for (let wait = 1; ; wait = Math.min(wait * 2, BUSY_MAX_WAIT_MS)) {
      try {
        return use(this.#open())
      } catch (error) {
        if (isMendedByOpening(error)) this.replace()
        if (!isBusy(error)) throw error
        if (!(error instanceof LockTaken)) this.replace()
        if (performance.now() > deadline) throw error
      }
      await sleep(wait * (0.5 + Math.random()))
    }
  }

  /** After a commit: what was written is in the file at the path. Otherwise it is not there. */
  requireInPlace(): void {
    if (!this.#isInPlace()) throw new StoreUnavailable('the file of the database was replaced')
  }

  #isInPlace(): boolean {
    if (this.#place.path === IN_MEMORY) return true
    return isSame(this.#place.identity(), this.#file)
  }

  #open(): Database.Database {
    if (this.#connection && this.#isInPlace()) return this.#connection
    this.replace()
    this.#leaveReplacedFile()
    const connection = new Database(this.#place.path)
    try {
      for (const pragma of PRAGMAS) connection.exec(`PRAGMA ${pragma}`)
    } catch (error) {
      connection.close()
      throw error
    }
    this.#connection = connection
    this.#file = this.#place.identity()
    this.#log = this.#place.log()
    return connection
  }

  /** Also if the connection to it was closed before. */
  #leaveReplacedFile(): void {
    const found = this.#place.identity()
    if (this.#file && !isSame(found, this.#file)) this.#place.setLogAside(this.#log)
  }

  /** An unfinished transaction is rolled back. */
  replace(): void {
    const connection = this.#connection
    this.#connection = null
    if (!connection) return
    if (connection.inTransaction) connection.exec('ROLLBACK')
    connection.close()
  }

  close(): void {
    this.#connection?.close()
    this.#connection = null
  }
}

/** The order of writers within one process: first come, first served, without polling the file. */
export class Turns {
  #last: Promise<void> = Promise.resolve()

  /** Resolves when it is the caller's turn, with a function that ends the turn. */
  async take(): Promise<() => void> {
    const before = this.#last
    let done = () => {}
    this.#last = new Promise((resolve) => {
      done = resolve
    })
    await before
    return done
  }
}

/** BUSY before anything was begun: the connection can be used again. */
class LockTaken extends Error {
  readonly code: string
  readonly rawCode = SQLITE_BUSY

  constructor({ message, code }: { message: string; code: string }) {
    super(message)
    this.code = code
  }
}

export function takeLock(connection: Database.Database): void {
  try {
    connection.exec('BEGIN IMMEDIATE')
  } catch (error) {
    if (rawCodeOf(error) !== SQLITE_BUSY || connection.inTransaction) throw error
    throw new LockTaken(error as { message: string; code: string })
  }
}

/**
 * On another thread: most of a commit waits for the disk, and requests go on meanwhile. Until then
 * nobody else may use the connection. The program interface with promises calls the same library.
 */
export async function commit(connection: Database.Database): Promise<void> {
  if (connection.memory) connection.exec('COMMIT')
  else await Elsewhere.prototype.exec.call(connection, 'COMMIT')
}

export function isBusy(error: unknown): boolean {
  const rawCode = rawCodeOf(error)
  return rawCode !== null && (rawCode & PRIMARY_CODE) === SQLITE_BUSY
}

function isMendedByOpening(error: unknown): boolean {
  const rawCode = rawCodeOf(error)
  return rawCode !== null && MENDED_BY_OPENING.has(rawCode & PRIMARY_CODE)
}

function rawCodeOf(error: unknown): number | null {
  const rawCode = (error as { rawCode?: unknown } | null)?.rawCode
  return typeof rawCode === 'number' ? rawCode : null
}
