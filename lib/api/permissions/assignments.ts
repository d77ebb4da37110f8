import { z } from 'zod'
import type { Privilege } from '../../access/authority'
import { withoutUndefined } from '../../base/without-undefined'
import type { Op } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import {
  type AssignmentRow,
  findAssignment,
  listAssignmentPage,
  type NewAssignment,
  removeAssignment,
  type SubjectType,
  subjectExists,
  subjectOf,
  updateAssignment,
} from '../../store/permissions/assignments'
import { findRole } from '../../store/permissions/roles'
import type { ChangedSubject } from '../../store/policy/policy-version'
import { type ChangeEntry, change, changeSeen } from '../authority/change'
import { grantorOf } from '../authority/grantor'
import { endsInPast, periodProblems } from '../authority/past-ends'
import { privilegesOfAssignment } from '../authority/privileges'
import { insertWithin } from '../authority/room'
import type { Caller } from '../http/caller'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import {
  type FieldProblem,
  fieldProblem,
  invalidField,
  notFound,
  requireFound,
  requireNone,
} from '../http/problem'
import { dateOf, idSchema, stampsWire, termsShape, termsWire } from '../http/schemas'
import { requireSeen } from '../http/version'
import { wireOf } from '../http/wire'
import { requireSpace } from './spaces'

/**
 * Who holds which role: a user, a group or a client, optionally for one resource instance and with
 * terms.
 */

const MAX_AT_ONCE = 500
export const SUBJECTS = ['user', 'group', 'client'] as const

export const assignmentSchema = z.object({
  id: z.string(),
  role: z.string(),
  subject: z.object({ type: z.enum(SUBJECTS), id: z.string() }),
  instance: z.string().nullable(),
  ...termsWire,
  ...stampsWire,
})

export type AssignmentWire = z.infer<typeof assignmentSchema>

const subject = z.strictObject({ type: z.enum(SUBJECTS), id: idSchema })
const creation = z.strictObject({
  /** ID or key of a role of the space. */
  role: z.string().max(255),
  subject,
  /** The resource instance for which the assignment holds; null for all. */
  instance: idSchema.nullable().default(null),
  ...termsShape,
})
const patch = z
  .strictObject({
    instance: idSchema.nullable(),
    effect: termsShape.effect.unwrap(),
    condition: termsShape.condition.unwrap(),
    validFrom: termsShape.validFrom.unwrap(),
    validUntil: termsShape.validUntil.unwrap(),
  })
  .partial()

type Creation = z.infer<typeof creation>

export function assignmentToWire(row: AssignmentRow) {
  return wireOf(assignmentSchema, row, { role: row.roleId, subject: subjectOf(row) })
}

async function requireAssignment(op: Op, space: string, id: string): Promise<AssignmentRow> {
  const { id: spaceId } = await requireSpace(op, space)
  return requireFound(await op.read((db) => findAssignment(db, spaceId, id)), 'no_assignment', id)
}

function toNew(caller: Caller, roleId: string, { role: _, ...given }: Creation): NewAssignment {
  const validFrom = dateOf(given.validFrom)
  return {
    ...given,
    id: newId('asg'),
    roleId,
    validFrom,
    validUntil: dateOf(given.validUntil),
    givenBy: grantorOf(caller, validFrom),
  }
}

/** The problems of an assignment: its role and its subject must exist. */
async function problemsOf(
  op: Op,
  spaceId: string,
  given: Creation,
  base = '',
): Promise<FieldProblem[]> {
  const role = await op.read((db) => findRole(db, spaceId, given.role))
  const { type, id } = given.subject
  const exists = await op.read((db) => subjectExists(db, type, id))
  return [
    ...(role ? [] : [fieldProblem(`${base}/role`, errorMessage('unknown_role'))]),
    ...(exists
      ? []
      : [fieldProblem(`${base}/subject/id`, errorMessage(`unknown_subject_${type}`))]),
    ...periodProblems([given], () => base),
  ]
}

async function roleIdOf(op: Op, spaceId: string, name: string): Promise<string> {
  return (await op.read((db) => findRole(db, spaceId, name)))?.id ?? ''
}

function assigned(id: string, after: Creation, gives: readonly Privilege[]): ChangeEntry {
  const touches = [touchedBy(after.subject)]
  return { event: 'assignment.created', gives, kind: 'assignment', id, touches, detail: { after } }
}

type Subject = { type: SubjectType; id: string }
/** Other server processes read again only who holds the role. */
function touchedBy({ type, id }: Subject): ChangedSubject {
  return { kind: type === 'client' ? 'application' : type, id }
}

export const listAssignments = operation({
  id: 'listAssignments',
  method: 'GET',
  path: '/spaces/{space}/assignments',
  summary: 'List the role assignments of a space',
  scope: 'assignments:read',
  query: listQuery(['id', 'createdAt'], {
    role: idSchema.optional(),
    user: idSchema.optional(),
    group: idSchema.optional(),
    client: idSchema.optional(),
    instance: idSchema.optional(),
  }),
  answers: { 200: pageSchema(assignmentSchema) },
  async handle(op, { params, query }) {
    const { id: spaceId } = await requireSpace(op, params.space)
    const { role, user: userId, group: groupId, client: applicationId, instance } = query
    const filters = { spaceId, role, userId, groupId, applicationId, instance }
    return listed(
      op,
      query,
      { name: 'assignments', filters, list: listAssignmentPage },
      assignmentToWire,
    )
  },
})

