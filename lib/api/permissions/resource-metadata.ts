import { z } from 'zod'
import {
  bearerChallenge,
  listedScopes,
  publishedUrl,
  resourceMetadata,
  wellKnownOf,
} from '../../oidc/resource-metadata'
import { operation, tagged } from '../http/operation'
import { requireApiById } from './resource-overview'

/** What an API says about itself, so that clients find this portal (RFC 9728). */

const answer = z.object({
  document: z.object({
    resource: z.string(),
    authorization_servers: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
    resource_name: z.string(),
    resource_documentation: z.string().optional(),
  }),
  wellKnown: z.string().nullable().describe('Where the API serves the document, if it can'),
  published: z.string().nullable().describe('Where the portal serves it; null if it does not'),
  challenge: z
    .string()
    .nullable()
    .describe(
      '`WWW-Authenticate` of the API, together with 401; null if nobody serves the document',
    ),
  scopeChallenge: z
    .string()
    .nullable()
    .describe('`WWW-Authenticate` of the API if a scope is missing, together with 403'),
})

export const getResourceMetadata = operation({
  id: 'getResourceMetadata',
  method: 'GET',
  path: '/resources/{id}/metadata',
  summary: 'Read the protected resource metadata of an API, and the challenges to send',
  scope: 'resources:read',
  answers: { 200: answer },
  async handle(op, { params, snapshot }) {
    const api = await requireApiById(op, params.id)
    const { audience: resource, name, documentation } = api
    const scopes = listedScopes(snapshot.policy.items, api)
    const published = api.publishMetadata ? publishedUrl(op, api.prefix) : null
    const wellKnown = wellKnownOf(resource)
    const resource_metadata = published ?? wellKnown ?? undefined
    const scope = scopes[0] ?? `${api.prefix}:read`
    const document = resourceMetadata(op, { resource, name, scopes, documentation })
    return {
      status: 200,
      body: {
        document: { ...document, scopes_supported: [...scopes] },
        wellKnown,
        published,
        challenge: resource_metadata ? bearerChallenge({ scope, resource_metadata }) : null,
        scopeChallenge: resource_metadata
          ? bearerChallenge({ error: 'insufficient_scope', scope, resource_metadata })
          : null,
      },
    }
  },
})

export const resourceMetadataRoutes = tagged('Resources', [getResourceMetadata])
