import { onceFor } from '../../base/once-for'
import type { WantedSubjects } from '../../oidc/provider'
import { reaching } from '../database/unavailable'
import { type ModelSnapshot, type PortalSnapshot, withoutSubjects, withSubjects } from './snapshot'
import type { SubjectCache } from './subject-cache'
import { nameOf, type SubjectEntry, type SubjectKind } from './subjects'

/**
 * The model together with the subjects that a caller wants, all as of one policy version: a
 * decision must not mix old assignments with new roles.
 */

export type Models = {
  fresh(): Promise<ModelSnapshot>
  /** The one whose changes the cache has seen; null before the first. */
  kept(): ModelSnapshot | null
  /** The next `fresh` reads the version again. */
  outdated(): void
}

type Asked = { kind: SubjectKind; id: string; name: string }

/** Under a steady stream of changes the last attempt is used. */
const TRIES = 8

export async function withWanted(
  models: Models,
  subjects: SubjectCache,
  wanted: WantedSubjects = {},
): Promise<PortalSnapshot> {
  const asked = askedIn(wanted)
  const snapshot = await models.fresh()
  if (asked.length === 0) return bare(snapshot)
  const cached = asked.map(({ name }) => subjects.get(name))
  const isWhole = cached.every((entry) => isOf(snapshot, models, entry))
  if (isWhole) return joined(snapshot, asked, cached)
  return reading(models, subjects, asked)
}

/** A cached entry belongs to every version from its own to the last one that the cache has seen. */
function isOf(
  { version }: ModelSnapshot,
  models: Models,
  entry: SubjectEntry | undefined,
): entry is SubjectEntry {
  return entry !== undefined && entry.asOf <= version && version <= seenBy(models)
}

async function reading(
  models: Models,
  subjects: SubjectCache,
  asked: readonly Asked[],
): Promise<PortalSnapshot> {
  for (let tries = 1; ; tries += 1) {
    const entries = await reaching(subjects.find(asked, () => seenBy(models)))
    const newest = Math.max(...entries.map(({ asOf }) => asOf))
    if (newest > seenBy(models)) models.outdated()
    const snapshot = await models.fresh()
    const isWhole = entries.every((entry, at) =>
      entry === subjects.get(asked[at]?.name ?? '')
        ? isOf(snapshot, models, entry)
        : entry.asOf === snapshot.version,
    )
    if (isWhole || tries === TRIES) return joined(snapshot, asked, entries)
  }
}

/** The version of the last change that the cache has seen. */
function seenBy(models: Models): number {
  return models.kept()?.version ?? -1
}

function askedIn({ clients = [], users = [] }: WantedSubjects): Asked[] {
  const asked: Asked[] = []
  for (const id of onlyOnce(clients)) asked.push({ kind: 'client', id, name: nameOf('client', id) })
  for (const id of onlyOnce(users)) asked.push({ kind: 'user', id, name: nameOf('user', id) })
  return asked
}

/** Most requests want one client, several times: a set for each took longer than the rest. */
function onlyOnce(ids: readonly string[]): Iterable<string> {
  return ids.length > 1 ? new Set(ids) : ids
}

const bare = onceFor(withoutSubjects)

/**
 * Most requests want one client: their snapshot is made once for each change of the model. Not that
 * of a user, of whom there are too many.
 */
const madeOf = new WeakMap<SubjectEntry, { from: ModelSnapshot; made: PortalSnapshot }>()

function joined(
  from: ModelSnapshot,
  asked: readonly Asked[],
  entries: readonly SubjectEntry[],
): PortalSnapshot {
  const [first] = entries
  const only = entries.length === 1 && first?.kind === 'client' ? first : null
  const known = only && madeOf.get(only)
  if (known?.from === from) return known.made
  const made = withSubjects(
    from,
    entries.map((entry, at) => [asked[at]?.id ?? '', entry]),
  )
  if (only) madeOf.set(only, { from, made })
  return made
}
