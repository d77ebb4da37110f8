import { patternCovers } from '../../access/pattern'
import { allGrants, type Policy } from '../../access/policy'
import { reach } from '../../access/ways'
import type { Op } from '../../context/op'
import { keyScopesOf } from '../../store/access-keys'
import { type LastGranted, lastGranted } from '../../store/last-granted'
import type { Facts } from '../../store/review-items'
import type { Thing } from '../../store/review-things'
import { windowStart } from '../routes/reports'

/** When access was last used, from the log of decisions, and what that suggests. */

const DAY_MS = 24 * 60 * 60 * 1000
/** Access that was given or watched for a shorter time says little by not being used. */
const RECENT_DAYS = 30
const MOST_NARROWED = 100

type Uses = ReadonlyMap<string, Date>
type Watched = { uses: Uses; knownSince: Date }

export type Seen = (thing: Thing) => Facts

/** Reads what the log says of these things; they are looked at together. */
export async function factsAbout(
  op: Op,
  policy: Policy,
  things: readonly Thing[],
  days: number,
): Promise<Seen> {
  const since = windowStart(op.now(), days)
  const users = idsOf(things.flatMap(({ subject }) => (subject.type === 'user' ? subject.id : [])))
  const applications = idsOf(things.flatMap(({ applicationId }) => applicationId ?? []))
  const ofUsers = await op.readReplica((db) => lastGranted(db, since, { users }))
  const ofClients = await op.readReplica((db) => lastGranted(db, since, { applications }))
  const keys = await op.read((db) => keyScopesOf(db, applications))
  const clientsOf = (id: string) => [
    id,
    ...keys.filter(({ applicationId }) => applicationId === id).map((key) => key.id),
  ]
  return (thing) => {
    const { type, id } = thing.subject
    if (thing.kind === 'admin_role' || type === 'group' || type === 'role') return NOT_KNOWN
    const [log, who] =
      type === 'user' ? [ofUsers, [id]] : [ofClients, type === 'application' ? clientsOf(id) : [id]]
    return factsOf(policy, thing, watched(log, who), { now: op.now(), days })
  }
}

function idsOf(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}

const NOT_KNOWN: Facts = {
  ...{ lastUsedAt: null, useKnownSince: null, used: [], narrowTo: [] },
  ...{ suggestion: null, reason: 'unknown' },
}

function watched({ by, knownSince }: LastGranted, who: readonly string[]): Watched {
  const uses = new Map<string, Date>()
  for (const [scope, at] of who.flatMap((id) => [...(by.get(id) ?? [])])) {
    const known = uses.get(scope)
    if (!known || known < at) uses.set(scope, at)
  }
  return { uses, knownSince }
}

/** The permissions that it gives now. */
function coveredBy(policy: Policy, { kind, gives }: Thing): string[] {
  const { roles, items } = policy
  if (kind === 'grant') return [...items.keys()].filter((item) => patternCovers(gives, item))
  const role = roles.get(gives)
  const sets = role ? reach(policy, role).flatMap((way) => way.at(-1) ?? []) : []
  const patterns = sets.flatMap(({ grants }) => allGrants(grants)).map(({ pattern }) => pattern)
  return [...items.keys()].filter((item) => patterns.some((one) => patternCovers(one, item)))
}

/** Pure. */
export function factsOf(
  policy: Policy,
  thing: Thing,
  { uses, knownSince }: Watched,
  { now, days }: { now: Date; days: number },
): Facts {
  const covered = coveredBy(policy, thing)
  const used = covered.filter((item) => uses.has(item)).sort()
  const times = used.flatMap((item) => uses.get(item)?.getTime() ?? [])
  const lastUsedAt = times.length === 0 ? null : new Date(Math.max(...times))
  const common = { lastUsedAt, useKnownSince: knownSince, used: used.slice(0, MOST_NARROWED) }
  if (used.length === 0) {
    const watchedFrom = Math.max(knownSince.getTime(), thing.since.getTime())
    const isRecent = now.getTime() - watchedFrom < Math.min(days, RECENT_DAYS) * DAY_MS
    return isRecent
      ? { ...common, suggestion: 'keep', reason: 'recent', narrowTo: [] }
      : { ...common, suggestion: 'remove', reason: 'unused', narrowTo: [] }
  }
  const isWide = thing.kind === 'grant' && thing.gives.endsWith(':*')
  const canBeNarrowed = isWide && thing.terms.requestId === null && used.length <= MOST_NARROWED
  if (!canBeNarrowed || used.length === covered.length)
    return { ...common, suggestion: 'keep', reason: 'used', narrowTo: [] }
  return { ...common, suggestion: 'narrow', reason: 'partly', narrowTo: used }
}
