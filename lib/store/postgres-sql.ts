import pg from 'pg'
import type { Row, Sql, SqlClient, Value } from './sql'

type FindPool = () => Promise<pg.Pool | null>

/** Uses Prisma's pool, so that both share one limit. */
export class PostgresSql implements SqlClient {
  #find: FindPool

  constructor(find: FindPool) {
    this.#find = find
  }

  async all(text: string, values: readonly Value[]): Promise<Row[]> {
    return onConnection(await this.#pool()).all(text, values)
  }

  async run(text: string, values: readonly Value[]): Promise<number> {
    return onConnection(await this.#pool()).run(text, values)
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

  async #pool(): Promise<pg.Pool> {
    const pool = await this.#find()
    if (!pool) throw new Error('the database was closed')
    return pool
  }
}

type Queryable = Pick<pg.Pool | pg.PoolClient, 'query'>

function onConnection(connection: Queryable): Sql {
  const query = (text: string, values: readonly Value[]) =>
    connection.query<Row>({ text: numbered(text), values: values.map(toPostgres), types })
  return {
    all: async (text, values) => (await query(text, values)).rows,
    run: async (text, values) => (await query(text, values)).rowCount ?? 0,
  }
}

const texts = new Map<string, string>()

/** `$1` for the first `?`, and so on. */
export function numbered(text: string): string {
  const known = texts.get(text)
  if (known !== undefined) return known
  let count = 0
  const made = text.replaceAll('?', () => {
    count += 1
    return `$${count}`
  })
  texts.set(text, made)
  return made
}

/**
 * Columns are UTC without a time zone; by default the driver would use the time zone of the
 * machine.
 */
function toPostgres(value: Value): Value {
  return value instanceof Date ? value.toISOString() : value
}

const TIMESTAMP_OID = 1114

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === TIMESTAMP_OID
      ? (text: string) => new Date(`${text.replace(' ', 'T')}Z`)
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}
