import type { TestProject } from 'vitest/node'
import { DEMO_TEMPLATES, type DemoFolders } from './demo-folders'

/**
 * What the tests of a run copy their databases from. `npm test` makes it once for all its parts;
 * a part that is run by hand makes its own.
 */

/** Set by bin/test/databases.mjs. */
const GIVEN = 'E2E_DATABASES'

export type DatabasesOfRun = {
  postgresUrl: string
  templates: { sqlite: string; postgres: string }
  /** The name of a database with the sample data. */
  demoTemplate: string
  demoFolders: DemoFolders
}

declare module 'vitest' {
  interface ProvidedContext extends Omit<DatabasesOfRun, 'demoFolders'> {}
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { demoFolders, stop, ...rest } = givenDatabases() ?? (await makeOwn())
  project.provide('postgresUrl', rest.postgresUrl)
  project.provide('templates', rest.templates)
  project.provide('demoTemplate', rest.demoTemplate)
  // Workers are started after this and get the environment of this process.
  process.env[DEMO_TEMPLATES] = JSON.stringify(demoFolders)
  return stop
}

function givenDatabases() {
  const text = process.env[GIVEN]
  if (text === undefined) return null
  const given: DatabasesOfRun = JSON.parse(text)
  return { ...given, stop: async () => {} }
}

/** It loads half of the portal: only where nothing is given. */
async function makeOwn() {
  const { makeDatabases } = await import('./make-databases')
  return makeDatabases()
}
