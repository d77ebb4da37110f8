import { z } from 'zod'
import { withoutUndefined } from '../../base/without-undefined'
import type { Op } from '../../context/op'
import { hintOf, newId, newSecret } from '../../crypto/secrets'
import {
  type AccessKeyFields,
  type AccessKeyRecord,
  findAccessKey,
  insertAccessKey,
  listAccessKeyPage,
  removeAccessKey,
  updateAccessKey,
} from '../../store/applications/access-keys'
import { type ChangeEntry, change, changeSeen } from '../authority/change'
import { requireNeverUsed } from '../authority/never-reused'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { notFound } from '../http/problem'
import {
  chosenAccessKey,
  chosenSecret,
  dateOf,
  dateSchema,
  nameSchema,
  patternSchema,
  requireFuture,
} from '../http/schemas'
import { requireSeen } from '../http/version'
import { wireOf } from '../http/wire'
import { actingAs, requireApplication } from './applications'
import { requireTakesSecrets } from './rules'

/** Access keys (AK) and their secret keys (SK). */

const fieldShape = {
  name: nameSchema,
  scopes: z
    .array(patternSchema)
    .max(100)
    .nullable()
    .describe('Null for all scopes of its application'),
  tokenSeconds: z
    .int()
    .min(60)
    .max(86_400)
    .nullable()
    .describe('Null for the lifetime that the API sets'),
  expiresAt: dateSchema.nullable(),
  enabled: z.boolean(),
}
const changeSchema = z.strictObject(fieldShape).partial()

const keySchema = z.object({
  accessKey: z.string(),
  application: z.string(),
  hint: z.string().describe('The last four characters of the secret key'),
  ...fieldShape,
  createdAt: z.string(),
  lastUsedAt: z.string().nullable().describe('Up to one minute old'),
  lastUsedIp: z.string().nullable(),
})

export type AccessKeyWire = z.infer<typeof keySchema>

function toWire(key: AccessKeyRecord) {
  const enabled = key.disabledAt === null
  return wireOf(keySchema, key, { accessKey: key.id, application: key.applicationId, enabled })
}

async function requireKey(op: Op, applicationId: string, id: string): Promise<AccessKeyRecord> {
  const key = await op.read((db) => findAccessKey(db, applicationId, id))
  if (!key) throw notFound('no_access_key', id)
  return key
}

function fieldsOf(
  op: Op,
  { enabled, expiresAt, ...rest }: z.infer<typeof changeSchema>,
  disabledAt: Date | null,
): Partial<AccessKeyFields> {
  return {
    ...withoutUndefined(rest),
    ...(expiresAt !== undefined && { expiresAt: dateOf(expiresAt) }),
    ...(enabled !== undefined && { disabledAt: enabled ? null : (disabledAt ?? op.now()) }),
  }
}

/** Whether the holder of the key could do more with it, or use it for longer. */
function widens(before: AccessKeyRecord, fields: Partial<AccessKeyFields>): boolean {
  const { scopes, expiresAt, disabledAt } = { ...before, ...fields }
  const enabled = before.disabledAt !== null && disabledAt === null
  const later = (expiresAt?.getTime() ?? Infinity) > (before.expiresAt?.getTime() ?? Infinity)
  const wider = JSON.stringify(scopes) !== JSON.stringify(before.scopes)
  return enabled || later || wider
}

export const listAccessKeys = operation({
  id: 'listAccessKeys',
  method: 'GET',
  path: '/applications/{id}/keys',
  summary: 'List the access keys of an application',
  scope: 'applications:read',
  query: listQuery(['createdAt', 'name']),
  answers: { 200: pageSchema(keySchema) },
  async handle(op, { caller, params, query }) {
    const { id } = await requireApplication(op, caller, params.id)
    return listed(
      op,
      query,
      { name: 'keys', filters: { applicationId: id }, list: listAccessKeyPage },
      toWire,
    )
  },
})

