import { z } from 'zod'
import type { PortalScope } from '../../access/portal-api'
import { SEARCHED, type SearchKind, searchNames } from '../../store/search'
import type { Caller } from '../caller'
import { operation } from '../operation'

/** The scope that opens a list also allows searching it. */
const SCOPE_OF: Record<SearchKind, PortalScope> = {
  application: 'applications:read',
  user: 'users:read',
  group: 'users:read',
  role: 'roles:read',
  api: 'resources:read',
}

const hitSchema = z.object({
  kind: z.enum(SEARCHED),
  id: z.string(),
  name: z.string(),
  hint: z.string().nullable(),
})

export type HitWire = z.infer<typeof hitSchema>

function kindsFor({ scopes }: Caller): SearchKind[] {
  return SEARCHED.filter((kind) => scopes.has(SCOPE_OF[kind]))
}

export const search = operation({
  id: 'search',
  method: 'GET',
  path: '/search',
  tag: 'Search',
  summary:
    'Search applications, users, groups, roles and APIs by name, as far as the caller may see them',
  scope: 'applications:read',
  query: z.strictObject({
    q: z.string().trim().min(1).max(200).describe('What to search for'),
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
    const data = await op.readReplica((db) =>
      searchNames(db, {
        ...query,
        kinds: kindsFor(caller),
        ownerId: caller.ownOnly ? caller.id : null,
        databaseKind: op.databaseKind,
      }),
    )
    return { status: 200, body: { data } }
  },
})

export const searchRoutes = [search]
