import type { TestProject } from 'vitest/node'
import { DEMO_TEMPLATES } from './demo-folders'
import { startPortal } from './portal'
import { createDatabase } from './postgres'

/**
 * The sample data, loaded once for the whole run by the built portal itself. Every portal that a
 * test starts with --demo begins with a copy: making tables, keys and password hashes takes longer
 * than the rest of a start. A test of the first start names a DATA_DIR of its own.
 */

declare module 'vitest' {
  interface ProvidedContext {
    demoTemplate: string
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const { postgresUrl, templates } = project.getProvidedContext()
  const DATABASE_URL = await createDatabase(postgresUrl, `TEMPLATE ${templates.postgres}`)
  const sqlite = await startPortal({ args: ['--demo'] })
  const postgres = await startPortal({ args: ['--demo'], env: { DATABASE_URL } })
  await sqlite.stop()
  await postgres.stop()
  project.provide('demoTemplate', new URL(DATABASE_URL).pathname.slice(1))
  const folders = { sqlite: sqlite.dataDir, postgres: postgres.dataDir }
  // Workers are started after this and get the environment of this process.
  process.env[DEMO_TEMPLATES] = JSON.stringify(folders)
}
