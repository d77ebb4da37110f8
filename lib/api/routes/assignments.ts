import { z } from 'zod'
import type { Gift } from '../../access/authority'
import { withoutUndefined } from '../../base/without-undefined'
import type { Op } from '../../context/op'
import { newId } from '../../crypto/secrets'
import {
  type AssignmentRow,
  findAssignment,
  holdsPlainly,
  insertAssignment,
  insertAssignments,
  listAssignmentPage,
  type NewAssignment,
  PLAIN_TERMS,
  removeAssignment,
  removeRoleFrom,
  type SubjectType,
  subjectExists,
  subjectOf,
  updateAssignment,
} from '../../store/assignments'
import type { Touched } from '../../store/policy-version'
import { findRole, findRoleById, type RoleRow } from '../../store/roles'
import type { Caller } from '../caller'
import { change } from '../change'
import { ownGift, ownSubjectGift, roleToApplicationGift } from '../gifts'
import { operation } from '../operation'
import { listed, listQuery, pageSchema } from '../page'
import { type FieldProblem, invalidField, notFound, Problem } from '../problem'
import { dateOf, idSchema, iso, stampsWire, termsShape, termsWire } from '../schemas'
import { requireSeen, requireWritten } from '../version'
import { requireSpace } from './spaces'

/** Who holds which role: a user, a group or a client, perhaps for one resource, a while, an occasion. */

const TAG = 'Assignments'
const MOST_AT_ONCE = 500
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
  /** Id or key of a role of the space. */
  role: z.string().max(255),
  subject,
  /** The resource for which it holds; null: for every one. */
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
  return {
    id: row.id,
    role: row.roleId,
    subject: subjectOf(row),
    instance: row.instance,
    effect: row.effect,
    condition: row.condition,
    validFrom: iso(row.validFrom),
    validUntil: iso(row.validUntil),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}

async function requireAssignment(op: Op, space: string, id: string): Promise<AssignmentRow> {
  const { id: spaceId } = await requireSpace(op, space)
  const row = await op.read((db) => findAssignment(db, spaceId, id))
  if (!row) throw notFound()
  return row
}

function toNew(roleId: string, { role: _, ...given }: Creation): NewAssignment {
  return {
    ...given,
    id: newId('asg'),
    roleId,
    validFrom: dateOf(given.validFrom),
    validUntil: dateOf(given.validUntil),
  }
}

/** What is wrong with it, if anything: the role and the subject must be there. */
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
    ...(role ? [] : [unknown(`${base}/role`, 'there is no such role in the space')]),
    ...(exists ? [] : [unknown(`${base}/subject/id`, `there is no such ${type}`)]),
  ]
}

function unknown(pointer: string, detail: string): FieldProblem {
  return { pointer, code: 'unknown', detail }
}

async function roleIdOf(op: Op, spaceId: string, name: string): Promise<string> {
  return (await op.read((db) => findRole(db, spaceId, name)))?.id ?? ''
}

function assigned(id: string, after: Creation, gives: readonly Gift[]) {
  const touches = [touchedBy(after.subject)]
  const about = { kind: 'assignment', id, touches, detail: { after } }
  return { event: 'assignment.created', gives, ...about }
}

type Subject = { type: SubjectType; id: string }
type Assigned = { roleId: string; effect: string }

/**
 * People's roles are what assignments:write is about; a role of an application is a grant to it,
 * and taking it away, or changing its terms, lifts what it denied.
 */
async function assigning(
  op: Op,
  caller: Caller,
  subject: Subject,
  after: Assigned | null,
  before: Assigned | null = null,
): Promise<Gift[]> {
  const own = await ownSubjectGift(op, caller, subject)
  const roleId = after?.roleId ?? before?.roleId
  if (subject.type !== 'client' || roleId === undefined) return own
  const { policy } = await op.latestSnapshot()
  const comes = after?.effect === 'allow' || before?.effect === 'deny'
  return [...own, ...roleToApplicationGift(policy, roleId, { comes, goes: before !== null })]
}

/** Only whoever holds it has to be read again elsewhere. */
function touchedBy({ type, id }: Subject): Touched {
  return { kind: type === 'client' ? 'application' : type, id }
}

export const listAssignments = operation({
  id: 'listAssignments',
  method: 'GET',
  path: '/spaces/{space}/assignments',
  tag: TAG,
  summary: 'List who holds which role of a space',
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
  tag: TAG,
  summary: 'Give a role to somebody',
  scope: 'assignments:write',
  body: creation,
  example: { role: 'clerk', subject: { type: 'user', id: 'usr_...' }, validUntil: null },
  answers: { 201: assignmentSchema },
  async handle(op, call) {
    const { id: spaceId } = await requireSpace(op, call.params.space)
    const errors = await problemsOf(op, spaceId, call.body)
    if (errors[0]) throw new Problem('invalid', errors[0].detail, { errors })
    const given = toNew(await roleIdOf(op, spaceId, call.body.role), call.body)
    const gives = await assigning(op, call.caller, given.subject, given)
    const row = await change(op, call, assigned(given.id, call.body, gives), (tx) =>
      insertAssignment(tx, given, op.now()),
    )
    return { status: 201, body: assignmentToWire(row), version: row.version }
  },
})

