import type { Client } from '@libsql/client'
import { PrismaLibSql } from '@prisma/adapter-libsql'
import { SqliteClient, Turns } from './sqlite-client'
import { SqliteSql } from './sqlite-sql'

const FILE_SCHEME = 'file:'

/** In one statement. Without being told, Prisma takes the 999 of SQLite before 3.32. */
const MOST_VALUES = 32_766

export class SqliteAdapter extends PrismaLibSql {
  readonly sql: SqliteSql
  readonly #turns = new Turns()

  constructor(url: string) {
    super({ url }, { timestampFormat: 'unixepoch-ms' })
    this.sql = new SqliteSql(sqlitePath(url), this.#turns)
  }

  override async connect() {
    const info = { maxBindValues: MOST_VALUES, supportsRelationJoins: false }
    return Object.assign(await super.connect(), { getConnectionInfo: () => info })
  }

  override createClient({ url }: { url: string }): Client {
    const client = new SqliteClient(sqlitePath(url), this.#turns)
    // The adapter calls execute, executeMultiple, transaction and close, and nothing else.
    const used = {
      execute: client.execute.bind(client),
      executeMultiple: client.executeMultiple.bind(client),
      transaction: client.transaction.bind(client),
      close: () => {
        this.sql.close()
        client.close()
      },
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
