import { authorize, resume } from './authorize'
import { discovery, jwks } from './discovery'
import type { Endpoint } from './endpoint'
import { introspect } from './introspect'
import { revoke } from './revoke'
import { token } from './token'
import { userinfo } from './userinfo'

/** What each endpoint answers; the hosts and the routes under app/ dispatch to these. */
export const authorizeEndpoint: Endpoint = {
  name: 'authorize',
  methods: { GET: authorize, POST: authorize },
  page: true,
}
export const resumeEndpoint: Endpoint = { name: 'resume', methods: { GET: resume }, page: true }
export const tokenEndpoint: Endpoint = { name: 'token', methods: { POST: token } }
export const introspectionEndpoint: Endpoint = {
  name: 'introspection',
  methods: { POST: introspect },
}
export const revocationEndpoint: Endpoint = { name: 'revocation', methods: { POST: revoke } }
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
export const jwksEndpoint: Endpoint = { name: 'jwks', methods: { GET: jwks }, cors: 'any' }
