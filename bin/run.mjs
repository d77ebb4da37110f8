// npm run db:migrate and the like: prepares, then runs one command of lib/commands.ts.
import { bundle, main, prepare, ROOT } from './setup.mjs'

await main(async () => {
  const [group, command, option, ...rest] = process.argv.slice(2)
  await prepare()
  if (`${group} ${command} ${option}` === 'db migrate create') await createMigration(rest)
  else await runCommand()
})

async function runCommand() {
  await bundle()
  await import('../dist/commands.js')
}

/** Needs the test database, so it lives with the tests and not in the portal's own bundle. */
async function createMigration(args) {
  await bundle({ 'new-migration': 'e2e/support/new-migration.ts' })
  process.argv = [...process.argv.slice(0, 2), ...args]
  process.chdir(ROOT)
  await import('../dist/new-migration.js')
}
