import type { Connection } from './connection'
import { openDatabase } from './database'
import type { PoolOptions } from './postgres'

/** For the process that serves: opened at its start and closed at its end. */
export function openConnection(url: string, options: PoolOptions): Promise<Connection> {
  return openDatabase(url, options)
}

/** Opened for one task and closed after it. */
export async function withConnection<T>(
  url: string,
  work: (db: Connection) => Promise<T>,
): Promise<T> {
  const db = await openDatabase(url)
  try {
    return await work(db)
  } finally {
    await db.$disconnect()
  }
}
