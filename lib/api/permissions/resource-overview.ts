import { z } from 'zod'
import { patternsCovering } from '../../access/search'
import type { Op } from '../../context/op'
import { namesOf } from '../../store/database/names'
import { type ApiRow, findApiById, listApiPage, listItemPage } from '../../store/permissions/apis'
import { type GrantHolding, listHoldings } from '../../store/permissions/grants'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { requireFound } from '../http/problem'
import { idSchema, isYes, termsWire, yesOrNo } from '../http/schemas'
import { toApplicationGrant } from './grants'
import { resourceSchema, resourceToWire } from './resources'
import { requireSpace } from './spaces'

/** APIs of all spaces, and who holds what of an API. */

const MAX_HOLDERS = 100

const holderSchema = z.object({
  type: z.enum(['application', 'role', 'user']),
  id: z.string(),
  name: z.string(),
  pattern: z.string(),
  exchangeFrom: z.string().nullable().describe('Only for a token exchange of its tokens'),
  request: z.string().nullable().describe('The access request that gave it'),
  ...termsWire,
})
const heldSchema = z.object({
  permission: z.string(),
  holders: z.array(holderSchema),
  /** The number of all, up to 10 000; at most 100 are listed. */
  total: z.number(),
})
export type HeldWire = z.infer<typeof heldSchema>

export async function requireApiById(op: Op, id: string): Promise<ApiRow> {
  return requireFound(await op.read((db) => findApiById(db, id)), 'no_api', id)
}

export const listAllResources = operation({
  id: 'listAllResources',
  method: 'GET',
  path: '/resources',
  summary: 'List the APIs of every space',
  scope: 'resources:read',
  mayBeMissing: true,
  query: listQuery(['name', 'prefix', 'audience', 'createdAt'], {
    space: idSchema.optional().describe('ID or key of a space'),
    enabled: yesOrNo.optional(),
  }),
  answers: { 200: pageSchema(resourceSchema) },
  async handle(op, { query }) {
    const space = query.space === undefined ? null : await requireSpace(op, query.space)
    const filters = { spaceId: space?.id, enabled: isYes(query.enabled) }
    return listed(op, query, { name: 'all resources', filters, list: listApiPage }, resourceToWire)
  },
})

export const getResourceById = operation({
  id: 'getResourceById',
  method: 'GET',
  path: '/resources/{id}',
  summary: 'Read an API by its ID or prefix, in any space',
  scope: 'resources:read',
  answers: { 200: resourceSchema },
  async handle(op, { params }) {
    const api = await requireApiById(op, params.id)
    return { status: 200, body: resourceToWire(api), version: api.version }
  },
})

export const listHolders = operation({
  id: 'listHolders',
  method: 'GET',
  path: '/resources/{id}/holders',
  summary: 'List which applications, roles and users hold each permission of an API',
  scope: 'permissions:explain',
  query: listQuery(['key', 'createdAt']),
  answers: { 200: pageSchema(heldSchema) },
  async handle(op, { params, query }) {
    const api = await requireApiById(op, params.id)
    const { status, body } = await listed(
      op,
      query,
      { name: 'holders', filters: { api: api.id }, list: listItemPage },
      ({ key }) => key,
    )
    const { data, page } = body
    return { status, body: { data: await held(op, data), page } }
  },
})

export const resourceOverviewRoutes = tagged('Resources', [
  listAllResources,
  getResourceById,
  listHolders,
])

async function held(op: Op, items: string[]) {
  const found = await op.read((db) =>
    Promise.all(items.map((item) => listHoldings(db, patternsCovering(item), MAX_HOLDERS))),
  )
  const all = found.flatMap(({ holdings }) => holdings)
  const ids = (wanted: GrantHolding['kind']) =>
    all.filter(({ kind }) => kind === wanted).map(({ holderId }) => holderId)
  const names = await op.read((db) =>
    namesOf(db, { applications: ids('application'), roles: ids('role'), users: ids('user') }),
  )
  return items.map((permission, at) => ({
    permission,
    total: found[at]?.total ?? 0,
    holders: (found[at]?.holdings ?? [])
      .map((one) => toHolder(one, names.get(one.holderId) ?? one.holderId))
      .sort((a, b) => a.name.localeCompare(b.name)),
  }))
}

function toHolder({ kind, holderId, requestId: request, ...grant }: GrantHolding, name: string) {
  const terms = { ...toApplicationGrant.back(grant), effect: grant.effect }
  return { type: kind, name, request, ...terms, id: holderId }
}
