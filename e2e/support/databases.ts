import { readdirSync } from 'node:fs'
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
  async sqlite() {
    const file = join(temporaryFolder(), 'gatehouse.db')
    await copyFile(inject('templates').sqlite, file)
    return `file:${file}`
  },
  postgres: () => createDatabase(inject('postgresUrl'), `TEMPLATE ${inject('templates').postgres}`),
}

/** With the sample data, for a portal that is started with --demo. */
export const demoDatabase = {
  async sqlite() {
    const folder = temporaryFolder()
    const from = demoFolders()?.sqlite
    if (from === undefined) throw new Error('no sample data: see demo-template.ts')
    for (const name of readdirSync(from).filter((one) => one.startsWith('gatehouse.db')))
      await copyFile(join(from, name), join(folder, name))
    return `file:${join(folder, 'gatehouse.db')}`
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