export const createAssignments = operation({
  id: 'createAssignments',
  method: 'POST',
  path: '/spaces/{space}/assignments:batch',
  tag: TAG,
  summary: 'Give many roles at once: all of them, or none',
  scope: 'assignments:write',
  body: z.strictObject({ assignments: z.array(creation).min(1).max(MOST_AT_ONCE) }),
  example: { assignments: [{ role: 'clerk', subject: { type: 'user', id: 'usr_...' } }] },
  answers: { 201: z.object({ data: z.array(assignmentSchema) }) },
  async handle(op, call) {
    const { id: spaceId } = await requireSpace(op, call.params.space)
    const { assignments } = call.body
    const errors: FieldProblem[] = []
    for (const [at, given] of assignments.entries()) {
      errors.push(...(await problemsOf(op, spaceId, given, `/assignments/${at}`)))
    }
    if (errors[0]) throw new Problem('invalid', errors[0].detail, { errors })
    const added: NewAssignment[] = []
    const gives: Gift[] = []
    for (const asked of assignments) {
      const given = toNew(await roleIdOf(op, spaceId, asked.role), asked)
      added.push(given)
      gives.push(...(await assigning(op, call.caller, given.subject, given)))
    }
    const happened = {
      event: 'assignment.batch_created',
      gives,
      kind: 'space',
      id: spaceId,
      touches: assignments.map((given) => touchedBy(given.subject)),
      detail: { assignments: added.map(({ id }) => id) },
    }
    const rows = await change(op, call, happened, (tx) => insertAssignments(tx, added, op.now()))
    return { status: 201, body: { data: rows.map(assignmentToWire) } }
  },
})

export const getAssignment = operation({
  id: 'getAssignment',
  method: 'GET',
  path: '/spaces/{space}/assignments/{id}',
  tag: TAG,
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
  tag: TAG,
  summary: 'Change the terms of an assignment; who and which role stay',
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
    const terms = { ...withoutUndefined(rest), ...dates }
    const after = { ...before, ...terms, updatedAt: op.now() }
    const detail = { before: assignmentToWire(before), after: call.body }
    const touches = [touchedBy(subjectOf(before))]
    const gives = await assigning(op, call.caller, subjectOf(before), after, before)
    const happened = {
      event: 'assignment.changed',
      gives,
      kind: 'assignment',
      id,
      touches,
      detail,
    }
    await change(op, call, happened, async (tx) => {
      requireWritten(await updateAssignment(tx, before, terms, after.updatedAt))
    })
    return { status: 200, body: assignmentToWire(after), version: version + 1 }
  },
})

export const deleteAssignment = operation({
  id: 'deleteAssignment',
  method: 'DELETE',
  path: '/spaces/{space}/assignments/{id}',
  tag: TAG,
  summary: 'Take a role from somebody',
  scope: 'assignments:write',
  answers: { 204: null },
  async handle(op, call) {
    const before = await requireAssignment(op, call.params.space, call.params.id)
    requireSeen(call.ifMatch, before, assignmentToWire(before))
    const { id } = before
    const detail = { before: assignmentToWire(before) }
    const touches = [touchedBy(subjectOf(before))]
    const gives = await assigning(op, call.caller, subjectOf(before), null, before)
    const happened = {
      event: 'assignment.deleted',
      gives,
      kind: 'assignment',
      id,
      touches,
      detail,
    }
    await change(op, call, happened, async (tx) => {
      requireWritten(await removeAssignment(tx, before))
    })
    return { status: 204 }
  },
})

export const giveRole = operation({
  id: 'giveRole',
  method: 'PUT',
  path: '/users/{user}/roles/{role}',
  tag: TAG,
  summary: 'Give a user a role, plainly; doing it twice is doing it once',
  scope: 'assignments:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const { userId, role } = await requirePair(op, call.params.user, call.params.role)
    const happened = {
      event: 'assignment.created',
      gives: ownGift(call.caller, userId),
      kind: 'user',
      id: userId,
      detail: { role: role.id },
    }
    await change(op, call, happened, async (tx) => {
      if (await holdsPlainly(tx, userId, role.id)) return
      const subject = { type: 'user', id: userId } as const
      const given = { ...PLAIN_TERMS, id: newId('asg'), roleId: role.id, subject }
      await insertAssignment(tx, given, op.now())
    })
    return { status: 204 }
  },
})

export const takeRole = operation({
  id: 'takeRole',
  method: 'DELETE',
  path: '/users/{user}/roles/{role}',
  tag: TAG,
  summary: 'Take a role from a user, in whatever terms it was given',
  scope: 'assignments:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const { userId, role } = await requirePair(op, call.params.user, call.params.role)
    const happened = {
      event: 'assignment.deleted',
      gives: ownGift(call.caller, userId),
      kind: 'user',
      id: userId,
      detail: { role: role.id },
    }
    await change(op, call, happened, (tx) => removeRoleFrom(tx, userId, role.id))
    return { status: 204 }
  },
})

export const assignmentRoutes = [
  listAssignments,
  createAssignment,
  createAssignments,
  getAssignment,
  changeAssignment,
  deleteAssignment,
  giveRole,
  takeRole,
]

async function requirePair(op: Op, user: string, role: string): Promise<Pair> {
  const userId = await op.users.idOf(user)
  if (userId === null) throw notFound()
  const found = await op.read((db) => findRoleById(db, role))
  if (!found) throw invalidField('/role', 'there is no such role: name it by its id', 'unknown')
  return { userId, role: found }
}

type Pair = { userId: string; role: RoleRow }
