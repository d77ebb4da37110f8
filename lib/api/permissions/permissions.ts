import { z } from 'zod'
import type { Op, Transaction } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { type ErrorMessage, errorMessage } from '../../i18n/error-message'
import { firstMistakeIn } from '../../i18n/zod-error-message'
import { textsOf } from '../../store/database/json'
import {
  type ApiRow,
  findApi,
  findItem,
  type ItemFields,
  type ItemRow,
  insertItem,
  listItemPage,
  removeItem,
  updateItem,
} from '../../store/permissions/apis'
import type { ChangedSubject } from '../../store/policy/policy-version'
import { type ChangeEntry, change, changeSeen } from '../authority/change'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { invalidField, notFound } from '../http/problem'
import { itemKeySchema, languageSchema, stampsWire } from '../http/schemas'
import { requireSeen, requireWritten } from '../http/version'
import { wireOf } from '../http/wire'
import { requireSpace } from './spaces'

/** Permissions: each is a scope, with a description for users. */

const permissionSchema = z.object({
  key: z.string(),
  resource: z.string(),
  descriptions: z.record(z.string(), z.string()),
  userBound: z.boolean(),
  needsRole: z.boolean(),
  sensitive: z.boolean(),
  ...stampsWire,
})

export type PermissionWire = z.infer<typeof permissionSchema>

export const itemShape = {
  descriptions: languageSchema.default({}),
  userBound: z.boolean().default(false),
  needsRole: z.boolean().default(false),
  sensitive: z.boolean().default(false),
}
const fields = { resource: z.string().max(255), ...itemShape }
const content = z.strictObject(fields)

function toWire(row: ItemRow) {
  return wireOf(permissionSchema, row, {
    resource: row.apiId,
    descriptions: textsOf(row.descriptions),
  })
}

/**
 * `orders:read` belongs to the API whose prefix is `orders`; a name without a colon may belong to
 * any API.
 */
async function requireHome(op: Op, spaceId: string, key: string, name: string): Promise<ApiRow> {
  const api = await op.read((db) => findApi(db, spaceId, name))
  if (!api) throw invalidField('/resource', errorMessage('unknown_api'))
  const misplaced = misplacedKey(key, api.prefix)
  if (misplaced) throw invalidField('/key', misplaced)
  return api
}

export function misplacedKey(key: string, prefix: string): ErrorMessage | null {
  const colon = key.indexOf(':')
  const fits = colon === -1 || key.slice(0, colon) === prefix
  return fits ? null : errorMessage('permission_prefix', { prefix })
}

/** `before`: the permission as it was read; null if it does not exist yet. */
export async function saveItem(
  tx: Transaction,
  key: string,
  fields: ItemFields,
  before: ItemRow | null,
  now: Date,
): Promise<ItemRow> {
  if (!before) return insertItem(tx, { id: newId('itm'), key, ...fields }, now)
  requireWritten(await updateItem(tx, before, fields, now))
  return { ...before, ...fields, updatedAt: now, version: before.version + 1 }
}

export const listPermissions = operation({
  id: 'listPermissions',
  method: 'GET',
  path: '/spaces/{space}/permissions',
  summary: 'List the permissions of a space',
  scope: 'permissions:read',
  query: listQuery(['key', 'createdAt'], { resource: z.string().max(255).optional() }),
  answers: { 200: pageSchema(permissionSchema) },
  async handle(op, { params, query }) {
    const { id: spaceId } = await requireSpace(op, params.space)
    return listed(
      op,
      query,
      {
        name: 'permissions',
        filters: { spaceId, api: query.resource || undefined },
        list: listItemPage,
      },
      toWire,
    )
  },
})

