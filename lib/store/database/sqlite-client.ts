import type Database from 'libsql'
import { pauseIfLong } from '../../access/turns'
import { failpoint } from '../../base/failpoint'
import { commit, type SqliteConnection, type SqliteFile, takeLock } from './sqlite-connection'

/**
 * A SQLite file, as the Prisma adapter wants to see it. Statements run on the thread that answers
 * requests: whoever runs many of them pauses in between.
 */

const READS = /^\s*(SELECT|EXPLAIN)\b/i
const PRAGMA = /^\s*PRAGMA\b/i

type Argument = null | string | number | bigint | boolean | ArrayBuffer | Uint8Array | Date
type Statement = { sql: string; args: Argument[] }
type ResultSet = {
  columns: string[]
  columnTypes: string[]
  rows: unknown[][]
  rowsAffected: number
}

export class SqliteClient {
  readonly #file: SqliteFile

  constructor(file: SqliteFile) {
    this.#file = file
  }

  async execute(statement: Statement): Promise<ResultSet> {
    await pauseIfLong()
    const { reader, writer, turns } = this.#file
    if (isRead(statement.sql)) return reader.whenFree((free) => run(free, statement))
    const done = await turns.take()
    return perform(statement, writer).finally(done)
  }

  /** A migration script: all or nothing. */
  executeMultiple(script: string): Promise<void> {
    return this.#file.writer.whenFree((connection) => {
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
    const { writer, turns } = this.#file
    const done = await turns.take()
    try {
      const connection = await writer.whenFree((free) => {
        takeLock(free)
        return free
      })
      return new SqliteTransaction(connection, writer, done)
    } catch (error) {
      done()
      throw error
    }
  }

  close(): void {
    this.#file.close()
  }
}

class SqliteTransaction {
  readonly #connection: Database.Database
  readonly #writer: SqliteConnection
  readonly #done: () => void
  #ended = false

  constructor(connection: Database.Database, writer: SqliteConnection, done: () => void) {
    this.#connection = connection
    this.#writer = writer
    this.#done = done
  }

  async execute(statement: Statement): Promise<ResultSet> {
    await pauseIfLong()
    // It may have been rolled back meanwhile; the connection is then somebody else's.
    if (this.#ended) throw new Error('the transaction has ended')
    return run(this.#connection, statement)
  }

  async commit(): Promise<void> {
    this.#ended = true
    try {
      await commit(this.#connection)
      this.#writer.requireInPlace()
    } catch (error) {
      this.#writer.replace()
      throw error
    } finally {
      this.#done()
    }
  }

  async rollback(): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    try {
      rollBack(this.#connection)
    } finally {
      this.#done()
    }
  }
}

export function isRead(sql: string): boolean {
  return READS.test(sql)
}

async function perform(statement: Statement, writer: SqliteConnection): Promise<ResultSet> {
  if (PRAGMA.test(statement.sql)) return writer.whenFree((free) => run(free, statement))
  const { connection, result } = await writer.whenFree((free) => {
    takeLock(free)
    return { connection: free, result: runOrRollBack(free, statement) }
  })
  try {
    await commit(connection)
    writer.requireInPlace()
    return result
  } catch (error) {
    writer.replace()
    throw error
  }
}

function runOrRollBack(connection: Database.Database, statement: Statement): ResultSet {
  try {
    return run(connection, statement)
  } catch (error) {
    rollBack(connection)
    throw error
  }
}

/** Without effect if the transaction has ended. */
function rollBack(connection: Database.Database): void {
  if (connection.open && connection.inTransaction) connection.exec('ROLLBACK')
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
