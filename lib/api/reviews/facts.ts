import { patternCovers } from '../../access/pattern'
import { allGrants, type Policy } from '../../access/policy'
import { conditionForUser } from '../../access/request-rules'
import { reach } from '../../access/ways'
import { DAY_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { keyScopesOf } from '../../store/applications/access-keys'
import { membersOfGroups } from '../../store/permissions/groups'
import { type GrantedLog, grantedLog, type LastGranted } from '../../store/permissions/last-granted'
import type { Facts } from '../../store/reviews/items'
import type { Thing } from '../../store/reviews/things'
import { windowStart } from '../records/reports'

/** When access was last used, from the log of decisions, and what that suggests. */

/** Access that was given or watched for a shorter time says little by not being used. */
const RECENT_DAYS = 30
const MAX_NARROWED = 100
/** Of all groups that are looked at together; the use of larger ones is not known. */
const MAX_MEMBERS = 1_000

type Uses = ReadonlyMap<string, Date>
/** `cut`: there were more entries than are read, perhaps so many that none was (null). */
type Watched = { uses: Uses; knownSince: Date | null; cut: boolean }

type FactsOf = (thing: Thing) => Facts

/** `days`: how far back it looks. */
export type UseLog = { ofUsers: GrantedLog; ofApplications: GrantedLog; days: number }

export function openUseLog(op: Op, days: number): UseLog {
  const since = windowStart(op.now(), days)
  const ofUsers = grantedLog('users', since)
  return { ofUsers, ofApplications: grantedLog('applications', since), days }
}

/** Reads what the log says of these things; they are looked at together. */
export async function factsAbout(
  op: Op,
  policy: Policy,
  things: readonly Thing[],
  { ofUsers, ofApplications, days }: UseLog,
): Promise<FactsOf> {
  const whose = await peopleAndClients(op, things)
  const byUsers = await op.readReplica((db) => ofUsers(db, whose.users))
  const byClients = await op.readReplica((db) => ofApplications(db, whose.applications))
  return (thing) => {
    const who = whose.usersOf(thing)
    if (who === null) return NOT_KNOWN
    const isOfUsers = thing.subject.type === 'user' || thing.subject.type === 'group'
    const log = isOfUsers
      ? watched(byUsers, who, who)
      : watched(byClients, who, [thing.applicationId ?? thing.subject.id])
    return factsOf(policy, thing, log, { now: op.now(), days })
  }
}

/** Who could have used each of these things. */
async function peopleAndClients(op: Op, things: readonly Thing[]) {
  const idsOfType = (type: Thing['subject']['type']) =>
    idsOf(things.flatMap(({ subject }) => (subject.type === type ? subject.id : [])))
  const applications = idsOf(things.flatMap(({ applicationId }) => applicationId ?? []))
  const keys = await op.read((db) => keyScopesOf(db, applications))
  const most = MAX_MEMBERS + 1
  const members = await op.read((db) => membersOfGroups(db, idsOfType('group'), most))
  const areAll = members.length <= MAX_MEMBERS
  /** Null if it is not known. */
  function usersOf({ kind, terms, subject: { type, id } }: Thing): string[] | null {
    if (kind === 'admin_role' || type === 'role' || (type === 'group' && !areAll)) return null
    // Of a user, but only what an application may do for them: with others, they use what is theirs.
    if (type === 'user' && terms.condition === conditionForUser(id)) return null
    if (type === 'group')
      return members.filter(({ groupId }) => groupId === id).map(({ userId }) => userId)
    const own = keys.filter(({ applicationId }) => applicationId === id).map((key) => key.id)
    return type === 'application' ? [id, ...own] : [id]
  }
  const ofGroups = areAll ? members.map(({ userId }) => userId) : []
  return { applications, users: idsOf([...idsOfType('user'), ...ofGroups]), usersOf }
}

function idsOf(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}

const NOT_KNOWN: Facts = {
  lastUsedAt: null,
  useKnownSince: null,
  used: [],
  narrowTo: [],
  suggestion: null,
  reason: 'unknown',
}

/** `read`: the users or applications whose entries were read for it. */
function watched(
  { by, knownSince, cut }: LastGranted,
  who: readonly string[],
  read: readonly string[],
): Watched {
  const uses = new Map<string, Date>()
  for (const [scope, at] of who.flatMap((id) => [...(by.get(id) ?? [])])) {
    const known = uses.get(scope)
    if (!known || known < at) uses.set(scope, at)
  }
  const cuts = read.flatMap((id) => (cut.has(id) ? [cut.get(id) ?? null] : []))
  if (cuts.includes(null)) return { uses, knownSince: null, cut: true }
  const begins = [knownSince, ...cuts].map((at) => at?.getTime() ?? 0)
  return { uses, knownSince: new Date(Math.max(...begins)), cut: cuts.length > 0 }
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
  { uses, knownSince, cut }: Watched,
  { now, days }: { now: Date; days: number },
): Facts {
  const covered = coveredBy(policy, thing)
  const used = covered.filter((item) => uses.has(item)).sort()
  const times = used.flatMap((item) => uses.get(item)?.getTime() ?? [])
  const lastUsedAt = times.length === 0 ? null : new Date(Math.max(...times))
  const common = { lastUsedAt, useKnownSince: knownSince, used: used.slice(0, MAX_NARROWED) }
  if (used.length === 0) {
    if (cut || !knownSince) return { ...common, suggestion: null, reason: 'unknown', narrowTo: [] }
    const watchedFrom = Math.max(knownSince.getTime(), thing.since.getTime())
    const isRecent = now.getTime() - watchedFrom < Math.min(days, RECENT_DAYS) * DAY_MS
    return isRecent
      ? { ...common, suggestion: 'keep', reason: 'recent', narrowTo: [] }
      : { ...common, suggestion: 'remove', reason: 'unused', narrowTo: [] }
  }
  const isWide = thing.kind === 'grant' && thing.gives.endsWith(':*')
  const canBeNarrowed = isWide && thing.terms.requestId === null && used.length <= MAX_NARROWED
  // Where not everything was read, the rest may have been used before.
  if (cut || !canBeNarrowed || used.length === covered.length)
    return { ...common, suggestion: 'keep', reason: 'used', narrowTo: [] }
  return { ...common, suggestion: 'narrow', reason: 'partly', narrowTo: used }
}
