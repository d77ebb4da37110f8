import { z } from 'zod'
import { mcpAudience } from '../../access/portal-api'
import { addressOf } from '../../access/resource'
import { withoutUndefined } from '../../base/without-undefined'
import type { Op, Transaction } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { errorMessage, rule } from '../../i18n/error-message'
import { ACCESS_TOKEN_TYPES } from '../../oidc/client'
import {
  type ApiOwner,
  replaceApiOwners,
  replaceIntrospectors,
} from '../../store/permissions/api-owners'
import {
  type ApiRow,
  findApi,
  insertApi,
  listApiPage,
  removeApi,
  updateApi,
} from '../../store/permissions/apis'
import { subjectExists } from '../../store/permissions/assignments'
import { type ChangeEntry, change } from '../authority/change'
import { actorOf } from '../http/caller'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { invalidField, requireFound } from '../http/problem'
import { idSchema, nameSchema, prefixSchema, stampsWire } from '../http/schemas'
import { requireSeen, requireWritten } from '../http/version'
import { wireOf } from '../http/wire'
import { tellEndedWithApi } from '../requests/news'
import { requireSpace } from './spaces'

/**
 * APIs (`resource` on the wire): audience, prefix, and the lifetime and signature of their tokens.
 */

const metadata = {
  subpaths: z
    .boolean()
    .describe(
      'Addresses below the audience name the API too: a token is then for the address that `resource` names',
    ),
  publishMetadata: z
    .boolean()
    .describe('The portal serves its protected resource metadata (RFC 9728) to everybody'),
  documentation: z
    .url({ protocol: /^https?$/ })
    .max(255)
    .nullable()
    .describe('For developers: `resource_documentation` of the metadata'),
}

const governance = {
  owners: z
    .array(z.strictObject({ type: z.enum(['user', 'group']), id: idSchema }))
    .max(50)
    .describe(
      'API owners: users and groups that grant its permissions to applications, besides admins',
    ),
  openToAppManagers: z
    .boolean()
    .describe(
      'App managers may grant its permissions to their own applications, except sensitive ones and those that require a role',
    ),
  introspectors: z
    .array(idSchema)
    .max(50)
    .describe(
      'Applications that may introspect its tokens, besides the clients that the tokens were issued to',
    ),
}

const tokenTypeSchema = z
  .enum(ACCESS_TOKEN_TYPES)
  .describe('`typ` of its tokens (RFC 9068 §2.1); `JWT` for an API whose library knows no other')

export const resourceSchema = z.object({
  id: z.string(),
  space: z.string(),
  audience: z.string(),
  prefix: z.string(),
  name: z.string(),
  tokenSeconds: z.number(),
  tokenAlg: z.enum(['ES256', 'RS256']).nullable(),
  tokenType: tokenTypeSchema,
  enabled: z.boolean(),
  ...metadata,
  documentation: z.string().nullable(),
  ...governance,
  ...stampsWire,
})

export type ResourceWire = z.infer<typeof resourceSchema>

const fields = z.strictObject({
  audience: z
    .url({ protocol: /^https?$|^urn$/ })
    .max(255)
    .refine((uri) => !uri.includes('#'), rule('audience_fragment')),
  prefix: prefixSchema,
  name: nameSchema,
  tokenSeconds: z.number().int().min(60).max(86_400),
  tokenAlg: z.enum(['ES256', 'RS256']).nullable(),
  tokenType: tokenTypeSchema,
  enabled: z.boolean(),
  ...metadata,
  ...governance,
})
export const resourceContent = fields.extend({
  subpaths: metadata.subpaths.default(false),
  publishMetadata: metadata.publishMetadata.default(false),
  documentation: metadata.documentation.default(null),
  owners: governance.owners.default([]),
  openToAppManagers: governance.openToAppManagers.default(false),
  introspectors: governance.introspectors.default([]),
  tokenSeconds: fields.shape.tokenSeconds.default(3_600),
  tokenAlg: fields.shape.tokenAlg.default(null),
  tokenType: tokenTypeSchema.default('at+jwt'),
  enabled: fields.shape.enabled.default(true),
})

export function resourceToWire(row: ApiRow) {
  const enabled = row.disabledAt === null
  return wireOf(resourceSchema, row, { space: row.spaceId, enabled })
}

async function requireApi(op: Op, space: string, id: string): Promise<ApiRow> {
  const { id: spaceId } = await requireSpace(op, space)
  return requireFound(await op.read((db) => findApi(db, spaceId, id)), 'no_api', id)
}

type Address = { audience: string; subpaths: boolean }

/**
 * The addresses of the portal's own API cannot be used by another API, nor can one cover them.
 * Addresses below an audience need one that is an address itself.
 */
export function requireUsableAudience(
  op: Op,
  { audience, subpaths }: Address,
  pointer = '/audience',
): void {
  const own = [op.issuer, mcpAudience(op.origin)]
  if (own.includes(audience) || audience.startsWith(`${op.origin}/api/`)) {
    throw invalidField(pointer, errorMessage('audience_reserved'))
  }
  if (!subpaths) return
  const address = addressOf(audience)
  if (!address) throw invalidField(pointer, errorMessage('audience_no_address'))
  if (address.origin === op.origin) throw invalidField(pointer, errorMessage('audience_reserved'))
}

type Governance = {
  owners?: readonly ApiOwner[] | undefined
  introspectors?: readonly string[] | undefined
}

