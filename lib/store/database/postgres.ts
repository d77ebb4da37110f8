import { randomBytes } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  type ColumnType,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import type pg from 'pg'

/** Beside the two connections of plain SQL, which requests share. */
const POOL_SIZE = 10
const MIN_POOL = 4
/** Of all workers together; a PostgreSQL of its own allows 100. */
const PORTAL_CONNECTIONS = 60
const CONNECT_TIMEOUT_MS = 5_000
const IDLE_TIMEOUT_MS = 30_000
const QUERY_TIMEOUT_MS = 10_000

export type PoolOptions = {
  /** For work that may take long. */
  longestQueryMs?: number
  /** How many processes of this portal have a pool of their own. */
  workers?: number
}

/** Each worker has fewer connections if there are many of them. */
export function poolSize(workers: number): number {
  const share = Math.floor(PORTAL_CONNECTIONS / workers)
  return Math.max(MIN_POOL, Math.min(POOL_SIZE, share))
}

/** Transactions of plain SQL share its pool. */
export class PostgresAdapter extends PrismaPg {
  #pool: pg.Pool | null = null
  #close: () => Promise<void> = async () => {}
  readonly clientOptions: pg.ClientConfig

  constructor(url: string, { longestQueryMs = QUERY_TIMEOUT_MS, workers = 1 }: PoolOptions = {}) {
    // If the server vanishes silently, a request must not hang for minutes.
    const options = {
      ...poolOptions(url),
      max: poolSize(workers),
      query_timeout: longestQueryMs,
    }
    super(options)
    this.clientOptions = options
  }

  override async connect() {
    const adapter = await super.connect()
    this.#pool = adapter.underlyingDriver()
    const dispose = adapter.dispose.bind(adapter)
    adapter.dispose = async () => {
      await this.#close()
      await dispose()
    }
    return adapter
  }

  /** What else is closed when the client is disconnected. */
  onClose(close: () => Promise<void>): void {
    this.#close = close
  }

  /** Null if there is none: it was not used yet, or the client was disconnected. */
  openPool(): pg.Pool | null {
    return this.#pool && !this.#pool.ending ? this.#pool : null
  }
}

function poolOptions(url: string) {
  return {
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    application_name: 'gatehouse',
    keepAlive: true,
  }
}

/**
 * For migrations: the standard adapter splits a script at every semicolon, also inside a function
 * body, and runs the parts one by one. Sent as one message, they are one transaction in PostgreSQL.
 */
export function wholeScriptPostgres(url: string): SqlMigrationAwareDriverAdapterFactory {
  const factory = new PrismaPg(poolOptions(url))
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: () => connectWhole(url),
    connectToShadowDb: () => connectToShadow(url),
  }
}

async function connectWhole(url: string): Promise<SqlDriverAdapter> {
  // Without the query timeout: a migration may take long.
  const adapter = await new PrismaPg(poolOptions(url)).connect()
  const pool: Queryable = adapter.underlyingDriver()
  const query = pool.query.bind(pool)
  const queryRaw = adapter.queryRaw.bind(adapter)
  pool.query = async (asked) => hideChar(await query(asked))
  adapter.queryRaw = async (asked) => {
    const result = await queryRaw(asked)
    return { ...result, columnTypes: result.columnTypes.map(revealChar) }
  }
  adapter.executeScript = async (script) => {
    await query(script)
  }
  return adapter
}

/**
 * The engine's catalogue queries select PostgreSQL's internal "char" type, which the adapter
 * refuses. So such a column is passed through the adapter as a uuid, which no catalogue uses.
 */
const CHAR_OID = 18
const UUID_OID = 2950

type Queryable = { query(asked: unknown): Promise<{ fields?: { dataTypeID: number }[] }> }

function hideChar(result: Awaited<ReturnType<Queryable['query']>>) {
  for (const field of result.fields ?? []) {
    if (field.dataTypeID === CHAR_OID) field.dataTypeID = UUID_OID
  }
  return result
}

function revealChar(type: ColumnType): ColumnType {
  return type === ColumnTypeEnum.Uuid ? ColumnTypeEnum.Character : type
}

/** A scratch database that is dropped after the engine has used it. */
async function connectToShadow(url: string): Promise<SqlDriverAdapter> {
  const name = `gatehouse_shadow_${randomBytes(6).toString('hex')}`
  const home = await new PrismaPg(poolOptions(url)).connect()
  const pool: Queryable = home.underlyingDriver()
  await pool.query(`CREATE DATABASE "${name}"`)
  const shadow = await connectWhole(withDatabase(url, name))
  const dispose = shadow.dispose.bind(shadow)
  shadow.dispose = async () => {
    await dispose()
    await pool.query(`DROP DATABASE "${name}" WITH (FORCE)`)
    await home.dispose()
  }
  return shadow
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
