import type { Subject } from '../../access/check'
import { holderIn } from '../../access/impact'
import { type GrantSet, NOTHING, type Policy } from '../../access/policy'
import type { Op } from '../../context/op'
import { groupsHolding, type Source, subjectsIn } from '../../store/permissions/assignments'
import { wantedFor } from './decision'

/**
 * A pass over everybody who holds something, in parts: each part takes about a second and says where
 * the next one begins, so memory has a limit and the caller can stop at any time.
 */

export type Position = { source: number; after: string }
export const START: Position = { source: 0, after: '' }

const PART_MS = 1_500
const BATCH = 200

/** What `look` is given: subjects, and the policy that contains them. Stop by returning true. */
type PassVisitor = (policy: Policy, subjects: readonly Subject[], at: Position) => Promise<boolean>

/** The position of the next part; null at the end. */
export async function passOver(
  op: Op,
  sources: readonly Source[],
  from: Position,
  look: PassVisitor,
): Promise<Position | null> {
  const deadline = performance.now() + PART_MS
  let at = from
  for (;;) {
    const source = sources[at.source]
    if (!source) return null
    const ids = await op.read((db) => subjectsIn(db, source, at.after, BATCH))
    const all = ids.map((id) => subjectOf(source, id))
    const { policy } = await op.snapshot(wantedFor(...all))
    const subjects = all.filter((one) => !isInAny(policy, sources.slice(0, at.source), one))
    const enough = await look(policy, subjects, at)
    const isLast = ids.length < BATCH
    at = isLast
      ? { source: at.source + 1, after: '' }
      : { source: at.source, after: ids.at(-1) ?? '' }
    if (enough || performance.now() > deadline) return sources[at.source] ? at : null
  }
}

function subjectOf({ of }: Source, id: string): Subject {
  return { kind: of === 'users' ? 'user' : 'client', id }
}

/** Whoever is in several sources is looked at once, in the first of them. */
function isInAny(policy: Policy, sources: readonly Source[], subject: Subject): boolean {
  const { assignments: held, grants } = holderIn(policy, subject) ?? NOTHING
  return sources.some(
    (source) => subjectOf(source, subject.id).kind === subject.kind && isIn(source),
  )

  function isIn(source: Source): boolean {
    if ('ids' in source) return source.ids.includes(subject.id)
    if ('granted' in source) return source.granted.some((pattern) => isGranted(grants, pattern))
    return held.some(({ roleId, groupId }) =>
      'group' in source ? groupId === source.group : groupId === null && roleId === source.role,
    )
  }
}

function isGranted({ exact, patterns }: GrantSet, wanted: string): boolean {
  return exact.has(wanted) || patterns.some(({ pattern }) => pattern === wanted)
}

/** Applications that hold one of the roles, in the same order every time. */
export function applicationsHolding(roleIds: readonly string[]): Source[] {
  return [...roleIds].sort().map((role) => ({ of: 'applications', role }) as const)
}

/** Users who hold one of the roles: directly, or through a group. In the same order every time. */
export async function usersHolding(op: Op, roleIds: readonly string[]): Promise<Source[]> {
  const groups = await op.read((db) => groupsHolding(db, roleIds))
  return [
    ...[...roleIds].sort().map((role) => ({ of: 'users', role }) as const),
    ...groups.sort().map((group) => ({ of: 'users', group }) as const),
  ]
}

/** How much of the pass is done, from 0 to 1. IDs are random, so the first characters tell. */
export function progressOf(sources: readonly Source[], at: Position | null): number {
  if (at === null || sources.length === 0) return 1
  return Math.min(1, (at.source + shareOf(at.after)) / sources.length)
}

/** The characters of an ID, as byte order sorts them. */
const CHARACTERS = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'

/** Where an ID stands among all IDs, from 0 to 1. */
export function shareOf(id: string): number {
  const random = id.slice(id.indexOf('_') + 1)
  const [first, second] = [random[0] ?? '-', random[1] ?? '-'].map((c) => CHARACTERS.indexOf(c))
  return (Math.max(0, first ?? 0) + Math.max(0, second ?? 0) / 64) / 64
}
