import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { demoFolders } from './demo-folders'
import { temporaryFolder } from './folder'
import { createDatabase } from './postgres'

/** With nothing in it, not even tables. */
export const emptyDatabase = {
  sqlite: async () => `file:${join(temporaryFolder(), 'gatehouse.db')}`,
  postgres: () => createDatabase(inject('postgresUrl')),
}

/** With today's tables and no rows: a copy of what the migrations made once, for the whole run. */
export const freshDatabase = {
  sqlite: () => copyOf(inject('templates').sqlite),
  postgres: () => createDatabase(inject('postgresUrl'), `TEMPLATE ${inject('templates').postgres}`),
}

/** With its log, into which SQLite writes first: a closed connection may not have emptied it yet. */
async function copyOf(template: string): Promise<string> {
  const file = join(temporaryFolder(), 'gatehouse.db')
  const ends = ['', '-wal', '-shm'].filter((end) => existsSync(template + end))
  await Promise.all(ends.map((end) => copyFile(template + end, file + end)))
  return `file:${file}`
}

/** With the sample data, for a portal that is started with --demo. */
export const demoDatabase = {
  async sqlite() {
    const from = demoFolders()?.sqlite
    if (from === undefined) throw new Error('no sample data: see databases-of-run.ts')
    return copyOf(join(from, 'gatehouse.db'))
  },
  postgres: () => createDatabase(inject('postgresUrl'), `TEMPLATE ${inject('demoTemplate')}`),
}

export type Kind = keyof typeof freshDatabase
export const KINDS: Kind[] = ['sqlite', 'postgres']

/**
 * For what does not depend on the database: the suites of lib/store and of the protocol run on both,
 * so one is enough here. THOROUGH=1 runs everything on both.
 */
export function usually(kind: Kind): Kind[] {
  return process.env.THOROUGH === '1' ? KINDS : [kind]
}
