import { mcpAudience, PORTAL_API_NAME, PORTAL_SCOPE_NAMES } from '../../access/portal-api'
import type { Op } from '../../context/op'
import { DOCS } from '../../docs/list'
import type { Endpoint } from '../../oidc/endpoint'
import { metadataReply } from '../../oidc/resource-metadata'
import { API_BASE } from '../http/operation'
import { READ_SCOPES } from './tools'

/** What the portal says about its own API (RFC 9728). */

export const apiMetadataEndpoint: Endpoint<Op> = {
  name: 'resource_metadata',
  methods: {
    GET: async (op) =>
      metadataReply(op, {
        resource: op.origin + API_BASE,
        name: PORTAL_API_NAME,
        scopes: PORTAL_SCOPE_NAMES,
        documentation: `${op.origin}${DOCS}/api`,
      }),
  },
  cors: 'any',
}

export const mcpMetadataEndpoint: Endpoint<Op> = {
  name: 'resource_metadata',
  methods: {
    GET: async (op) =>
      metadataReply(op, {
        resource: mcpAudience(op.origin),
        name: PORTAL_API_NAME,
        scopes: READ_SCOPES,
        documentation: `${op.origin}${DOCS}/how-to/agents`,
      }),
  },
  cors: 'any',
}
