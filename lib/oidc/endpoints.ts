import { discovery, jwks } from './discovery'
import type { Endpoint } from './endpoint'
import { token } from './token'

/** What each endpoint answers; the hosts and the routes under app/ dispatch to these. */
export const tokenEndpoint: Endpoint = { name: 'token', methods: { POST: token } }
export const discoveryEndpoint: Endpoint = {
  name: 'discovery',
  methods: { GET: discovery },
  cors: 'any',
}
export const jwksEndpoint: Endpoint = { name: 'jwks', methods: { GET: jwks }, cors: 'any' }
