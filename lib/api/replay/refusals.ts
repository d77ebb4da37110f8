import { decidePermission, type Subject } from '../../access/check'
import { type Decision, decideScopes, type Question } from '../../access/decide-scopes'
import type { Policy } from '../../access/policy'
import {
  type DecisionToReplay,
  questionOf,
  type ReplayedClient,
  requiredBy,
} from '../../access/replay'
import { type Remedy, settlingsOf } from '../../access/settle'
import { eachInTurn } from '../../access/turns'
import { forgetOldest } from '../../base/forget-oldest'
import { onceFor } from '../../base/once-for'
import type { Op } from '../../context/op'
import { contextOf } from '../decision/decision'
import { passOver, START } from '../decision/pass'
import { type Change, previewOf } from '../impact/change'
import { addTo } from './count'
import { type LookAt, lookAt, worldOf } from './pass'

/** Refusals of stored decisions that today's policy still refuses, with what would settle them. */

const MAX_SCOPES = 500
const MAX_SETTLINGS = 50

export type GroupedRefusals = {
  times: number
  settlings: Map<string, number>
  by: Map<string, Remedy>
}

/** By scope; `unlisted`: refusals of further scopes. */
export class Groups extends Map<string, GroupedRefusals> {
  unlisted = 0
}

type Refused = Extract<Decision, { granted: false }>

export function groupingInto(groups: Groups): LookAt {
  return ({ past, clientId, row }, seen) => {
    if (!past) return
    const { policy, asker } = worldOf(seen, clientId, row.at)
    const gone = row.userId !== null && policy.users.get(row.userId) === undefined
    if (!asker || gone) return
    return lookAt(past, refusing(policy, past, asker), (refused) => {
      for (const { decision, settlings } of refused) add(groups, decision, settlings)
    })
  }
}

type Settled = { decision: Refused; settlings: readonly Remedy[] }

/** What is refused today: of a user who was not admitted, the required scopes come first. */
function* refusing(
  policy: Policy,
  past: DecisionToReplay,
  asker: ReplayedClient,
): Generator<void, Settled[]> {
  const question = questionOf(past, policy, asker)
  const required = past.withheldRequired ? asker.requiredScopes : []
  const wanted = past.scopes.filter(
    (scope) => !past.granted.has(scope) && !required.includes(scope),
  )
  return [
    ...(required.length > 0 ? yield* settling(policy, requiredBy(past, asker, question)) : []),
    ...(yield* settling(policy, { ...question, scopes: wanted })),
  ]
}

function* settling(policy: Policy, question: Question): Generator<void, Settled[]> {
  const refused: Settled[] = []
  for (const decision of yield* decideScopes(policy, question)) {
    if (decision.granted) continue
    refused.push({ decision, settlings: settlingsOf(policy, decision, question) })
    yield
  }
  return refused
}

function add(groups: Groups, { scope }: Refused, settlings: readonly Remedy[]): void {
  const known = groups.get(scope)
  if (!known && groups.size >= MAX_SCOPES) {
    groups.unlisted += 1
    return
  }
  const group = known ?? { times: 0, settlings: new Map(), by: new Map() }
  groups.set(scope, group)
  group.times += 1
  for (const settling of settlings) {
    const key = `${settling.do} ${settling.id}`
    if (!group.by.has(key) && group.by.size >= MAX_SETTLINGS) continue
    group.by.set(key, settling)
    addTo(group.settlings, key)
  }
}

// ---------------------------------------------------------------- whom a change would newly allow

const MAX_HOLDERS = 1_000
const MAX_KNOWN = 500

type NewlyAllowed = { newlyAllows: number; atLeast: boolean }
const knownIn = onceFor((_portal: Op['config']) => new Map<string, Promise<NewlyAllowed>>())

/** How many people would get a permission if a role got it; null if there is no time to count. */
export async function newlyAllowedBy(
  op: Op,
  roleId: string,
  scope: string,
  deadline: number,
): Promise<NewlyAllowed | null> {
  const { policy, version } = await op.snapshot()
  const role = policy.roles.get(roleId)
  if (!role) return null
  const known = knownIn(op.config)
  const key = `${version} ${roleId} ${scope}`
  const found = known.get(key)
  if (found) return found
  if (performance.now() > deadline) return null
  const made = countNewly(op, roleId, role.spaceId, scope)
  known.set(key, made)
  made.catch(() => known.delete(key))
  if (known.size > MAX_KNOWN) forgetOldest(known)
  return made
}

async function countNewly(
  op: Op,
  roleId: string,
  spaceId: string,
  scope: string,
): Promise<NewlyAllowed> {
  const terms = { effect: 'allow', condition: null, validFrom: null, validUntil: null } as const
  const add = [{ pattern: scope, ...terms }]
  const change: Change = { kind: 'adjust_role', role: roleId, add, remove: [] }
  const preview = await previewOf(op, spaceId, change)
  const sources = preview.sources.filter(({ of }) => of === 'users')
  let [looked, count] = [0, 0]
  const next = await passOver(op, sources, START, async (policy, subjects) => {
    const after = preview.after(policy)
    const gains = await eachInTurn(subjects, (one) => gainsBy(op, policy, after, one, scope))
    count += gains.filter(Boolean).length
    looked += subjects.length
    return looked >= MAX_HOLDERS
  })
  return { newlyAllows: count, atLeast: next !== null }
}

function gainsBy(op: Op, before: Policy, after: Policy, subject: Subject, permission: string) {
  const context = contextOf(op, before, subject, { given: undefined })
  const asked = { subject, permission, instance: null, context }
  return !decidePermission(before, asked).allowed && decidePermission(after, asked).allowed
}
