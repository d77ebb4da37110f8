import { z } from 'zod'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import { findApiById } from '../../store/permissions/apis'
import { subjectExists } from '../../store/permissions/assignments'
import { findRoleById } from '../../store/permissions/roles'
import type { ReviewScope } from '../../store/reviews/things'
import { requireApplication } from '../applications/applications'
import { apisOwnedBy } from '../authority/authorize'
import { actorOf } from '../http/caller'
import { type Call, operation, tagged } from '../http/operation'
import { fieldProblem, invalidField, Problem, requireNone } from '../http/problem'
import { dateSchema, idSchema, nameSchema } from '../http/schemas'
import { requireSpace } from '../permissions/spaces'
import { daysSchema } from '../records/reports'
import { approverSchema } from '../requests/approver-schema'
import { seesAll } from '../requests/seen'
import { TAKING } from './authority'
import { MAX_ITEMS, MAX_MS, MIN_MS, startReview } from './start'
import { SCOPE, wireFor } from './visible'
import { reviewSchema } from './wire'

/** A review is started by whoever could take away what it looks at. */

const named = <const Type extends string>(type: Type, what: string) =>
  z.strictObject({ type: z.literal(type), id: idSchema.describe(what) })

const overSchema = z.discriminatedUnion('type', [
  named('role', 'ID of a role: who holds it'),
  named('space', 'ID or key of a space: who holds its roles'),
  named('api', 'ID or prefix of an API: who was granted its permissions'),
  named('application', 'ID of an application: its grants, roles and access keys'),
  named('user', 'ID or name of a user: their roles, their admin role, and what was approved'),
  z.strictObject({ type: z.literal('portal') }).describe('Access to the portal itself'),
  z
    .strictObject({ type: z.literal('unused'), days: daysSchema })
    .describe('Grants of applications and access keys that were not used, as in the report'),
])

const startSchema = z.strictObject({
  name: nameSchema,
  over: overSchema,
  reviewers: z.array(approverSchema).min(1).max(20),
  fallback: z
    .array(approverSchema)
    .max(20)
    .default([])
    .describe('Who decides where none of the reviewers can: users, groups or roles'),
  deadline: dateSchema.describe('From one day to 90 days from now'),
})

type Start = z.infer<typeof startSchema>

/** Of these, whoever starts it sees no more than they manage. */
const OPEN_TO_ALL: readonly ReviewScope['type'][] = ['api', 'application', 'unused']

/** What it is over must exist and be seen by the caller. */
async function requireOver(op: Op, call: Call, asked: Start['over']): Promise<Found> {
  const { caller } = call
  // Who holds what is not for everybody to know.
  if (!OPEN_TO_ALL.includes(asked.type) && !seesAll(call))
    throw new Problem('forbidden', errorMessage('review_not_yours'))
  if (!('id' in asked)) return { over: asked, apiPrefix: null }
  const { type } = asked
  if (type === 'api') {
    const api = await op.read((db) => findApiById(db, asked.id))
    const owned = caller.ownOnly ? await apisOwnedBy(op, call.snapshot.policy, caller.id) : null
    if (!api || owned?.has(api.id) === false) throw unknownOver()
    return { over: { type, id: api.id }, apiPrefix: api.prefix }
  }
  if (type === 'application') {
    const { id } = await requireApplication(op, caller, asked.id)
    return { over: { type, id }, apiPrefix: null }
  }
  return { over: { type, id: await idOf(op, type, asked.id) }, apiPrefix: null }
}

type Found = { over: ReviewScope; apiPrefix: string | null }

async function idOf(op: Op, type: 'role' | 'space' | 'user', name: string): Promise<string> {
  if (type === 'space') return (await requireSpace(op, name)).id
  const id =
    type === 'user'
      ? await op.users.idOf(name)
      : (await op.read((db) => findRoleById(db, name)))?.id
  if (!id) throw unknownOver()
  return id
}

function unknownOver(): Problem {
  return invalidField('/over/id', errorMessage('review_over_unknown'))
}

/** Whoever can take nothing away is told so before anything is looked at. */
async function requireMayTakeAny(op: Op, call: Call, over: Start['over']): Promise<void> {
  const { caller, snapshot } = call
  if (TAKING.some((scope) => caller.scopes.has(scope))) return
  if (over.type === 'api' && caller.kind === 'user') {
    const api = await op.read((db) => findApiById(db, over.id))
    if (api && (await apisOwnedBy(op, snapshot.policy, caller.id)).has(api.id)) return
  }
  throw new Problem('forbidden', errorMessage('review_not_yours'))
}

async function requireReviewers(op: Op, { reviewers, fallback }: Start): Promise<void> {
  const errors = await Promise.all(
    Object.entries({ reviewers, fallback }).flatMap(([member, approvers]) =>
      approvers.map(async (one, at) => {
        if (!('id' in one)) {
          const reason = errorMessage('review_fallback')
          return member === 'fallback' ? [fieldProblem(`/fallback/${at}/type`, reason)] : []
        }
        const exists = await op.read(async (db) =>
          one.type === 'role'
            ? (await findRoleById(db, one.id)) !== null
            : subjectExists(db, one.type, one.id),
        )
        return exists ? [] : [fieldProblem(`/${member}/${at}/id`, errorMessage('approver_unknown'))]
      }),
    ),
  )
  requireNone(errors.flat())
}

function requireDeadline(op: Op, deadline: Date): void {
  const length = deadline.getTime() - op.now().getTime()
  // A minute for the way here.
  if (length >= MIN_MS - 60_000 && length <= MAX_MS + 60_000) return
  throw invalidField('/deadline', errorMessage('review_deadline'))
}

export const startAccessReview = operation({
  id: 'startAccessReview',
  method: 'POST',
  path: '/reviews',
  summary: `Start a review of access, of at most ${MAX_ITEMS} items that the caller could take away`,
  scope: SCOPE,
  mayBeMissing: true,
  body: startSchema,
  example: {
    name: 'Clerks, autumn',
    over: { type: 'role', id: 'rol_...' },
    reviewers: [{ type: 'manager', attribute: 'manager' }],
    fallback: [{ type: 'group', id: 'grp_...' }],
    deadline: '2027-01-31T00:00:00Z',
  },
  answers: { 201: reviewSchema },
  async handle(op, call) {
    const { name, reviewers, fallback } = call.body
    const deadline = new Date(call.body.deadline)
    requireDeadline(op, deadline)
    await requireMayTakeAny(op, call, call.body.over)
    const found = await requireOver(op, call, call.body.over)
    await requireReviewers(op, call.body)
    const asked = { ...found, name, reviewers, fallback, deadline }
    const id = await startReview(op, call.caller, asked, actorOf(call))
    return { status: 201, body: await wireFor(op, call, id) }
  },
})

export const reviewStartRoutes = tagged('Access reviews', [startAccessReview])
