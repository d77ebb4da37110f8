import { z } from 'zod'
import { PORTAL_SCOPE_NAMES } from '../../access/portal-api'
import { everywhere } from '../../i18n/compiled/everywhere'
import { API_BASE, LATEST, type TaggedOperation } from '../http/operation'
import { fieldProblemSchema, PROBLEMS } from '../http/problem'
import { portablePattern } from './portable-pattern'

/** OpenAPI 3.1 from the route table, so the document describes exactly what is served. */

const JSON_TYPE = 'application/json'
const PROBLEM_TYPE = 'application/problem+json'

type Schema = Record<string, unknown>

export function openapi(
  routes: readonly TaggedOperation[],
  origin: string,
  issuer: string,
): Schema & { openapi: string } {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Gatehouse API',
      version: '1',
      summary: 'Permissions, roles, applications and users, and decisions about them',
      description:
        'Call it with an access token of this portal whose audience is this API. Lists are paged with cursors. A change needs If-Match. An empty query parameter is the same as none. POST may carry an Idempotency-Key. Every error is a problem document (RFC 9457).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${origin}${API_BASE}` }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ oauth2: [] }],
    paths: pathsOf(routes),
    components: {
      securitySchemes: { oauth2: oauth2(issuer) },
      schemas: { Problem: problemSchema() },
      responses: Object.fromEntries(
        statuses().map((status) => [`Problem${status}`, problem(status)]),
      ),
    },
  }
}

function oauth2(issuer: string): Schema {
  const origin = new URL(issuer).origin
  const { portalScopes } = everywhere.en
  const scopes = Object.fromEntries(PORTAL_SCOPE_NAMES.map((scope) => [scope, portalScopes[scope]]))
  return {
    type: 'oauth2',
    description:
      'An access token of this portal, from client_credentials or the authorization code flow.',
    flows: { clientCredentials: { tokenUrl: `${origin}/oidc/token`, scopes } },
  }
}

function pathsOf(routes: readonly TaggedOperation[]): Schema {
  const paths: Record<string, Schema> = {}
  for (const route of routes) {
    const path = paths[route.path] ?? {}
    path[route.method.toLowerCase()] = operation(route)
    paths[route.path] = path
  }
  return paths
}

function operation(route: TaggedOperation): Schema {
  const { id, tag, summary, scope, also, body, example } = route
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(scope === 'public' ? { security: [] } : { security: [{ oauth2: [scope, ...also] }] }),
    parameters: parametersOf(route),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          [JSON_TYPE]: { schema: toSchema(body, 'input'), ...(example !== null && { example }) },
        },
      },
    }),
    responses: responsesOf(route),
  }
}

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}

export function parametersOf(route: Untagged): Parameter[] {
  return [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)]
}

/** What can be described of a call without making it. */
export type DescribedOperation = Omit<TaggedOperation, 'handle' | 'long'>
type Untagged = Omit<DescribedOperation, 'tag'>

const NAMED: Record<string, string> = {
  space: 'ID or key of a space',
  role: 'ID of a role; below a space also its key',
  key: 'The permission, such as orders:read; for a role also a pattern, such as orders:*',
  user: 'ID or user name of a user',
}

function pathParameters({ path }: Untagged): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(Object.hasOwn(NAMED, name) && { description: NAMED[name] ?? '' }),
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Untagged): Parameter[] {
  if (!query) return []
  const { properties = {}, required = [] } = toSchema(query, 'input') as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(typeof description === 'string' && { description }),
    schema,
  }))
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'For a day, the same request with the same key is performed once',
  schema: { type: 'string', maxLength: 255 },
}
const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: true,
  description: 'The ETag of the version that you have read, or * for any version',
  schema: { type: 'string' },
}
const IF_MATCH_SOMETIMES: Parameter = {
  ...IF_MATCH,
  required: false,
  description: `${IF_MATCH.description}; required to change an object that exists`,
}
const CONSISTENCY: Parameter = {
  name: 'Consistency',
  in: 'header',
  required: false,
  description: '`higher` answers from the latest data, without any cache',
  schema: { type: 'string', enum: [LATEST] },
}

function headerParameters({ method, scope, versioned }: Untagged): Parameter[] {
  if (scope === 'public') return []
  if (method === 'POST') return [IDEMPOTENCY_KEY, CONSISTENCY]
  if (method === 'GET') return [CONSISTENCY]
  if (versioned === 'sometimes') return [IF_MATCH_SOMETIMES]
  return versioned ? [IF_MATCH] : []
}

function responsesOf(route: TaggedOperation): Schema {
  const good = Object.entries(route.answers).map(([status, schema]) => [
    status,
    {
      description: status === '204' ? 'Done' : 'Success',
      ...(schema && { content: contentOf(route, toSchema(schema, 'output')) }),
    },
  ])
  const bad = problemsOf(route).map((status) => [
    status,
    { $ref: `#/components/responses/Problem${status}` },
  ])
  return Object.fromEntries([...good, ...bad])
}

function contentOf({ media }: TaggedOperation, schema: Schema): Schema {
  return Object.fromEntries(media.map((type) => [type, { schema }]))
}

export function problemsOf(route: Untagged): number[] {
  const { method, scope, body, versioned, mayBeMissing, mayConflict } = route
  if (scope === 'public') return [400, 414, 431, 500, 503]
  return [
    400,
    401,
    403,
    ...(mayBeMissing ? [404] : []),
    ...(mayConflict ? [409] : []),
    ...(versioned ? [412] : []),
    ...(body ? [413] : []),
    414,
    ...(body ? [415] : []),
    ...(method === 'POST' ? [422] : []),
    ...(versioned ? [428] : []),
    431,
    500,
    503,
  ]
}

function statuses(): number[] {
  return [...new Set(Object.values(PROBLEMS).map(([status]) => status))]
}

function problem(status: number): Schema {
  const titles = Object.values(PROBLEMS).flatMap(([code, title]) =>
    code === status ? [title] : [],
  )
  return {
    description: titles.join('; '),
    content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
  }
}

function problemSchema(): Schema {
  return toSchema(problemBody, 'output')
}

/** RFC 9457, with further members of this API. */
const problemBody = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.enum(Object.keys(PROBLEMS) as [string, ...string[]]),
  detail: z.string(),
  requestId: z.string(),
  errors: z.array(fieldProblemSchema).optional(),
  missing: z
    .array(z.string())
    .optional()
    .describe('With `forbidden`: what the change would give and the caller cannot give'),
  couldBeGivenBy: z
    .array(z.looseObject({ role: z.string().optional(), api: z.string().optional() }))
    .optional()
    .describe('With `missing`: the admin roles and the API owners that could give it'),
})

export function toSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => keepPortable(jsonSchema),
  })
  return rest
}

/** What a pattern cannot say to every reader of the document, the answer to a bad value says. */
function keepPortable(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.pattern === undefined) return
  const pattern = portablePattern(schema.pattern)
  if (pattern === null) delete schema.pattern
  else schema.pattern = pattern
}
