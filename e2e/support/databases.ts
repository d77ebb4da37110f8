import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { temporaryFolder } from './folder'

/** A fresh, empty database of each kind. */
export const freshDatabase = {
  sqlite: async () => `file:${join(temporaryFolder(), 'gatehouse.db')}`,
  postgres: async () => {
    const admin = inject('postgresUrl')
    const name = `t_${randomBytes(6).toString('hex')}`
    const client = new pg.Client({ connectionString: admin })
    await client.connect()
    await client.query(`CREATE DATABASE ${name}`)
    await client.end()
    return admin.replace(/\/postgres$/, `/${name}`)
  },
}

export type Kind = keyof typeof freshDatabase
export const KINDS: Kind[] = ['sqlite', 'postgres']
