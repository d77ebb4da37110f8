import { authorizeAfter, type Prepare, resume } from './authorize'
import { deviceAuthorization } from './device-authorization'
import { discovery, jwks } from './discovery'
import { endSession } from './end-session'
import type { Endpoint } from './endpoint'
import { introspect } from './introspect'
import type { Provider } from './provider'
import { publishedMetadata } from './resource-metadata'
import { revoke } from './revoke'
import { token } from './token'
import { userinfo } from './userinfo'

/** The handlers of each endpoint; the hosts and the routes under app/ dispatch to them. */
export function authorizeEndpoint<O extends Provider>(prepare: Prepare<O>): Endpoint<O> {
  const handler = authorizeAfter(prepare)
  return {
    name: 'authorize',
    methods: { GET: handler, POST: handler },
    page: 'signIn',
    noHead: true,
  }
}
export const resumeEndpoint: Endpoint = {
  name: 'resume',
  methods: { GET: resume },
  page: 'signIn',
  noHead: true,
}
export const tokenEndpoint: Endpoint = {
  name: 'token',
  methods: { POST: token },
  cors: 'registered',
}
export const deviceAuthorizationEndpoint: Endpoint = {
  name: 'device_authorization',
  methods: { POST: deviceAuthorization },
  cors: 'registered',
}
export const introspectionEndpoint: Endpoint = {
  name: 'introspection',
  methods: { POST: introspect },
}
export const revocationEndpoint: Endpoint = {
  name: 'revocation',
  methods: { POST: revoke },
  cors: 'registered',
}
export const userinfoEndpoint: Endpoint = {
  name: 'userinfo',
  methods: { GET: userinfo, POST: userinfo },
  cors: 'any',
}
export const discoveryEndpoint: Endpoint = {
  name: 'discovery',
  methods: { GET: discovery },
  cors: 'any',
}
export const publishedMetadataEndpoint: Endpoint = {
  name: 'resource_metadata',
  methods: { GET: publishedMetadata },
  cors: 'any',
}
export const jwksEndpoint: Endpoint = { name: 'jwks', methods: { GET: jwks }, cors: 'any' }
export const endSessionEndpoint: Endpoint = {
  name: 'end_session',
  methods: { GET: endSession, POST: endSession },
  page: 'signOut',
  noHead: true,
}
