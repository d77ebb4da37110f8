import type Database from 'libsql'
import type { Lane, Row, Sql, Value } from './lane'
import { SqliteClient, type Turns, takeLock, toSqlite } from './sqlite-client'

/**
 * Two connections of its own: one reads and is never within a transaction, so it sees what is
 * committed; the other writes, one transaction at a time. Statements are prepared once for each.
 */
export class SqliteLane implements Lane {
  #turns: Turns
  #reader: SqliteClient
  #writer: SqliteClient

  constructor(path: string, turns: Turns) {
    this.#turns = turns
    this.#reader = new SqliteClient(path)
    this.#writer = new SqliteClient(path)
  }

  /** Reads only: outside a transaction nothing is written here without its lock. */
  all(text: string, values: readonly Value[]): Promise<Row[]> {
    return this.#reader.whenFree((connection) => all(connection, text, values))
  }

  run(text: string, values: readonly Value[]): Promise<number> {
    return this.transaction((tx) => tx.run(text, values))
  }

  async transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T> {
    const done = await this.#turns.take()
    try {
      return await this.#locked(work)
    } finally {
      done()
    }
  }

  async #locked<T>(work: (tx: Sql) => Promise<T>): Promise<T> {
    const connection = await this.#writer.whenFree((free) => {
      takeLock(free)
      return free
    })
    try {
      const result = await work({
        all: async (text, values) => all(connection, text, values),
        run: async (text, values) => prepared(connection, text).run(bound(values)).changes,
      })
      connection.exec('COMMIT')
      return result
    } catch (error) {
      // Also its statements: one that failed half-way may not have been reset.
      this.#writer.replace()
      throw error
    }
  }

  close(): void {
    this.#reader.close()
    this.#writer.close()
  }
}

function all(connection: Database.Database, text: string, values: readonly Value[]): Row[] {
  return prepared(connection, text).all(bound(values)) as Row[]
}

function bound(values: readonly Value[]) {
  return values.map(toSqlite)
}

const statements = new WeakMap<Database.Database, Map<string, Database.Statement>>()

function prepared(connection: Database.Database, text: string): Database.Statement {
  const known = statements.get(connection) ?? new Map<string, Database.Statement>()
  statements.set(connection, known)
  const statement = known.get(text) ?? connection.prepare(text)
  known.set(text, statement)
  return statement
}
