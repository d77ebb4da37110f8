import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { temporaryFolder } from './folder'
import { createDatabase } from './postgres'

/** With nothing in it, not even tables. */
export const emptyDatabase = {
  sqlite: async () => `file:${join(temporaryFolder(), 'gatehouse.db')}`,
  postgres: () => createDatabase(inject('postgresUrl')),
}

/** With today's tables and no rows: a copy of what the migrations made once, for the whole run. */
export const freshDatabase = {
  async sqlite() {
    const file = join(temporaryFolder(), 'gatehouse.db')
    await copyFile(inject('templates').sqlite, file)
    return `file:${file}`
  },
  postgres: () => createDatabase(inject('postgresUrl'), `TEMPLATE ${inject('templates').postgres}`),
}

export type Kind = keyof typeof freshDatabase
export const KINDS: Kind[] = ['sqlite', 'postgres']
