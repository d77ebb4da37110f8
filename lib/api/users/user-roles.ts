import type { Privilege } from '../../access/authority'
import type { Op } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import {
  holdsPlainly,
  type NewAssignment,
  PLAIN_TERMS,
  removeRoleFrom,
  termsOfRole,
} from '../../store/permissions/assignments'
import { findRoleById, type RoleRow } from '../../store/permissions/roles'
import { authorize } from '../authority/authorize'
import { type ChangeEntry, change } from '../authority/change'
import { privilegesOfAssignment, privilegesOfOwning } from '../authority/privileges'
import { insertWithin } from '../authority/room'
import { type Call, operation, tagged } from '../http/operation'
import { invalidField, requireFound } from '../http/problem'

/** A role for a user, without terms. */

function entryOf(
  event: 'assignment.created' | 'assignment.deleted',
  gives: readonly Privilege[],
  userId: string,
  roleId: string,
): ChangeEntry {
  return { event, gives, kind: 'user', id: userId, detail: { role: roleId } }
}

export const assignRole = operation({
  id: 'giveRole',
  method: 'PUT',
  path: '/users/{user}/roles/{role}',
  summary: 'Give a user a role without terms; repeating it changes nothing',
  scope: 'assignments:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const { userId, role } = await requirePair(op, call.params.user, call.params.role)
    const subject = { type: 'user', id: userId } as const
    const given = { ...PLAIN_TERMS, id: newId('asg'), roleId: role.id, subject }
    const gives = await privilegesOfAssignment(op, call.caller, subject, given)
    const entry = entryOf('assignment.created', gives, userId, role.id)
    await change(op, call, entry, async (tx) => {
      if (await holdsPlainly(tx, userId, role.id)) return
      await insertWithin(tx, [given], op.now())
    })
    return { status: 204 }
  },
})

export const takeRole = operation({
  id: 'takeRole',
  method: 'DELETE',
  path: '/users/{user}/roles/{role}',
  summary: 'Take a role from a user, whatever the terms of the assignment',
  scope: 'assignments:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const { userId, role } = await requirePair(op, call.params.user, call.params.role)
    const subject = { type: 'user', id: userId } as const
    const held = await op.read((db) => termsOfRole(db, userId, role.id))
    const gives = privilegesOfOwning(call.caller, userId)
    for (const one of held)
      gives.push(...(await privilegesOfAssignment(op, call.caller, subject, null, one)))
    const entry = entryOf('assignment.deleted', gives, userId, role.id)
    await change(op, call, entry, (tx) => removeRoleFrom(tx, userId, role.id))
    return { status: 204 }
  },
})

export const userRoleRoutes = tagged('Assignments', [assignRole, takeRole])

async function requirePair(op: Op, user: string, role: string): Promise<Pair> {
  const userId = requireFound(await op.users.idOf(user), 'no_user', user)
  const found = await op.read((db) => findRoleById(db, role))
  if (!found) throw invalidField('/role', errorMessage('no_role', { id: role }))
  return { userId, role: found }
}

type Pair = { userId: string; role: RoleRow }

/** Roles for somebody new, by whoever may give a role on its own. */
export async function assignmentsFor(
  op: Op,
  call: Call,
  userId: string,
  roles: readonly string[],
): Promise<NewAssignment[]> {
  if (roles.length > 0)
    await authorize(op, call, [{ gives: 'scopes', scopes: ['assignments:write'] }])
  const subject = { type: 'user', id: userId } as const
  const given: NewAssignment[] = []
  for (const [at, id] of [...new Set(roles)].entries()) {
    const role = await op.read((db) => findRoleById(db, id))
    if (!role) throw invalidField(`/roles/${at}`, errorMessage('no_role', { id }))
    given.push({ ...PLAIN_TERMS, id: newId('asg'), roleId: role.id, subject })
  }
  return given
}

export async function privilegesOfRoles(
  op: Op,
  { caller }: Call,
  given: readonly NewAssignment[],
): Promise<Privilege[]> {
  const gives: Privilege[] = []
  for (const one of given)
    gives.push(...(await privilegesOfAssignment(op, caller, one.subject, one)))
  return gives
}
