import { newSetUpLink } from '../accounts/set-up'
import { exportConfiguration } from '../api/configuration/export'
import { applyFile, outcome } from '../api/configuration/file'
import { say } from '../base/console'
import type { Op } from '../context/op'
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '../crypto/keys'
import { op } from '../op'
import { config } from '../settings/config'
import { verifyWhole } from '../store/audit/chain'
import { withConnection } from '../store/database/open'
import { migrationStatus } from '../store/operations/migration-status'
import { migrate } from '../store/operations/migrations'
import { backUp } from './backup/backup'
import { BackupError, type Counts } from './backup/file'
import { type RestoreResult, restore } from './backup/restore'
import { sealOf } from './evidence'
import { removeFactors } from './factors'
import { fsck, fsckLines } from './fsck'
import { openDataFolder, writePrivateFile } from './private-files'
import { applyArguments, replayReport } from './replay'
import { explainStartUpError } from './start-up-error'

/** `npm run apply`, `node bin/run.mjs db migrate` and the other commands. */

type Command = (...args: string[]) => Promise<void>

const commands: Record<string, Command> = {
  'db migrate': async () => {
    const applied = await migrated()
    say(applied.length > 0 ? `applied: ${applied.join(', ')}` : 'up to date: nothing to apply')
  },
  'keys list': () =>
    withPortal(async ({ keys }) => {
      for (const key of await keys.list()) {
        say(
          `${key.alg}  ${key.state.padEnd(8)}  ${key.kid}  signs from ${key.activatesAt.toISOString()}`,
        )
      }
    }),
  'keys stage': () => withPortal((portal) => eachAlgorithm(portal, stageKey)),
  'keys rotate': (option) =>
    withPortal((portal) =>
      eachAlgorithm(portal, (one, alg) => rotateKey(one, alg, option === '--now')),
    ),
  'keys revoke': (kid = '') =>
    withPortal(async (portal) => {
      const revoked = await portal.keys.revoke(kid)
      say(
        revoked
          ? `revoked ${kid}: tokens signed with it are no longer valid`
          : `the signing key ${kid} does not exist`,
      )
      await portal.keys.list()
    }),
  'factors remove': (name = '') =>
    withPortal(async (portal) => say(await removeFactors(portal, name))),
  'audit verify': (evidence) =>
    withPortal(async (portal) => {
      const { checked, broken } = await portal.read(verifyWhole)
      if (broken)
        throw new Error(
          `broken at entry ${broken.seq} (${broken.why}), after ${checked} intact entries`,
        )
      say(`intact: ${checked} entries, none changed or removed`)
      if (evidence !== undefined) say(await sealOf(portal, evidence))
    }),
  fsck: async () => {
    const found = await fsck(config().databaseUrl)
    for (const line of fsckLines(found)) say(line)
    if (found.some(({ ids }) => ids.length > 0)) process.exitCode = 1
  },
  apply: (...args) =>
    withPortal(async (portal) => {
      const { file, dryRun, replay } = applyArguments(args)
      const options = { env: process.env, dryRun: dryRun || replay !== null }
      const lines = await applyFile(portal, file, options)
      for (const line of lines) say(line)
      const made = options.dryRun && lines.length > 0 ? ', none made (--dry-run)' : ''
      say(`${outcome(lines)}${replay ? made.replace('--dry-run', '--replay') : made}`)
      if (!replay) return
      const report = await replayReport(portal, file, replay)
      for (const line of report.lines) say(line)
      if (report.failed) process.exitCode = 1
    }),
  export: (file) =>
    withPortal(async (portal) => {
      const text = `${JSON.stringify(await exportConfiguration(portal), null, 2)}\n`
      if (file) writePrivateFile(file, text)
      else process.stdout.write(text)
    }),
  backup: async (...args) => {
    const counts = await backUp(config(), fileIn(args, 'backup'), new Date())
    say(
      `${rowsIn(counts)} in ${args[0]}: keep it as safe as the database; it can be restored only with the same GATEHOUSE_SECRET`,
    )
  },
  restore: async (...args) => {
    const how = { replace: args.includes('--replace'), moved: args.includes('--moved') }
    sayAside(openDataFolder(config()))
    sayRestored(await restore(config(), fileIn(args, 'restore'), how, new Date()))
  },
  'db set-up': () =>
    withPortal(async (portal) => {
      say((await newSetUpLink(portal)) ?? 'this portal is set up already: sign in')
    }),
  'db status': async () => {
    const { databaseUrl } = config()
    const { applied, pending, unknown } = await withConnection(databaseUrl, (db) =>
      migrationStatus(db, databaseUrl),
    )
    for (const name of applied)
      say(`applied  ${name}${unknown.includes(name) ? ' (unknown to this version)' : ''}`)
    for (const name of pending) say(`pending  ${name}`)
    if (unknown.length > 0) throw new Error('a newer version has migrated this database')
  },
}

