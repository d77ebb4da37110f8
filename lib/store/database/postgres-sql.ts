import type pg from 'pg'
import { GroupCommit } from './group-commit'
import { ask, hasLostName, Pipeline } from './pipeline'
import type { AuditedWrite, Row, Sql, SqlClient, Value } from './sql'

type FindPool = () => Promise<pg.Pool | null>

/**
 * Two connections of its own, which all requests share: one only reads, the other writes what waits
 * together (GroupCommit). Transactions with several steps use Prisma's pool.
 */
export class PostgresSql implements SqlClient {
  readonly kind = 'postgres'
  #find: FindPool
  #reader: Pipeline
  #writer: Pipeline
  #group: GroupCommit
  #names = { kept: true }

  constructor(find: FindPool, options: pg.ClientConfig) {
    this.#find = find
    this.#reader = new Pipeline(options)
    this.#writer = new Pipeline(options)
    this.#group = new GroupCommit(this.#writer, this.#names)
  }

  /** Reads only. */
  async all(text: string, values: readonly Value[]): Promise<Row[]> {
    const client = await this.#reader.open()
    try {
      return (await ask(client, text, values, this.#names.kept)).rows
    } catch (error) {
      if (!hasLostName(error)) throw error
      this.#names.kept = false
      return (await ask(client, text, values, false)).rows
    }
  }

  async first(text: string, values: readonly Value[]): Promise<Row | undefined> {
    return (await this.all(text, values))[0]
  }

  async run(text: string, values: readonly Value[]): Promise<number> {
    return onConnection(await this.#pool()).run(text, values)
  }

  async write(text: string, values: readonly Value[]): Promise<Row[]> {
    return onConnection(await this.#pool()).all(text, values)
  }

  audited(write: AuditedWrite): Promise<boolean> {
    return this.#group.write(write)
  }

  async transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T> {
    const connection = await (await this.#pool()).connect()
    try {
      await connection.query('BEGIN')
      const result = await work(onConnection(connection))
      await connection.query('COMMIT')
      connection.release()
      return result
    } catch (error) {
      // Closed and not used again: an unfinished transaction is rolled back.
      connection.release(true)
      throw error
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#reader.close(), this.#writer.close()])
  }

  async #pool(): Promise<pg.Pool> {
    const pool = await this.#find()
    if (!pool) throw new Error('the database was closed')
    return pool
  }
}

function onConnection(connection: Pick<pg.Pool | pg.PoolClient, 'query'>): Sql {
  return {
    all: async (text, values) => (await ask(connection, text, values, false)).rows,
    run: async (text, values) => (await ask(connection, text, values, false)).rowCount ?? 0,
  }
}
