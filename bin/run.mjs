// npm run apply, npm run export and others, node bin/run.mjs db ...: prepares, then runs one
// command of lib/operations/commands.ts.
import { bundle, main, prepare, prepareTests, ROOT } from './setup.mjs'

await main(async () => {
  const [group, command, ...rest] = process.argv.slice(2)
  // An export may go to the standard output, so nothing else is written there.
  if (group === 'export') console.log = console.error
  if (`${group} ${command}` === 'db create') await createMigration(rest)
  else await runCommand()
})

async function runCommand() {
  await prepare()
  await bundle()
  await import('../dist/commands.js')
}

/** Needs the test database, so it is part of the tests and not of the portal's own bundle. */
async function createMigration(args) {
  await prepareTests()
  await bundle({ 'new-migration': 'e2e/support/new-migration.ts' })
  process.argv = [...process.argv.slice(0, 2), ...args]
  process.chdir(ROOT)
  await import('../dist/new-migration.js')
}
