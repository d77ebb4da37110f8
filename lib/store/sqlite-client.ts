import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'libsql'
import { failpoint } from '../base/failpoint'

/**
 * One SQLite connection, as the Prisma adapter wants to see it.
 *
 * The stock libsql client loses writes: a statement that returns rows and meets SQLITE_BUSY is never
 * reset, its connection stays inside a transaction that nobody ends, and later writes report success
 * without reaching the file. Here every write first takes the lock with BEGIN IMMEDIATE, which fails
 * cleanly and is tried again; a connection that any other statement left in the middle of something
 * is replaced; a commit that fails is rolled back.
 */

const BUSY_GIVE_UP_MS = 5_000
const BUSY_LONGEST_WAIT_MS = 12
/** The page cache: up to 16 MB of the file, as needed; 2 MB would be enough for a small one. */
const PRAGMAS = ['journal_mode=WAL', 'synchronous=FULL', 'foreign_keys=ON', 'cache_size=-16384']
const READS = /^\s*(SELECT|PRAGMA|EXPLAIN)\b/i
const PRIMARY_CODE = 0xff
const SQLITE_BUSY = 5

/**
 * For programs beside the portal that open its file in the same process. Two copies of the library
 * do not see each other’s locks, and bench/ may have one of its own.
 */
export const Sqlite = Database

export type Argument = null | string | number | bigint | boolean | ArrayBuffer | Uint8Array | Date
type Statement = { sql: string; args: Argument[] }
type ResultSet = {
  columns: string[]
  columnTypes: string[]
  rows: unknown[][]
  rowsAffected: number
}

export class SqliteClient {
  #path: string
  #turns: Turns
  #connection: Database.Database | null = null

  /** `turns`: shared by the connections of one process that write to the same file. */
  constructor(path: string, turns: Turns = new Turns()) {
    this.#path = path
    this.#turns = turns
  }

  async execute(statement: Statement): Promise<ResultSet> {
    if (READS.test(statement.sql)) return this.whenFree((connection) => run(connection, statement))
    const done = await this.#turns.take()
    return this.whenFree((connection) => runLocked(connection, statement)).finally(done)
  }

  /** A migration script: all or nothing. */
  executeMultiple(script: string): Promise<void> {
    return this.whenFree((connection) => {
      connection.exec('PRAGMA foreign_keys=OFF')
      try {
        connection.exec(`BEGIN IMMEDIATE;\n${script}`)
        failpoint('migration:uncommitted')
        connection.exec('COMMIT')
      } finally {
        if (connection.inTransaction) connection.exec('ROLLBACK')
        connection.exec('PRAGMA foreign_keys=ON')
      }
    })
  }

  async transaction(): Promise<SqliteTransaction> {
    const done = await this.#turns.take()
    try {
      const connection = await this.whenFree((free) => {
        takeLock(free)
        return free
      })
      return new SqliteTransaction(connection, () => this.replace(), done)
    } catch (error) {
      done()
      throw error
    }
  }

  close(): void {
    this.#connection?.close()
    this.#connection = null
  }

  /** Tries again while another process holds the lock. */
  async whenFree<T>(use: (connection: Database.Database) => T): Promise<T> {
    const deadline = performance.now() + BUSY_GIVE_UP_MS
    for (let wait = 1; ; wait = Math.min(wait * 2, BUSY_LONGEST_WAIT_MS)) {
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
}

class SqliteTransaction {
  #connection: Database.Database
  #replace: () => void
  #done: () => void

  constructor(connection: Database.Database, replace: () => void, done: () => void) {
    this.#connection = connection
    this.#replace = replace
    this.#done = done
  }

  async execute(statement: Statement): Promise<ResultSet> {
    return run(this.#connection, statement)
  }

  async commit(): Promise<void> {
    try {
      this.#connection.exec('COMMIT')
    } catch (error) {
      this.#replace()
      throw error
    } finally {
      this.#done()
    }
  }

  async rollback(): Promise<void> {
    try {
      if (this.#connection.open && this.#connection.inTransaction) this.#connection.exec('ROLLBACK')
    } finally {
      this.#done()
    }
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

function runLocked(connection: Database.Database, statement: Statement): ResultSet {
  takeLock(connection)
  try {
    const result = run(connection, statement)
    connection.exec('COMMIT')
    return result
  } finally {
    if (connection.inTransaction) connection.exec('ROLLBACK')
  }
}

function run(connection: Database.Database, { sql, args }: Statement): ResultSet {
  const statement = connection.prepare(sql)
  const bound = args.map(toSqlite)
  if (!statement.reader) {
    return { columns: [], columnTypes: [], rows: [], rowsAffected: statement.run(bound).changes }
  }
  const described = statement.columns()
  // `safeIntegers` and `raw`: exact 64-bit integers, rows as arrays.
  const rows = statement.safeIntegers(true).raw(true).all(bound) as unknown[][]
  return {
    columns: described.map((column) => column.name),
    columnTypes: described.map((column) => column.type ?? ''),
    rows: rows.map((row) => row.map(fromSqlite)),
    rowsAffected: 0,
  }
}

export function toSqlite(value: Argument): null | string | number | bigint | Buffer {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.getTime()
  if (value instanceof ArrayBuffer) return Buffer.from(value)
  if (value instanceof Uint8Array) return Buffer.from(value)
  return value
}

function fromSqlite(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (Buffer.isBuffer(value)) return new Uint8Array(value).buffer
  return value
}

export function isBusy(error: unknown): boolean {
  const rawCode = rawCodeOf(error)
  return rawCode !== null && (rawCode & PRIMARY_CODE) === SQLITE_BUSY
}

function rawCodeOf(error: unknown): number | null {
  const rawCode = (error as { rawCode?: unknown } | null)?.rawCode
  return typeof rawCode === 'number' ? rawCode : null
}
