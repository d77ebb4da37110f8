import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drift } from '../../lib/store/operations/migrations'
import { startPostgres } from './postgres'

/** `node bin/run.mjs db create NAME`: what leads from the migrations to the models, for both databases. */

const name = process.argv[2] ?? ''
if (!/^[a-z][a-z0-9_]*$/.test(name))
  throw new Error('give the migration a name such as add_webhooks')

const stamp = new Date().toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)
const postgres = await startPostgres()
try {
  await write('sqlite', 'file::memory:')
  await write('postgres', postgres.url)
} finally {
  await postgres.stop()
}

async function write(provider: string, url: string): Promise<void> {
  const sql = await drift(url)
  if (sql === '') {
    console.log(`${provider}: the migrations and the models agree`)
    return
  }
  const folder = join('prisma/migrations', provider, `${stamp}_${name}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'migration.sql'), sql)
  console.log(`${provider}: wrote ${folder}/migration.sql; read it before you commit it`)
}
