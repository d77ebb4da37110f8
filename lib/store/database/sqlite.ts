import type { Client } from '@libsql/client'
import { PrismaLibSql } from '@prisma/adapter-libsql'
import type { SqlQuery } from '@prisma/driver-adapter-utils'
import { isRead, SqliteClient } from './sqlite-client'
import { SqliteFile } from './sqlite-connection'
import { copyDatabase } from './sqlite-copy'
import { SqliteSql } from './sqlite-sql'

const FILE_SCHEME = 'file:'

/** In one statement. Without being told, Prisma takes the 999 of SQLite before 3.32. */
const MAX_VALUES = 32_766

export class SqliteAdapter extends PrismaLibSql {
  readonly sql: SqliteSql
  readonly #file: SqliteFile

  constructor(url: string) {
    super({ url }, { timestampFormat: 'unixepoch-ms' })
    this.#file = new SqliteFile(sqlitePath(url))
    this.sql = new SqliteSql(this.#file)
  }

  /** Prisma's connection is locked while a transaction is open. Reads do not wait: they have another. */
  override async connect() {
    const reads = await super.connect()
    const connection = await super.connect()
    const queryRaw = connection.queryRaw.bind(connection)
    return Object.assign(connection, {
      queryRaw: (query: SqlQuery) => (isRead(query.sql) ? reads.queryRaw(query) : queryRaw(query)),
      getConnectionInfo: () => ({ maxBindValues: MAX_VALUES, supportsRelationJoins: false }),
    })
  }

  /** For a database in memory: fills it. */
  async copyFrom(path: string): Promise<void> {
    const connection = await this.#file.writer.whenFree((free) => free)
    await copyDatabase(connection, path)
  }

  /** Also of an empty database in memory, with which the migrations are compared. */
  override createClient({ url }: { url: string }): Client {
    const path = sqlitePath(url)
    const client = new SqliteClient(path === this.#file.path ? this.#file : new SqliteFile(path))
    // The adapter calls execute, executeMultiple, transaction and close, and nothing else.
    const used = {
      execute: client.execute.bind(client),
      executeMultiple: client.executeMultiple.bind(client),
      transaction: client.transaction.bind(client),
      close: client.close.bind(client),
    }
    return used as unknown as Client
  }
}

export function isSqliteUrl(url: string): boolean {
  return url.startsWith(FILE_SCHEME)
}

export function sqlitePath(url: string): string {
  return isSqliteUrl(url) ? url.slice(FILE_SCHEME.length) : url
}
