import { z } from 'zod'
import { patternCovers } from '../../access/pattern'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import { findUser } from '../../store/accounts/users'
import {
  type ApplicationRecord,
  findApplication,
  listGranteePage,
  updateApplication,
} from '../../store/applications/applications'
import { type ApiRow, findApiById, itemKeysOf } from '../../store/permissions/apis'
import { addGrants, type GrantRow, listGrants, removeGrants } from '../../store/permissions/grants'
import { apisOwnedBy } from '../authority/authorize'
import { type ChangeEntry, change } from '../authority/change'
import { withGrantors } from '../authority/grantor'
import { privilegesOfGrants, writtenRow } from '../authority/privileges'
import { requireGrantsWithin } from '../authority/room'
import { type Call, operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { invalidField, notFound, requireFound } from '../http/problem'
import { requireSeen, requireWritten } from '../http/version'
import { requireExchangeable } from './exchange-grants'
import {
  applicationGrantSchema,
  applicationGrantWire,
  type GrantInput,
  toApplicationGrant,
} from './grants'

/**
 * The grants of applications for one API. API owners manage them without owning the applications.
 */

const holdingSchema = z.object({
  application: z.object({
    id: z.string(),
    name: z.string(),
    owner: z.string().nullable().describe('Name of the application owner'),
  }),
  grants: z.array(applicationGrantWire).describe('Grants for this API only'),
})

export type HoldingWire = z.infer<typeof holdingSchema>

/** An app manager sees only the APIs that they own; others are not found. */
async function requireGoverned(op: Op, call: Call, id: string): Promise<ApiRow> {
  const api = requireFound(await op.read((db) => findApiById(db, id)), 'no_api', id)
  const { caller, snapshot } = call
  if (!caller.ownOnly) return api
  if ((await apisOwnedBy(op, snapshot.policy, caller.id)).has(api.id)) return api
  throw notFound('no_api', id)
}

async function requireClient(op: Op, id: string): Promise<ApplicationRecord> {
  return requireFound(await op.read((db) => findApplication(db, id, null)), 'no_application', id)
}

/** Whether a pattern gives permissions of this API and of no other. */
async function belongsTo(op: Op, api: ApiRow): Promise<(pattern: string) => boolean> {
  const keys = new Set(await op.read((db) => itemKeysOf(db, api.id)))
  return (pattern) => keys.has(pattern) || patternCovers(`${api.prefix}:*`, pattern)
}

async function holdingOf(op: Op, { id, name, ownerId }: Named, grants: readonly GrantRow[]) {
  const owner = ownerId === null ? null : await op.read((db) => findUser(db, ownerId))
  const called = owner && (owner.name ?? owner.email ?? owner.username)
  return { application: { id, name, owner: called }, grants: grants.map(toApplicationGrant.back) }
}

type Named = Pick<ApplicationRecord, 'id' | 'name' | 'ownerId'>

async function grantsIn(op: Op, application: Named, api: ApiRow) {
  const isIts = await belongsTo(op, api)
  const all = await op.read((db) => listGrants(db, application.id))
  return all.filter(({ pattern }) => isIts(pattern))
}

async function requireIts(op: Op, api: ApiRow, asked: readonly GrantInput[]): Promise<void> {
  const known = new Set([`${api.prefix}:*`, ...(await op.read((db) => itemKeysOf(db, api.id)))])
  const at = asked.findIndex(({ pattern }) => !known.has(pattern))
  if (at !== -1)
    throw invalidField(`/grants/${at}/pattern`, errorMessage('unknown_permission_in_api'))
}

export const listResourceGrants = operation({
  id: 'listResourceGrants',
  method: 'GET',
  path: '/resources/{id}/applications',
  summary: 'List the applications that hold permissions of an API; for API owners and admins',
  scope: 'applications:read',
  query: listQuery(['name', 'createdAt']),
  answers: { 200: pageSchema(holdingSchema) },
  async handle(op, call) {
    const api = await requireGoverned(op, call, call.params.id)
    const { body } = await listed(
      op,
      call.query,
      {
        name: 'resource grants',
        filters: { apiId: api.id, prefix: api.prefix },
        list: listGranteePage,
      },
      (application) => application,
    )
    const { data, page } = body
    const holdings = await Promise.all(
      data.map(async (one) => holdingOf(op, one, await grantsIn(op, one, api))),
    )
    return { status: 200, body: { data: holdings, page } }
  },
})

export const getResourceGrants = operation({
  id: 'getResourceGrants',
  method: 'GET',
  path: '/resources/{id}/applications/{application}',
  summary: 'Read the grants of an application for an API',
  scope: 'applications:read',
  answers: { 200: holdingSchema },
  async handle(op, call) {
    const api = await requireGoverned(op, call, call.params.id)
    const application = await requireClient(op, call.params.application)
    const body = await holdingOf(op, application, await grantsIn(op, application, api))
    return { status: 200, body, version: application.version }
  },
})

export const replaceResourceGrants = operation({
  id: 'replaceResourceGrants',
  method: 'PUT',
  path: '/resources/{id}/applications/{application}',
  summary: 'Replace the grants of an application for an API; for API owners and admins',
  scope: 'applications:write',
  body: z.strictObject({ grants: z.array(applicationGrantSchema).max(1_000) }),
  example: { grants: [{ pattern: 'orders:read' }] },
  answers: { 200: holdingSchema },
  async handle(op, call) {
    const api = await requireGoverned(op, call, call.params.id)
    const application = await requireClient(op, call.params.application)
    const before = await grantsIn(op, application, api)
    requireSeen(call.ifMatch, application, await holdingOf(op, application, before))
    await requireIts(op, api, call.body.grants)
    await requireExchangeable(op, application.id, call.body.grants)
    const rows = withGrantors(call.caller, before, call.body.grants.map(toApplicationGrant.forth))
    const { policy } = await op.latestSnapshot()
    const asked = rows.map((row, at) => ({ ...writtenRow(row), at: `/grants/${at}/pattern` }))
    const { id, version } = application
    const entry: ChangeEntry = {
      event: 'application.grants_replaced',
      gives: privilegesOfGrants(policy, before.map(writtenRow), asked),
      kind: 'application',
      id,
      applicationId: id,
      detail: {
        api: api.prefix,
        before: before.map(toApplicationGrant.back),
        after: call.body.grants,
      },
    }
    await change(op, call, entry, async (tx) => {
      requireWritten(await updateApplication(tx, application, {}, op.now()))
      const gone = before.map((grant) => grant.id)
      await removeGrants(tx, { applicationId: id }, gone)
      await addGrants(tx, id, rows, op.now())
      await requireGrantsWithin(tx, id)
    })
    const body = await holdingOf(op, application, await grantsIn(op, application, api))
    return { status: 200, body, version: version + 1 }
  },
})

export const resourceGrantRoutes = tagged('Resources', [
  listResourceGrants,
  getResourceGrants,
  replaceResourceGrants,
])
