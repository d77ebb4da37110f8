import type { Client } from '@libsql/client'
import { PrismaLibSql } from '@prisma/adapter-libsql'
import { SqliteClient } from './sqlite-client'

const FILE_SCHEME = 'file:'

export class SqliteAdapter extends PrismaLibSql {
  constructor(url: string) {
    super({ url }, { timestampFormat: 'unixepoch-ms' })
  }

  override createClient({ url }: { url: string }): Client {
    // The adapter calls execute, executeMultiple, transaction and close, and nothing else.
    return new SqliteClient(sqlitePath(url)) as unknown as Client
  }
}

export function isSqliteUrl(url: string): boolean {
  return url.startsWith(FILE_SCHEME)
}

export function sqlitePath(url: string): string {
  return isSqliteUrl(url) ? url.slice(FILE_SCHEME.length) : url
}
