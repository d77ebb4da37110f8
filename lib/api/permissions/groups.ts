import { z } from 'zod'
import { withoutUndefined } from '../../base/without-undefined'
import type { Op } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { listUserPage, type UserRecord } from '../../store/accounts/users'
import {
  addMember,
  findGroup,
  type GroupRow,
  insertGroup,
  listGroupPage,
  removeGroup,
  removeMember,
  updateGroup,
} from '../../store/permissions/groups'
import { type ChangeEntry, change, changeSeen } from '../authority/change'
import { privilegesOfJoining, privilegesOfRemovingGroup } from '../authority/privileges'
import { requireUser } from '../authority/user-rules'
import type { Caller } from '../http/caller'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema, searchedWordSchema } from '../http/page'
import { notFound, requireFound } from '../http/problem'
import { keySchema, nameSchema, stampsWire } from '../http/schemas'
import { requireSeen } from '../http/version'
import { wireOf } from '../http/wire'

const groupSchema = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  ...stampsWire,
})

export type GroupWire = z.infer<typeof groupSchema>

const memberSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  username: z.string().nullable(),
  enabled: z.boolean(),
})

function toWire(group: GroupRow) {
  return wireOf(groupSchema, group, {})
}

function toMember({ id, name, email, username, disabledAt }: UserRecord) {
  return { id, name, email, username, enabled: disabledAt === null }
}

async function requireGroup(op: Op, name: string): Promise<GroupRow> {
  return requireFound(await op.read((db) => findGroup(db, name)), 'no_group', name)
}

export const listGroups = operation({
  id: 'listGroups',
  method: 'GET',
  path: '/groups',
  summary: 'List groups',
  scope: 'users:read',
  query: listQuery(['key', 'name', 'createdAt']),
  answers: { 200: pageSchema(groupSchema) },
  handle: (op, { query }) =>
    listed(op, query, { name: 'groups', filters: {}, list: listGroupPage }, toWire),
})

export const createGroup = operation({
  id: 'createGroup',
  method: 'POST',
  path: '/groups',
  summary: 'Create a group',
  scope: 'users:write',
  body: z.strictObject({ key: keySchema, name: nameSchema }),
  example: { key: 'clerks', name: 'All clerks' },
  answers: { 201: groupSchema },
  async handle(op, call) {
    const id = newId('grp')
    const entry: ChangeEntry = {
      event: 'group.created',
      gives: [],
      kind: 'group',
      id,
      detail: { after: call.body },
    }
    const group = await change(op, call, entry, (tx) =>
      insertGroup(tx, { id, ...call.body }, op.now()),
    )
    return { status: 201, body: toWire(group), version: group.version }
  },
})

export const getGroup = operation({
  id: 'getGroup',
  method: 'GET',
  path: '/groups/{group}',
  summary: 'Read a group',
  scope: 'users:read',
  answers: { 200: groupSchema },
  async handle(op, { params }) {
    const group = await requireGroup(op, params.group)
    return { status: 200, body: toWire(group), version: group.version }
  },
})

export const changeGroup = operation({
  id: 'changeGroup',
  method: 'PATCH',
  path: '/groups/{group}',
  summary: 'Change a group',
  scope: 'users:write',
  body: z.strictObject({ key: keySchema, name: nameSchema }).partial(),
  example: { name: 'Every clerk' },
  answers: { 200: groupSchema },
  async handle(op, call) {
    const before = await requireGroup(op, call.params.group)
    requireSeen(call.ifMatch, before, toWire(before))
    const fields = withoutUndefined(call.body)
    const after = { ...before, ...fields, updatedAt: op.now(), version: before.version + 1 }
    const entry: ChangeEntry = {
      event: 'group.changed',
      gives: [],
      kind: 'group',
      id: before.id,
      detail: { before: toWire(before), after: call.body },
    }
    await changeSeen(op, call, entry, (tx) => updateGroup(tx, before, fields, after.updatedAt))
    return { status: 200, body: toWire(after), version: after.version }
  },
})

export const deleteGroup = operation({
  id: 'deleteGroup',
  method: 'DELETE',
  path: '/groups/{group}',
  summary: 'Delete a group; its members lose the roles of the group',
  scope: 'users:write',
  answers: { 204: null },
  async handle(op, call) {
    const before = await requireGroup(op, call.params.group)
    requireSeen(call.ifMatch, before, toWire(before))
    const entry: ChangeEntry = {
      event: 'group.deleted',
      gives: await privilegesOfRemovingGroup(op, call.caller, before.id),
      kind: 'group',
      id: before.id,
      detail: { before: toWire(before) },
    }
    await changeSeen(op, call, entry, (tx) => removeGroup(tx, before))
    return { status: 204 }
  },
})

export const listGroupMembers = operation({
  id: 'listGroupMembers',
  method: 'GET',
  path: '/groups/{group}/members',
  summary: 'List the members of a group',
  scope: 'users:read',
  query: listQuery(['createdAt', 'name', 'email', 'username'], { q: searchedWordSchema }),
  answers: { 200: pageSchema(memberSchema) },
  async handle(op, { params, query }) {
    const { id } = await requireGroup(op, params.group)
    return listed(
      op,
      query,
      { name: 'members', filters: { groupId: id }, list: listUserPage },
      toMember,
    )
  },
})

async function membershipEntry(
  op: Op,
  caller: Caller,
  event: 'group.member_added' | 'group.member_removed',
  groupId: string,
  userId: string,
): Promise<ChangeEntry> {
  return {
    event,
    gives: await privilegesOfJoining(op, caller, groupId, [userId]),
    kind: 'group',
    id: groupId,
    touches: [{ kind: 'user', id: userId }],
    detail: { user: userId },
  }
}

export const addGroupMember = operation({
  id: 'addGroupMember',
  method: 'PUT',
  path: '/groups/{group}/members/{user}',
  summary: 'Add a user to a group',
  scope: 'users:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const group = await requireGroup(op, call.params.group)
    const user = await requireUser(op, call.params.user)
    const entry = await membershipEntry(op, call.caller, 'group.member_added', group.id, user.id)
    await change(op, call, entry, (tx) => addMember(tx, group.id, user.id, op.now()))
    return { status: 204 }
  },
})

export const removeGroupMember = operation({
  id: 'removeGroupMember',
  method: 'DELETE',
  path: '/groups/{group}/members/{user}',
  summary: 'Remove a user from a group',
  scope: 'users:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const group = await requireGroup(op, call.params.group)
    const user = await requireUser(op, call.params.user)
    const entry = await membershipEntry(op, call.caller, 'group.member_removed', group.id, user.id)
    await change(op, call, entry, async (tx) => {
      if (!(await removeMember(tx, group.id, user.id))) throw notFound('no_member', user.id)
    })
    return { status: 204 }
  },
})

export const groupRoutes = tagged('Groups', [
  listGroups,
  createGroup,
  getGroup,
  changeGroup,
  deleteGroup,
  listGroupMembers,
  addGroupMember,
  removeGroupMember,
])
