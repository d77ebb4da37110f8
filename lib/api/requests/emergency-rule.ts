import { z } from 'zod'
import { patternsOverlap } from '../../access/pattern'
import type { Approver, Emergency, Policy } from '../../access/policy'
import { HOUR_SECONDS } from '../../base/time'
import type { Op } from '../../context/op'
import { type ErrorMessage, errorMessage } from '../../i18n/error-message'
import { listPeopleById } from '../../store/requests/approvers'
import type { RuleFields } from '../../store/requests/rules'
import { type Caller, scopesOf } from '../http/caller'
import { Problem } from '../http/problem'
import { approverSchema, approverWire, personSchema } from './approver-schema'
import { type Finding, peopleIn, unmetStage } from './approvers'

/** What a rule says about emergencies: who opens alone, for how long, and who reviews it. */

const MAX_SECONDS = 8 * HOUR_SECONDS
const MAX_REVIEW_SECONDS = 7 * 24 * HOUR_SECONDS

export const emergencySchema = z.strictObject({
  people: z.array(personSchema).min(1).max(20).describe('Who may open it, named beforehand'),
  seconds: z.int().min(1).max(MAX_SECONDS).default(HOUR_SECONDS).describe('When it ends'),
  reviewSeconds: z
    .int()
    .min(1)
    .max(MAX_REVIEW_SECONDS)
    .default(24 * HOUR_SECONDS)
    .describe('The time in which somebody else reviews it'),
  reviewers: z
    .array(approverSchema)
    .min(1)
    .max(20)
    .default([{ type: 'api_owners' }])
    .describe('Who reviews it; never the person who opened it'),
})

export const emergencyWire = z.object({
  people: z.array(approverWire),
  seconds: z.number(),
  reviewSeconds: z.number(),
  reviewers: z.array(approverWire),
})

export function toEmergencyWire(emergency: Emergency | null) {
  if (emergency === null) return null
  const { people, reviewers, ...times } = emergency
  return { ...times, people: [...people], reviewers: [...reviewers] }
}

// ---------------------------------------------------------------- who is named

type About = { apiId: string; userId: string }

/**
 * Whether this user may open what the rule covers. Whoever can put themselves into a group or a
 * role must be named in person.
 */
export async function namedIn(
  op: Op,
  about: About,
  { people }: Pick<Emergency, 'people'>,
): Promise<Finding> {
  const held = scopesOf(await op.users.adminRoleOf(about.userId))
  const manages = held.has('users:write') || held.has('assignments:write')
  const counted = manages ? people.filter(({ type }) => type === 'user') : people
  const found = await peopleIn(op, about, counted)
  return (db) => found(db, [about.userId])
}

export async function isNamed(
  op: Op,
  about: About,
  emergency: Pick<Emergency, 'people'>,
): Promise<boolean> {
  if (emergency.people.length === 0) return false
  const named = await namedIn(op, about, emergency)
  return (await op.read((db) => named(db))).length > 0
}

// ---------------------------------------------------------------- what a rule may say

/** The example of somebody who would have no reviewer but themselves; null if there is none. */
export async function unmetReview(
  op: Op,
  policy: Policy,
  apiId: string,
  emergency: Emergency,
  quick: boolean,
): Promise<ErrorMessage | null> {
  const reviewing = { approvers: emergency.reviewers, needed: 1 }
  const stage = { ...reviewing, deadlineSeconds: emergency.reviewSeconds, escalateTo: [] }
  const named = await peopleIn(op, { apiId, userId: '' }, emergency.people)
  const unmet = await unmetStage(op, policy, {
    apiId,
    stages: [stage],
    quick,
    asking: async (people) => {
      const ids = new Set(
        await op.read((db) =>
          named(
            db,
            people.map(({ id }) => id),
          ),
        ),
      )
      return people.filter(({ id }) => ids.has(id))
    },
  })
  if (!unmet) return null
  const { reason } = unmet
  if (reason.code !== 'too_few_approvers') return reason
  // Without any reviewer, everybody who is named is an example.
  const name = reason.values?.name === 'somebody' ? await firstOf(op, named) : reason.values?.name
  return errorMessage('emergency_no_reviewer', { name: name ?? '' })
}

async function firstOf(op: Op, named: Finding): Promise<string> {
  return op.read(async (db) => {
    const [person] = await listPeopleById(db, (await named(db)).slice(0, 1))
    return person?.name ?? 'somebody'
  })
}

/**
 * Nobody names themselves, or changes what they may open: somebody else does. The closest rule
 * counts, so that any rule about the same permissions can change it. Null: before it is created,
 * or once it is deleted.
 */
export async function requireNotOwn(
  op: Op,
  { kind, id: userId }: Pick<Caller, 'kind' | 'id'>,
  apiId: string,
  before: RuleFields | null,
  after: RuleFields | null,
): Promise<void> {
  if (kind !== 'user' || openingOf(before) === openingOf(after)) return
  const changed = [before, after].flatMap((rule) => rule ?? [])
  const patterns = changed.flatMap((rule) => rule.patterns)
  const { policy } = await op.latestSnapshot()
  const api = [...policy.apisByAudience.values()].find(({ id }) => id === apiId)
  const others = (api?.requestRules ?? []).filter((rule) =>
    patternsOverlap(rule.patterns, patterns),
  )
  const people = [...changed, ...others].flatMap(({ emergency }) => emergency?.people ?? [])
  if (await isNamed(op, { apiId, userId }, { people }))
    throw new Problem('forbidden', errorMessage('emergency_self'))
}

/** What decides who opens what, and for how long. The order of a list says nothing. */
function openingOf(rule: RuleFields | null): string {
  if (rule === null) return ''
  const { emergency, patterns, askers, autoRefuse, maxSeconds, enabled } = rule
  const { people = [], reviewers = [], seconds, reviewSeconds } = emergency ?? {}
  const lists = [people, reviewers, patterns].map((list) => list.map(plainText).sort())
  return JSON.stringify([lists, seconds, reviewSeconds, askers, autoRefuse, maxSeconds, enabled])
}

function plainText(one: Approver | string): string {
  return JSON.stringify(one, ['type', 'id', 'attribute'])
}

/** All that a rule names for emergencies, with where it stands. */
export function namedApprovers(emergency: Emergency | null): [pointer: string, Approver][] {
  if (emergency === null) return []
  return (['people', 'reviewers'] as const).flatMap((member) =>
    emergency[member].map((one, at): [string, Approver] => [`/emergency/${member}/${at}`, one]),
  )
}
