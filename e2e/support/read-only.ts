import { spawnSync } from 'node:child_process'
import pg from 'pg'
import { sqlitePath } from '../../lib/store/database/sqlite'
import type { Kind } from './databases'

/** A database that can be read and not written, while somebody has it open. */

type ReadOnly = {
  begin(url: string): Promise<void>
  end(url: string): Promise<void>
  /** Why it cannot be tried here; null if it can. */
  obstacle(url: string): string | null
}

export const READ_ONLY: Record<Kind, ReadOnly> = {
  // Root writes to a file without permission, too. Nobody writes to one that is immutable.
  sqlite: {
    begin: async (url) => immutable('+i', url),
    end: async (url) => immutable('-i', url),
    obstacle(url) {
      const { status } = spawnSync('chattr', ['+i', sqlitePath(url)])
      spawnSync('chattr', ['-i', sqlitePath(url)])
      return status === 0 ? null : 'this machine makes no file immutable (chattr +i)'
    },
  },
  // As on a standby.
  postgres: {
    begin: (url) => settingOf(url, 'SET default_transaction_read_only = on'),
    end: (url) => settingOf(url, 'RESET default_transaction_read_only'),
    obstacle: () => null,
  },
}

function immutable(flag: '+i' | '-i', url: string): void {
  const path = sqlitePath(url)
  spawnSync('chattr', [flag, path, `${path}-wal`])
}

/** Takes effect in sessions that begin afterwards, so those that are open are ended. */
async function settingOf(url: string, change: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  const client = new pg.Client({ connectionString: url.replace(/[^/]+$/, 'postgres') })
  await client.connect()
  await client.query(`ALTER DATABASE "${name}" ${change}`)
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
    name,
  ])
  await client.end()
}
