import { z } from 'zod'
import { withoutUndefined } from '../../base/without-undefined'
import type { Op } from '../../context/op'
import { newId } from '../../crypto/secrets'
import {
  findSpace,
  insertSpace,
  listSpacePage,
  removeSpace,
  type SpaceRow,
  updateSpace,
} from '../../store/permissions/spaces'
import { type ChangeEntry, change, changeSeen } from '../authority/change'
import { privilegesOfRemovingSpace } from '../authority/privileges'
import { actorOf } from '../http/caller'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { requireFound } from '../http/problem'
import { keySchema, nameSchema, stampsWire } from '../http/schemas'
import { requireSeen, requireWritten } from '../http/version'
import { wireOf } from '../http/wire'
import { tellEndedWithApi } from '../requests/news'

const spaceSchema = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  ...stampsWire,
})

export type SpaceWire = z.infer<typeof spaceSchema>

const LIST = listQuery(['key', 'name', 'createdAt'])

export async function requireSpace(op: Op, name: string): Promise<SpaceRow> {
  return requireFound(await op.read((db) => findSpace(db, name)), 'no_space', name)
}

function toWire(space: SpaceRow) {
  return wireOf(spaceSchema, space, {})
}

export const listSpaces = operation({
  id: 'listSpaces',
  method: 'GET',
  path: '/spaces',
  summary: 'List spaces',
  scope: 'spaces:read',
  query: LIST,
  answers: { 200: pageSchema(spaceSchema) },
  handle: (op, { query }) =>
    listed(op, query, { name: 'spaces', filters: {}, list: listSpacePage }, toWire),
})

export const createSpace = operation({
  id: 'createSpace',
  method: 'POST',
  path: '/spaces',
  summary: 'Create a space',
  scope: 'spaces:write',
  body: z.strictObject({ key: keySchema, name: nameSchema }),
  example: { key: 'shop', name: 'The shop' },
  answers: { 201: spaceSchema },
  async handle(op, call) {
    const id = newId('spc')
    const entry: ChangeEntry = {
      event: 'space.created',
      gives: [],
      kind: 'space',
      id,
      detail: { after: call.body },
    }
    const space = await change(op, call, entry, (tx) =>
      insertSpace(tx, { id, ...call.body }, op.now()),
    )
    return { status: 201, body: toWire(space), version: space.version }
  },
})

export const getSpace = operation({
  id: 'getSpace',
  method: 'GET',
  path: '/spaces/{space}',
  summary: 'Read a space',
  scope: 'spaces:read',
  answers: { 200: spaceSchema },
  async handle(op, { params }) {
    const space = await requireSpace(op, params.space)
    return { status: 200, body: toWire(space), version: space.version }
  },
})

export const changeSpace = operation({
  id: 'changeSpace',
  method: 'PATCH',
  path: '/spaces/{space}',
  summary: 'Change a space',
  scope: 'spaces:write',
  body: z.strictObject({ key: keySchema, name: nameSchema }).partial(),
  example: { name: 'The new shop' },
  answers: { 200: spaceSchema },
  async handle(op, call) {
    const before = await requireSpace(op, call.params.space)
    requireSeen(call.ifMatch, before, toWire(before))
    const fields = withoutUndefined(call.body)
    const after = { ...before, ...fields, updatedAt: op.now(), version: before.version + 1 }
    const entry: ChangeEntry = {
      event: 'space.changed',
      gives: [],
      kind: 'space',
      id: before.id,
      detail: { before: toWire(before), after: call.body },
    }
    await changeSeen(op, call, entry, (tx) => updateSpace(tx, before, fields, after.updatedAt))
    return { status: 200, body: toWire(after), version: after.version }
  },
})

export const deleteSpace = operation({
  id: 'deleteSpace',
  method: 'DELETE',
  path: '/spaces/{space}',
  summary: 'Delete a space with its APIs, permissions and roles',
  scope: 'spaces:write',
  also: ['resources:write', 'permissions:write', 'roles:write'],
  answers: { 204: null },
  async handle(op, call) {
    const before = await requireSpace(op, call.params.space)
    requireSeen(call.ifMatch, before, toWire(before))
    const entry: ChangeEntry = {
      event: 'space.deleted',
      gives: await privilegesOfRemovingSpace(op, call.caller, before.id),
      kind: 'space',
      id: before.id,
      detail: { before: toWire(before) },
    }
    await change(op, call, entry, async (tx, audit) => {
      const { count, ended } = await removeSpace(tx, before, op.now())
      requireWritten(count)
      await tellEndedWithApi(op, tx, audit, ended, actorOf(call))
    })
    return { status: 204 }
  },
})

export const spaceRoutes = tagged('Spaces', [
  listSpaces,
  createSpace,
  getSpace,
  changeSpace,
  deleteSpace,
])
