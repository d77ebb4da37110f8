import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Op } from '../../context/op'
import { sentenceOf } from '../../i18n/error-message'
import { firstMistakeIn } from '../../i18n/zod-error-message'
import type { Changes } from '../../store/policy/policy-version'
import { applyApis } from './apis'
import { applyApplications } from './applications'
import { applyModel } from './model'
import { type AppliedBy, operator } from './operator'
import { applyAssignments, applyGroups, applyUsers } from './people'
import { applyRequestRules } from './request-rules'
import { type Configuration, ConfigurationError, PRUNED } from './schema'
import { applySettings, applyWebhooks } from './settings'
import type { ApplyContext } from './work'

/**
 * Changes a portal to match a configuration file, through the operations of the API. What the file
 * does not name stays, unless the file says `prune`.
 *
 * The whole file is rehearsed first, so a mistake anywhere in it changes nothing. Then each change is
 * a transaction of its own, because sign-ins would wait for one that is as long as the file. If that
 * stops in the middle, what was done stays, and applying the file again does the rest.
 */

type Environment = Readonly<Record<string, string | undefined>>

type Options = {
  /** Null: the document was sent to the portal, and must not read variables of its process. */
  env: Environment | null
  dryRun: boolean
  /** Sees the portal as it is after a dry run, before everything is taken back. */
  look?(inside: Op, changed: Changes | null): Promise<void>
  /** The operator, unless somebody else is named: each change is checked and recorded as theirs. */
  by?: AppliedBy
}

/** One line for each change; empty if nothing was to be done. */
export async function applyConfiguration(
  op: Op,
  configuration: Configuration,
  { dryRun, look, ...options }: Options,
): Promise<string[]> {
  const rehearsed: string[] = []
  await op.rehearse(async (inside, changed) => {
    await applyAll(workOn(inside, configuration, options, rehearsed))
    await look?.(inside, changed())
  })
  if (dryRun || rehearsed.length === 0) return rehearsed
  return performAll(op, configuration, options)
}

const TRIES = 3

/** What was done by a try that the database interrupted is found done by the next. */
async function performAll(
  op: Op,
  configuration: Configuration,
  options: Omit<Options, 'dryRun' | 'look'>,
): Promise<string[]> {
  const lines = new Set<string>()
  for (let tries = 1; ; tries += 1) {
    const said: string[] = []
    try {
      await applyAll(workOn(unhurried(op), configuration, options, said))
      for (const line of said) lines.add(line)
      return [...lines]
    } catch (error) {
      for (const line of said) lines.add(line)
      if (tries === TRIES || !op.isUnavailable(error)) throw interrupted(error)
    }
  }
}

const WORKS_MS = 40
const RESTS_MS = 20

/**
 * Other processes ask for the lock of a SQLite file again and again, at most 18 ms apart: now and
 * then it is free for longer than that. PostgreSQL lets them in by itself.
 */
function unhurried(op: Op): Op {
  if (op.databaseKind !== 'sqlite') return op
  let restedAt = performance.now()
  const rest = async () => {
    if (performance.now() - restedAt < WORKS_MS) return
    await sleep(RESTS_MS)
    restedAt = performance.now()
  }
  return {
    ...op,
    write: async (work) => rest().then(() => op.write(work)),
    changePolicy: async (work, touched) => rest().then(() => op.changePolicy(work, touched)),
  }
}

/** Somebody else has changed the same objects since the rehearsal. */
function interrupted(error: unknown): unknown {
  if (!(error instanceof ConfigurationError)) return error
  const message = `${error.message} What was done before this stays: apply the document again.`
  return new ConfigurationError(message, { cause: error.cause })
}

function workOn(
  op: Op,
  wanted: Configuration,
  { env, by }: Omit<Options, 'dryRun' | 'look'>,
  lines: string[],
): ApplyContext {
  const { prune } = wanted
  const pruned = new Set<string>(prune === true ? PRUNED : prune)
  return {
    op,
    api: operator(op, by),
    wanted,
    prunes: (kind) => pruned.has(kind),
    say: (line) => lines.push(line),
    secretOf: ({ env: name }, rule) => secretIn(env, name, rule),
  }
}

/** The value of a variable is never in a message. */
function secretIn(env: Options['env'], name: string, rule: z.ZodType<string> = z.string()): string {
  if (env === null) {
    throw new ConfigurationError(
      `${name}: a document that is sent to the portal cannot take a secret from a variable; leave the secret out and create it afterwards, or use npm run apply`,
    )
  }
  const value = env[name]
  if (!value) {
    throw new ConfigurationError(
      `${name} is not set: the configuration file takes a secret from it`,
    )
  }
  const checked = rule.safeParse(value)
  if (checked.success) return value
  throw new ConfigurationError(`${name}: ${sentenceOf(firstMistakeIn(checked.error))}`)
}

/** In the order of dependencies; removals in the reverse order. */
async function applyAll(work: ApplyContext): Promise<void> {
  const pruneModel = await applyModel(work)
  const pruneUsers = await applyUsers(work)
  const pruneGroups = await applyGroups(work)
  const pruneApplications = await applyApplications(work)
  await applyApis(work)
  await applyAssignments(work)
  await applyRequestRules(work)
  await applyWebhooks(work)
  await applySettings(work)
  await pruneApplications()
  await pruneGroups()
  await pruneUsers()
  await pruneModel()
}
