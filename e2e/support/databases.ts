import { randomBytes } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { temporaryFolder } from './folder'

/** With nothing in it, not even tables. */
export const emptyDatabase = {
  sqlite: async () => `file:${join(temporaryFolder(), 'gatehouse.db')}`,
  postgres: () => createPostgres(''),
}

/** With today's tables and no rows: a copy of what the migrations made once, for the whole run. */
export const freshDatabase = {
  async sqlite() {
    const file = join(temporaryFolder(), 'gatehouse.db')
    await copyFile(inject('templates').sqlite, file)
    return `file:${file}`
  },
  postgres: () => createPostgres(`TEMPLATE ${inject('templates').postgres}`),
}

async function createPostgres(how: string): Promise<string> {
  const admin = inject('postgresUrl')
  const name = `t_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: admin })
  await client.connect()
  await client.query(`CREATE DATABASE ${name} ${how}`)
  await client.end()
  return admin.replace(/\/postgres$/, `/${name}`)
}

export type Kind = keyof typeof freshDatabase
export const KINDS: Kind[] = ['sqlite', 'postgres']
