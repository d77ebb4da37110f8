import type { Op } from '../../context/op'
import { applyApis } from './apis'
import { applyApplications } from './applications'
import { applyModel } from './model'
import { operator } from './operator'
import { applyAssignments, applyGroups, applyUsers } from './people'
import { type Configuration, ConfigurationError, PRUNED, type SecretReference } from './schema'
import { applySettings, applyWebhooks } from './settings'
import type { Work } from './work'

/**
 * Makes a portal be what a document says, through the API's own routes, in one transaction. What the
 * document does not name stays, unless it asks for that kind to be pruned.
 */

type Options = { env: Readonly<Record<string, string | undefined>>; dryRun: boolean }

class TakenBack extends Error {}

/** One line for each change; none: there was nothing to do. */
export async function applyConfiguration(
  op: Op,
  configuration: Configuration,
  { env, dryRun }: Options,
): Promise<string[]> {
  const lines: string[] = []
  try {
    await op.inOneTransaction(async (inside) => {
      await applyAll(workOn(inside, configuration, env, lines))
      // A dry run does everything, so it also finds everything that is wrong.
      if (dryRun) throw new TakenBack()
    })
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error
  }
  return lines
}

function workOn(op: Op, wanted: Configuration, env: Options['env'], lines: string[]): Work {
  const { prune } = wanted
  const pruned = new Set<string>(prune === true ? PRUNED : prune)
  return {
    op,
    api: operator(op),
    wanted,
    prunes: (kind) => pruned.has(kind),
    say: (line) => lines.push(line),
    secretOf({ env: name }: SecretReference) {
      const value = env[name]
      if (value) return value
      throw new ConfigurationError(`${name} is not set: the document takes a secret from it`)
    },
  }
}

/** Each pair in turn: what has to be there first is made first, and goes last. */
async function applyAll(work: Work): Promise<void> {
  const pruneModel = await applyModel(work)
  const pruneUsers = await applyUsers(work)
  const pruneGroups = await applyGroups(work)
  const pruneApplications = await applyApplications(work)
  await applyApis(work)
  await applyAssignments(work)
  await applyWebhooks(work)
  await applySettings(work)
  await pruneApplications()
  await pruneGroups()
  await pruneUsers()
  await pruneModel()
}
