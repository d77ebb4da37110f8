import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'libsql'

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
/** Every connection to it has a database of its own. */
const IN_MEMORY = ':memory:'

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
    this.writer = new SqliteConnection(path)
    this.reader = path === IN_MEMORY ? this.writer : new SqliteConnection(path)
  }

  close(): void {
    this.reader.close()
    this.writer.close()
  }
}

/** Opened when it is first needed. */
export class SqliteConnection {
  readonly #path: string
  #connection: Database.Database | null = null

  constructor(path: string) {
    this.#path = path
  }

  /** Tries again while another process holds the lock. */
  async whenFree<T>(use: (connection: Database.Database) => T): Promise<T> {
    const deadline = performance.now() + BUSY_GIVE_UP_MS
    for (let wait = 1; ; wait = Math.min(wait * 2, BUSY_MAX_WAIT_MS)) {
      try {
        return use(this.#open())
      } catch (error) {
        if (!isBusy(error)) throw error
        if (!(error instanceof LockTaken)) this.replace()
        if (performance.now() > deadline) throw error
      }
      await sleep(wait * (0.5 + Math.random()))
    }
  }

  #open(): Database.Database {
    if (this.#connection) return this.#connection
    const connection = new Database(this.#path)
    try {
      for (const pragma of PRAGMAS) connection.exec(`PRAGMA ${pragma}`)
    } catch (error) {
      connection.close()
      throw error
    }
    this.#connection = connection
    return connection
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

export function isBusy(error: unknown): boolean {
  const rawCode = rawCodeOf(error)
  return rawCode !== null && (rawCode & PRIMARY_CODE) === SQLITE_BUSY
}

function rawCodeOf(error: unknown): number | null {
  const rawCode = (error as { rawCode?: unknown } | null)?.rawCode
  return typeof rawCode === 'number' ? rawCode : null
}
