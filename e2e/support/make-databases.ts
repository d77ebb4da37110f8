import { join } from 'node:path'
import pg from 'pg'
import { createOp } from '../../lib/op'
import { loadDemo } from '../../lib/operations/demo'
import { readConfig } from '../../lib/settings/config'
import { migrate } from '../../lib/store/operations/migrations'
import type { DatabasesOfRun } from './databases-of-run'
import { temporaryFolder } from './folder'
import { SECRET } from './portal'
import { createDatabase, startPostgres } from './postgres'

/**
 * A real PostgreSQL; in it and in files what every suite copies: today's tables, and the sample
 * data. Making tables, keys and password hashes takes longer than the rest of a start.
 */
export async function makeDatabases(): Promise<DatabasesOfRun & { stop(): Promise<void> }> {
  const { url, stop } = await startPostgres()
  const templates = await makeTemplates(url)
  const DATABASE_URL = await createDatabase(url, `TEMPLATE ${templates.postgres}`)
  return {
    postgresUrl: url,
    templates,
    demoTemplate: new URL(DATABASE_URL).pathname.slice(1),
    demoFolders: { sqlite: await loadDemoInto(), postgres: await loadDemoInto(DATABASE_URL) },
    stop,
  }
}

const TEMPLATE = 'gatehouse_template'

/** Migrated once; every suite copies them. */
async function makeTemplates(admin: string): Promise<DatabasesOfRun['templates']> {
  const client = new pg.Client({ connectionString: admin })
  await client.connect()
  await client.query(`CREATE DATABASE ${TEMPLATE}`)
  await client.end()
  await migrate(admin.replace(/\/postgres$/, `/${TEMPLATE}`))
  const sqlite = join(temporaryFolder(), 'template.db')
  await migrate(`file:${sqlite}`)
  return { sqlite, postgres: TEMPLATE }
}

/** Gives the data folder; without a database, that is in the folder too. */
async function loadDemoInto(databaseUrl?: string): Promise<string> {
  const DATA_DIR = temporaryFolder()
  const env = { GATEHOUSE_SECRET: SECRET, LOG_LEVEL: 'silent', DATA_DIR }
  const config = readConfig({ ...env, ...(databaseUrl && { DATABASE_URL: databaseUrl }) })
  await migrate(config.databaseUrl)
  const op = await createOp(config)
  await op.signingKey('ES256')
  await op.signingKey('RS256')
  await loadDemo(op)
  await op.close()
  return DATA_DIR
}