/** API owners and introspectors must exist. */
async function requireKnown(
  op: Op,
  { owners = [], introspectors = [] }: Governance,
): Promise<void> {
  const subjects = [
    ...owners.map((owner, at) => ({ ...owner, pointer: `/owners/${at}/id` })),
    ...introspectors.map((id, at) => ({
      type: 'client' as const,
      id,
      pointer: `/introspectors/${at}`,
    })),
  ]
  for (const { type, id, pointer } of subjects) {
    if (await op.read((db) => subjectExists(db, type, id))) continue
    throw invalidField(pointer, errorMessage(`unknown_subject_${type}`))
  }
}

async function saveGovernance(
  tx: Transaction,
  apiId: string,
  { owners, introspectors }: Governance,
): Promise<void> {
  if (owners) await replaceApiOwners(tx, apiId, owners)
  if (introspectors) await replaceIntrospectors(tx, apiId, introspectors)
}

export const listResources = operation({
  id: 'listResources',
  method: 'GET',
  path: '/spaces/{space}/resources',
  summary: 'List the APIs of a space',
  scope: 'resources:read',
  query: listQuery(['prefix', 'name', 'createdAt']),
  answers: { 200: pageSchema(resourceSchema) },
  async handle(op, { params, query }) {
    const { id: spaceId } = await requireSpace(op, params.space)
    return listed(
      op,
      query,
      { name: 'resources', filters: { spaceId }, list: listApiPage },
      resourceToWire,
    )
  },
})

export const createResource = operation({
  id: 'createResource',
  method: 'POST',
  path: '/spaces/{space}/resources',
  summary: 'Create an API',
  scope: 'resources:write',
  body: resourceContent,
  example: { audience: 'https://orders.example.com', prefix: 'orders', name: 'Orders' },
  answers: { 201: resourceSchema },
  async handle(op, call) {
    const { id: spaceId } = await requireSpace(op, call.params.space)
    const { enabled, owners, introspectors, ...body } = call.body
    await requireKnown(op, { owners, introspectors })
    requireUsableAudience(op, body)
    const id = newId('api')
    const detail = { after: call.body }
    const entry: ChangeEntry = {
      event: 'resource.created',
      gives: [],
      kind: 'resource',
      id,
      detail,
    }
    const row = await change(op, call, entry, async (tx) => {
      const disabledAt = enabled ? null : op.now()
      const created = await insertApi(tx, { id, spaceId, ...body, disabledAt }, op.now())
      await saveGovernance(tx, id, { owners, introspectors })
      return { ...created, owners, introspectors }
    })
    return { status: 201, body: resourceToWire(row), version: row.version }
  },
})

const getResource = operation({
  id: 'getResource',
  method: 'GET',
  path: '/spaces/{space}/resources/{id}',
  summary: 'Read an API',
  scope: 'resources:read',
  answers: { 200: resourceSchema },
  async handle(op, { params }) {
    const row = await requireApi(op, params.space, params.id)
    return { status: 200, body: resourceToWire(row), version: row.version }
  },
})

export const changeResource = operation({
  id: 'changeResource',
  method: 'PATCH',
  path: '/spaces/{space}/resources/{id}',
  summary: 'Change an API',
  scope: 'resources:write',
  body: fields.omit({ prefix: true }).partial(),
  example: { tokenSeconds: 600 },
  answers: { 200: resourceSchema },
  async handle(op, call) {
    const before = await requireApi(op, call.params.space, call.params.id)
    requireSeen(call.ifMatch, before, resourceToWire(before))
    const { id, version } = before
    const { enabled, owners, introspectors, ...rest } = call.body
    await requireKnown(op, { owners, introspectors })
    const { audience = before.audience, subpaths = before.subpaths } = rest
    if (audience !== before.audience || subpaths !== before.subpaths) {
      requireUsableAudience(op, { audience, subpaths })
    }
    const now = op.now()
    const fields = {
      ...withoutUndefined(rest),
      ...(enabled !== undefined && { disabledAt: enabled ? null : (before.disabledAt ?? now) }),
    }
    const detail = { before: resourceToWire(before), after: call.body }
    const entry: ChangeEntry = {
      event: 'resource.changed',
      gives: [],
      kind: 'resource',
      id,
      detail,
    }
    await change(op, call, entry, async (tx) => {
      requireWritten(await updateApi(tx, before, fields, now))
      await saveGovernance(tx, id, { owners, introspectors })
    })
    const governed = withoutUndefined({ owners, introspectors })
    const after = { ...before, ...fields, ...governed, updatedAt: now }
    return { status: 200, body: resourceToWire(after), version: version + 1 }
  },
})

export const deleteResource = operation({
  id: 'deleteResource',
  method: 'DELETE',
  path: '/spaces/{space}/resources/{id}',
  summary: 'Delete an API with its permissions',
  scope: 'resources:write',
  answers: { 204: null },
  async handle(op, call) {
    const before = await requireApi(op, call.params.space, call.params.id)
    requireSeen(call.ifMatch, before, resourceToWire(before))
    const { id } = before
    const detail = { before: resourceToWire(before) }
    const entry: ChangeEntry = {
      event: 'resource.deleted',
      gives: [],
      kind: 'resource',
      id,
      // Users and applications lose what requests gave them.
      touches: [{ kind: 'all' }],
      detail,
    }
    await change(op, call, entry, async (tx, audit) => {
      const { count, ended } = await removeApi(tx, before, op.now())
      requireWritten(count)
      await tellEndedWithApi(op, tx, audit, ended, actorOf(call))
    })
    return { status: 204 }
  },
})

export const resourceRoutes = tagged('Resources', [
  listResources,
  createResource,
  getResource,
  changeResource,
  deleteResource,
])