export const createPermission = operation({
  id: 'createPermission',
  method: 'POST',
  path: '/spaces/{space}/permissions',
  summary: 'Create a permission',
  scope: 'permissions:write',
  body: z.strictObject({ key: itemKeySchema, ...fields }),
  example: { key: 'orders:read', resource: 'orders', descriptions: { en: 'See your orders' } },
  answers: { 201: permissionSchema },
  async handle(op, call) {
    const { id: spaceId } = await requireSpace(op, call.params.space)
    const { key, resource, ...body } = call.body
    const api = await requireHome(op, spaceId, key, resource)
    const row = await change(op, call, saved(api.id, call.body), (tx) =>
      saveItem(tx, key, { apiId: api.id, ...body }, null, op.now()),
    )
    return { status: 201, body: toWire(row), version: row.version }
  },
})

export const getPermission = operation({
  id: 'getPermission',
  method: 'GET',
  path: '/spaces/{space}/permissions/{key}',
  summary: 'Read a permission',
  scope: 'permissions:read',
  answers: { 200: permissionSchema },
  async handle(op, { params }) {
    const { id: spaceId } = await requireSpace(op, params.space)
    const row = await op.read((db) => findItem(db, spaceId, params.key))
    if (!row) throw notFound('no_permission', params.key)
    return { status: 200, body: toWire(row), version: row.version }
  },
})

export const putPermission = operation({
  id: 'putPermission',
  method: 'PUT',
  path: '/spaces/{space}/permissions/{key}',
  summary: 'Create or change a permission',
  scope: 'permissions:write',
  body: content,
  example: { resource: 'orders', descriptions: { en: 'See your orders' }, needsRole: true },
  versioned: 'sometimes',
  answers: { 200: permissionSchema, 201: permissionSchema },
  async handle(op, call) {
    const { id: spaceId } = await requireSpace(op, call.params.space)
    const key = itemKeySchema.safeParse(call.params.key)
    if (!key.success) throw invalidField('/key', firstMistakeIn(key.error))
    const { resource, ...body } = call.body
    const api = await requireHome(op, spaceId, key.data, resource)
    const before = await op.read((db) => findItem(db, spaceId, key.data))
    if (before) requireSeen(call.ifMatch, before, toWire(before))
    const fields = { ...body, apiId: api.id }
    const now = op.now()
    const entry: ChangeEntry = {
      ...saved(api.id, { key: key.data, ...call.body }),
      touches: touchedApis(api.id, before?.apiId),
      detail: { before: before && toWire(before), after: call.body },
    }
    const row = await change(op, call, entry, (tx) => saveItem(tx, key.data, fields, before, now))
    return { status: before ? 200 : 201, body: toWire(row), version: row.version }
  },
})

export const deletePermission = operation({
  id: 'deletePermission',
  method: 'DELETE',
  path: '/spaces/{space}/permissions/{key}',
  summary: 'Delete a permission; grants that name it give nothing any more',
  scope: 'permissions:write',
  answers: { 204: null },
  async handle(op, call) {
    const { id: spaceId } = await requireSpace(op, call.params.space)
    const before = await op.read((db) => findItem(db, spaceId, call.params.key))
    if (!before) throw notFound('no_permission', call.params.key)
    requireSeen(call.ifMatch, before, toWire(before))
    const { key } = before
    const detail = { before: toWire(before) }
    const entry: ChangeEntry = {
      event: 'permission.deleted',
      gives: [],
      kind: 'permission',
      id: key,
      touches: touchedApis(before.apiId),
      detail,
    }
    await changeSeen(op, call, entry, (tx) => removeItem(tx, before))
    return { status: 204 }
  },
})

export const permissionRoutes = tagged('Permissions', [
  listPermissions,
  createPermission,
  getPermission,
  putPermission,
  deletePermission,
])

function saved(apiId: string, after: { key: string } & Record<string, unknown>): ChangeEntry {
  return {
    event: 'permission.saved',
    gives: [],
    kind: 'permission',
    id: after.key,
    touches: touchedApis(apiId),
    detail: { after },
  }
}

/** The API of the permission; two if it moves from one to another. */
function touchedApis(...ids: readonly (string | undefined)[]): ChangedSubject[] {
  return ids.flatMap((api) => (api === undefined ? [] : [{ kind: 'model', api }]))
}