export const createAssignment = operation({
  id: 'createAssignment',
  method: 'POST',
  path: '/spaces/{space}/assignments',
  summary: 'Give a role to a user, a group or an application',
  scope: 'assignments:write',
  body: creation,
  example: { role: 'clerk', subject: { type: 'user', id: 'usr_...' }, validUntil: null },
  answers: { 201: assignmentSchema },
  async handle(op, call) {
    const { id: spaceId } = await requireSpace(op, call.params.space)
    const errors = await problemsOf(op, spaceId, call.body)
    requireNone(errors)
    const given = toNew(call.caller, await roleIdOf(op, spaceId, call.body.role), call.body)
    const gives = await privilegesOfAssignment(op, call.caller, given.subject, given)
    const [row] = await change(op, call, assigned(given.id, call.body, gives), (tx) =>
      insertWithin(tx, [given], op.now()),
    )
    if (!row) throw notFound('no_assignment', given.id)
    return { status: 201, body: assignmentToWire(row), version: row.version }
  },
})

export const createAssignments = operation({
  id: 'createAssignments',
  method: 'POST',
  path: '/spaces/{space}/assignments:batch',
  summary: 'Create many assignments: all of them or none',
  scope: 'assignments:write',
  body: z.strictObject({ assignments: z.array(creation).min(1).max(MAX_AT_ONCE) }),
  example: { assignments: [{ role: 'clerk', subject: { type: 'user', id: 'usr_...' } }] },
  answers: { 201: z.object({ data: z.array(assignmentSchema) }) },
  async handle(op, call) {
    const { id: spaceId } = await requireSpace(op, call.params.space)
    const { assignments } = call.body
    const errors: FieldProblem[] = []
    for (const [at, given] of assignments.entries()) {
      errors.push(...(await problemsOf(op, spaceId, given, `/assignments/${at}`)))
    }
    requireNone(errors)
    const added: NewAssignment[] = []
    const gives: Privilege[] = []
    for (const asked of assignments) {
      const given = toNew(call.caller, await roleIdOf(op, spaceId, asked.role), asked)
      added.push(given)
      gives.push(...(await privilegesOfAssignment(op, call.caller, given.subject, given)))
    }
    const entry: ChangeEntry = {
      event: 'assignment.batch_created',
      gives,
      kind: 'space',
      id: spaceId,
      touches: assignments.map((given) => touchedBy(given.subject)),
      detail: { assignments: added.map(({ id }) => id) },
    }
    const rows = await change(op, call, entry, (tx) => insertWithin(tx, added, op.now()))
    return { status: 201, body: { data: rows.map(assignmentToWire) } }
  },
})

export const getAssignment = operation({
  id: 'getAssignment',
  method: 'GET',
  path: '/spaces/{space}/assignments/{id}',
  summary: 'Read an assignment',
  scope: 'assignments:read',
  answers: { 200: assignmentSchema },
  async handle(op, { params }) {
    const row = await requireAssignment(op, params.space, params.id)
    return { status: 200, body: assignmentToWire(row), version: row.version }
  },
})

export const changeAssignment = operation({
  id: 'changeAssignment',
  method: 'PATCH',
  path: '/spaces/{space}/assignments/{id}',
  summary: 'Change the terms of an assignment; its role and its subject stay',
  scope: 'assignments:write',
  body: patch,
  example: { validUntil: '2027-01-01T00:00:00Z' },
  answers: { 200: assignmentSchema },
  async handle(op, call) {
    const before = await requireAssignment(op, call.params.space, call.params.id)
    requireSeen(call.ifMatch, before, assignmentToWire(before))
    const { id, version } = before
    const { validFrom, validUntil, ...rest } = call.body
    const dates = withoutUndefined({
      validFrom: validFrom === undefined ? undefined : dateOf(validFrom),
      validUntil: validUntil === undefined ? undefined : dateOf(validUntil),
    })
    const changed = { ...withoutUndefined(rest), ...dates }
    const givenBy = grantorOf(call.caller, { ...before, ...dates }.validFrom)
    const terms = { ...changed, givenBy }
    const after = { ...before, ...terms, updatedAt: op.now() }
    if (endsInPast(before, after, op.now())) {
      throw invalidField('/validUntil', errorMessage('future_needed'))
    }
    if (Object.keys(dates).length > 0) {
      requireNone(periodProblems([assignmentToWire(after)], () => ''))
    }
    const detail = { before: assignmentToWire(before), after: call.body }
    const touches = [touchedBy(subjectOf(before))]
    const gives = await privilegesOfAssignment(op, call.caller, subjectOf(before), after, before)
    const entry: ChangeEntry = {
      event: 'assignment.changed',
      gives,
      kind: 'assignment',
      id,
      touches,
      detail,
    }
    await changeSeen(op, call, entry, (tx) => updateAssignment(tx, before, terms, after.updatedAt))
    return { status: 200, body: assignmentToWire(after), version: version + 1 }
  },
})

export const deleteAssignment = operation({
  id: 'deleteAssignment',
  method: 'DELETE',
  path: '/spaces/{space}/assignments/{id}',
  summary: 'Delete an assignment',
  scope: 'assignments:write',
  answers: { 204: null },
  async handle(op, call) {
    const before = await requireAssignment(op, call.params.space, call.params.id)
    requireSeen(call.ifMatch, before, assignmentToWire(before))
    const { id } = before
    const detail = { before: assignmentToWire(before) }
    const touches = [touchedBy(subjectOf(before))]
    const gives = await privilegesOfAssignment(op, call.caller, subjectOf(before), null, before)
    const entry: ChangeEntry = {
      event: 'assignment.deleted',
      gives,
      kind: 'assignment',
      id,
      touches,
      detail,
    }
    await changeSeen(op, call, entry, (tx) => removeAssignment(tx, before))
    return { status: 204 }
  },
})

export const assignmentRoutes = tagged('Assignments', [
  listAssignments,
  createAssignment,
  createAssignments,
  getAssignment,
  changeAssignment,
  deleteAssignment,
])