export const createAccessKey = operation({
  id: 'createAccessKey',
  method: 'POST',
  path: '/applications/{id}/keys',
  summary: 'Create an access key; only this answer contains its secret key',
  scope: 'applications:write',
  body: changeSchema.extend({
    name: nameSchema,
    accessKey: chosenAccessKey.optional().describe('If missing, an ID is generated'),
    secretKey: chosenSecret.optional(),
  }),
  example: { name: 'nightly export', scopes: ['orders:read'], tokenSeconds: 600 },
  answers: { 201: keySchema.extend({ secretKey: z.string().describe('Shown once') }) },
  async handle(op, call) {
    const application = await requireApplication(op, call.caller, call.params.id)
    requireTakesSecrets(application)
    const { accessKey: id = newId('ak'), secretKey = newSecret('ghsk'), ...body } = call.body
    const fields = fieldsOf(op, body, null)
    requireFuture('/expiresAt', fields.expiresAt ?? null, op.now())
    const key = {
      scopes: null,
      tokenSeconds: null,
      expiresAt: null,
      disabledAt: null,
      ...fields,
      id,
      name: body.name,
      applicationId: application.id,
      secretHash: op.hashSecret(secretKey),
      hint: hintOf(secretKey),
      createdAt: op.now(),
    }
    const entry: ChangeEntry = {
      event: 'access_key.created',
      gives: await actingAs(op, application, key.scopes),
      kind: 'access_key',
      id,
      applicationId: application.id,
      detail: { after: { ...withoutUndefined({ accessKey: call.body.accessKey }), ...body } },
    }
    const created = await change(op, call, entry, async (tx) => {
      await requireNeverUsed(tx, '/accessKey', call.body.accessKey)
      return insertAccessKey(tx, key)
    })
    return { status: 201, body: { ...toWire(created), secretKey }, version: created.version }
  },
})

export const getAccessKey = operation({
  id: 'getAccessKey',
  method: 'GET',
  path: '/applications/{id}/keys/{key}',
  summary: 'Read an access key',
  scope: 'applications:read',
  answers: { 200: keySchema },
  async handle(op, { caller, params }) {
    const application = await requireApplication(op, caller, params.id)
    const key = await requireKey(op, application.id, params.key)
    return { status: 200, body: toWire(key), version: key.version }
  },
})

export const changeAccessKey = operation({
  id: 'changeAccessKey',
  method: 'PATCH',
  path: '/applications/{id}/keys/{key}',
  summary: 'Change an access key',
  scope: 'applications:write',
  body: changeSchema,
  example: { enabled: false },
  answers: { 200: keySchema },
  async handle(op, call) {
    const application = await requireApplication(op, call.caller, call.params.id)
    const before = await requireKey(op, application.id, call.params.key)
    requireSeen(call.ifMatch, before, toWire(before))
    const fields = fieldsOf(op, call.body, before.disabledAt)
    const after = { ...before, ...fields, version: before.version + 1 }
    const entry: ChangeEntry = {
      event: 'access_key.changed',
      gives: widens(before, fields) ? await actingAs(op, application, after.scopes) : [],
      kind: 'access_key',
      id: before.id,
      applicationId: application.id,
      detail: { before: toWire(before), after: call.body },
    }
    await changeSeen(op, call, entry, (tx) => updateAccessKey(tx, before, fields))
    return { status: 200, body: toWire(after), version: after.version }
  },
})

export const deleteAccessKey = operation({
  id: 'deleteAccessKey',
  method: 'DELETE',
  path: '/applications/{id}/keys/{key}',
  summary: 'Delete an access key',
  scope: 'applications:write',
  answers: { 204: null },
  async handle(op, call) {
    const application = await requireApplication(op, call.caller, call.params.id)
    const before = await requireKey(op, application.id, call.params.key)
    requireSeen(call.ifMatch, before, toWire(before))
    const entry: ChangeEntry = {
      event: 'access_key.deleted',
      gives: [],
      kind: 'access_key',
      id: before.id,
      applicationId: application.id,
      detail: { before: toWire(before) },
    }
    await changeSeen(op, call, entry, (tx) => removeAccessKey(tx, before))
    return { status: 204 }
  },
})

export const keyRoutes = tagged('Access keys', [
  listAccessKeys,
  createAccessKey,
  getAccessKey,
  changeAccessKey,
  deleteAccessKey,
])
