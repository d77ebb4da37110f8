import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Row, Value } from './sql'

const MAX_IDLE_MS = 30_000

/**
 * One connection to PostgreSQL that many callers share. What they ask in the same moment travels
 * together, and nobody waits until the one before has its answer (pipelining). It is opened when it
 * is first used, and again after it broke.
 */
export class Pipeline {
  #options: pg.ClientConfig
  #client: Promise<pg.Client> | null = null
  #usedAt = 0

  constructor(options: pg.ClientConfig) {
    this.#options = { ...options, pipeline: true }
  }

  open(): Promise<pg.Client> {
    const idleMs = performance.now() - this.#usedAt
    this.#usedAt = performance.now()
    // A firewall or a host that was frozen may have cut it off without a word.
    if (idleMs > MAX_IDLE_MS) this.close().catch(() => {})
    if (this.#client) return this.#client
    const opening = connect(this.#options, () => {
      if (this.#client === opening) this.#client = null
    })
    this.#client = opening
    return opening
  }

  async close(): Promise<void> {
    const open = this.#client
    this.#client = null
    await (await open?.catch(() => null))?.end()
  }
}

/** Callers who still wait for an answer when the connection breaks get the error themselves. */
async function connect(options: pg.ClientConfig, lost: () => void): Promise<pg.Client> {
  const client = new pg.Client(options)
  client.on('error', lost)
  client.on('end', lost)
  try {
    await client.connect()
    return client
  } catch (error) {
    lost()
    throw error
  }
}

/** What `send` sends meanwhile is written to the socket at once. */
export function corked<T>({ connection }: pg.Client, send: () => T): T {
  connection.stream.cork()
  try {
    return send()
  } finally {
    connection.stream.uncork()
  }
}

type Queryable = Pick<pg.Pool | pg.ClientBase, 'query'>

/** `?` stands for a value. With a name, the server parses and plans the statement only once. */
export function ask(
  connection: Queryable,
  text: string,
  values: readonly Value[],
  named: boolean,
): Promise<pg.QueryResult<Row>> {
  const statement = statementOf(text)
  return connection.query<Row>({
    text: statement.text,
    ...(named && { name: statement.name }),
    values: values.map(toPostgres),
    types,
  })
}

/** `$1` for the first `?`, and so on. */
export function numbered(text: string): string {
  return statementOf(text).text
}

type Statement = { text: string; name: string }

const statements = new Map<string, Statement>()

function statementOf(text: string): Statement {
  const known = statements.get(text)
  if (known) return known
  let count = 0
  const made = text.replaceAll('?', () => {
    count += 1
    return `$${count}`
  })
  // The same text has the same name in every process, also behind a connection pooler.
  const name = `gatehouse_${createHash('sha256').update(made).digest('hex').slice(0, 24)}`
  const statement = { text: made, name }
  statements.set(text, statement)
  return statement
}

/** invalid_sql_statement_name, duplicate_prepared_statement */
const NAME_LOST = new Set(['26000', '42P05'])

/**
 * A connection pooler that does not know about prepared statements gave us another connection to the
 * server than before. Nothing was executed.
 */
export function hasLostName(error: unknown): boolean {
  return error instanceof pg.DatabaseError && NAME_LOST.has(error.code ?? '')
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