function migrated(): Promise<string[]> {
  sayAside(openDataFolder(config()))
  return migrate(config().databaseUrl)
}

/** The standard output may be redirected into an exported file. */
function sayAside(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`${line}\n`)
}

/** As at a start: an empty database gets its tables first. */
async function withPortal(work: (portal: Op) => Promise<void>): Promise<void> {
  await migrated()
  const portal = await op()
  try {
    await work(portal)
  } finally {
    await portal.close()
  }
}

function fileIn(args: string[], verb: string): string {
  const [file] = args.filter((arg) => !arg.startsWith('--'))
  if (file) return file
  throw new BackupError(`the name of the file is missing: npm run ${verb} -- FILE`)
}

function rowsIn(counts: Counts): string {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return `${rows} rows of ${Object.keys(counts).length} tables`
}

function sayRestored({ takenAt, counts, ended }: RestoreResult): void {
  say(`${rowsIn(counts)} restored, as of ${takenAt}`)
  if (!ended) return
  const { sessions, grants, keys } = ended
  say(
    `ended, because they may have been revoked since the backup: ${sessions} sessions, ${grants} grants, ${keys} signing keys, open links, trusted devices`,
  )
  say(
    'restored as they were: passwords, second factors, secrets, roles. Rotate again what you rotated since the backup',
  )
}

async function eachAlgorithm(
  portal: Op,
  work: (portal: Op, alg: SigningAlgorithm) => Promise<string>,
): Promise<void> {
  for (const alg of SIGNING_ALGORITHMS) say(`${alg}: ${await work(portal, alg)}`)
}

async function stageKey(portal: Op, alg: SigningAlgorithm): Promise<string> {
  const key = await portal.keys.stage(alg)
  return key
    ? `published ${key.kid}, which signs from ${key.activatesAt.toISOString()}`
    : 'a key is staged already'
}

/**
 * Publishes first: a key must not sign before verifiers have seen it, unless the operator asks for
 * it.
 */
async function rotateKey(portal: Op, alg: SigningAlgorithm, atOnce: boolean): Promise<string> {
  const published = await portal.keys.stage(alg)
  if (await portal.keys.rotate(alg, atOnce)) return 'rotated'
  const when = published ? `published ${published.kid}; it` : 'the staged key'
  return `${when} begins to sign within 10 minutes (at once: npm run keys -- rotate --now)`
}

const [group = '', ...given] = process.argv.slice(2)
const [verb = 'list', ...rest] = given

process.umask(0o077)

try {
  // A command is one word with arguments, or two words.
  const [name, args] = Object.hasOwn(commands, group) ? [group, given] : [`${group} ${verb}`, rest]
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command)
    throw new Error(`unknown command; the commands are: ${Object.keys(commands).join(', ')}`)
  await command(...args)
} catch (error) {
  process.stderr.write(`${explainStartUpError(error)}\n`)
  process.exitCode = 1
}
