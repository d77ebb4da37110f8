import { z } from 'zod'
import type { PortalScope } from '../../access/portal-api'
import type { Op } from '../../context/op'
import {
  type Hit,
  rankedFor,
  STORED_KINDS,
  type StoredKind,
  searchNames,
} from '../../store/applications/search'
import { findSpace } from '../../store/permissions/spaces'
import type { Caller } from '../http/caller'
import { operation, tagged } from '../http/operation'
import { idSchema } from '../http/schemas'
import { requireSpace } from '../permissions/spaces'

/** Kinds that are part of the settings. */
const SETTING_KINDS = ['provider', 'attribute'] as const
type SettingKind = (typeof SETTING_KINDS)[number]

const SEARCH_KINDS = [...STORED_KINDS, ...SETTING_KINDS] as const
export type SearchKind = StoredKind | SettingKind

/** The scope that opens a list also allows searching it. */
export const SEARCH_SCOPES: Record<SearchKind, PortalScope> = {
  application: 'applications:read',
  user: 'users:read',
  group: 'users:read',
  role: 'roles:read',
  api: 'resources:read',
  permission: 'permissions:read',
  space: 'spaces:read',
  webhook: 'webhooks:read',
  provider: 'settings:read',
  attribute: 'settings:read',
}

const hitSchema = z.object({
  kind: z.enum(SEARCH_KINDS),
  id: z.string().describe('The ID; of a permission or a user attribute, its key'),
  name: z.string(),
  hint: z.string().nullable(),
  within: z
    .string()
    .nullable()
    .describe(
      'The ID of what it belongs to: the API of a permission, the space of a role, an API or an application',
    ),
})

export type HitWire = z.infer<typeof hitSchema>

function isStored(kind: SearchKind): kind is StoredKind {
  return STORED_KINDS.some((stored) => stored === kind)
}

function kindsFor({ scopes }: Caller, asked: SearchKind | undefined): SearchKind[] {
  const kinds = SEARCH_KINDS.filter((kind) => asked === undefined || kind === asked)
  return kinds.filter((kind) => scopes.has(SEARCH_SCOPES[kind]))
}

function settingHits(op: Op, kinds: readonly SearchKind[]): Hit<SettingKind>[] {
  const { providers, userAttributes } = op.settings.known()
  const hitsOf: Record<SettingKind, () => Hit<SettingKind>[]> = {
    provider: () =>
      providers.map(({ id, name }) => ({ kind: 'provider', id, name, hint: id, within: null })),
    attribute: () =>
      userAttributes.map(({ key, name }) => ({
        kind: 'attribute',
        id: key,
        name,
        hint: key,
        within: null,
      })),
  }
  return SETTING_KINDS.filter((kind) => kinds.includes(kind)).flatMap((kind) => hitsOf[kind]())
}

function containing(hits: readonly Hit<SettingKind>[], q: string | undefined) {
  const wanted = (q ?? '').toLowerCase()
  return hits.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(wanted))
}

/** Only whoever may read spaces learns whether one exists; to others it has nothing in it. */
async function spaceIdOf(op: Op, { scopes }: Caller, space: string | undefined) {
  if (space === undefined) return undefined
  if (scopes.has('spaces:read')) return (await requireSpace(op, space)).id
  return (await op.read((db) => findSpace(db, space)))?.id ?? space
}

export const search = operation({
  id: 'search',
  method: 'GET',
  path: '/search',
  summary:
    'Search applications, users, groups, roles, APIs, permissions and more by name, as far as the caller may see them',
  scope: 'applications:read',
  mayBeMissing: true,
  query: z.strictObject({
    q: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('What to search for; if it is missing, the first by name are returned'),
    kind: z.enum(SEARCH_KINDS).optional().describe('Only results of this kind'),
    space: idSchema.optional().describe('Only roles, APIs and permissions of this space'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(20)
      .default(5)
      .describe('Number of results of each kind'),
  }),
  answers: { 200: z.object({ data: z.array(hitSchema) }) },
  async handle(op, { caller, query }) {
    const { q, limit, kind, space } = query
    const kinds = kindsFor(caller, kind)
    const spaceId = await spaceIdOf(op, caller, space)
    const stored = await op.readReplica((db) =>
      searchNames(db, {
        q: q ?? null,
        limit,
        spaceId,
        kinds: kinds.filter(isStored),
        ownerId: caller.ownOnly ? caller.id : null,
        databaseKind: op.databaseKind,
      }),
    )
    const settings = containing(settingHits(op, kinds), q).slice(0, limit)
    const data = [...stored, ...settings]
    return { status: 200, body: { data: q === undefined ? data : rankedFor(q, data) } }
  },
})

export const searchRoutes = tagged('Search', [search])
