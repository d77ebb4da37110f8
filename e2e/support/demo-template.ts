import type { TestProject } from 'vitest/node'
import { createOp } from '../../lib/op'
import { loadDemo } from '../../lib/operations/demo'
import { readConfig } from '../../lib/settings/config'
import { migrate } from '../../lib/store/operations/migrations'
import { DEMO_TEMPLATES } from './demo-folders'
import { temporaryFolder } from './folder'
import { SECRET } from './portal'
import { createDatabase } from './postgres'

/**
 * The sample data, loaded once for the whole run. Every portal that a test starts with --demo begins
 * with a copy: making tables, keys and password hashes takes longer than the rest of a start. A test
 * of the first start names a DATA_DIR of its own.
 */

declare module 'vitest' {
  interface ProvidedContext {
    demoTemplate: string
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const { postgresUrl, templates } = project.getProvidedContext()
  const DATABASE_URL = await createDatabase(postgresUrl, `TEMPLATE ${templates.postgres}`)
  const folders = { sqlite: await loadInto(), postgres: await loadInto(DATABASE_URL) }
  project.provide('demoTemplate', new URL(DATABASE_URL).pathname.slice(1))
  // Workers are started after this and get the environment of this process.
  process.env[DEMO_TEMPLATES] = JSON.stringify(folders)
}

/** Gives the data folder; without a database, that is in the folder too. */
async function loadInto(databaseUrl?: string): Promise<string> {
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
