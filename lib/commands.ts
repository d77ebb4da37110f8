import { mkdirSync } from 'node:fs'
import { newSetUpLink } from './accounts/set-up'
import { config } from './config'
import { say } from './host/console'
import { op } from './op'
import { explainStartUpError } from './start-up-error'
import { openDatabase } from './store/database'
import { migrationStatus } from './store/migration-status'
import { migrate } from './store/migrations'

/** `npm run db:migrate` and its siblings. */

const commands: Record<string, () => Promise<void>> = {
  'db migrate': async () => {
    const { databaseUrl, dataDir } = config()
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const applied = await migrate(databaseUrl)
    say(applied.length > 0 ? `applied: ${applied.join(', ')}` : 'up to date: nothing to apply')
  },
  'set-up link': async () => {
    const house = await op()
    say((await newSetUpLink(house)) ?? 'this portal has been set up: sign in')
    await house.close()
  },
  'db status': async () => {
    const { databaseUrl } = config()
    const db = await openDatabase(databaseUrl)
    const { applied, pending, unknown } = await migrationStatus(db, databaseUrl)
    await db.$disconnect()
    for (const name of applied)
      say(`applied  ${name}${unknown.includes(name) ? ' (unknown here)' : ''}`)
    for (const name of pending) say(`pending  ${name}`)
    if (unknown.length > 0) throw new Error('a newer version has migrated this database')
  },
}

const name = process.argv.slice(2).join(' ')

try {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new Error(`no such command; there are: ${Object.keys(commands).join(', ')}`)
  await command()
} catch (error) {
  process.stderr.write(`${explainStartUpError(error)}\n`)
  process.exitCode = 1
}
