// An MCP server whose tools are protected by the portal: everybody with orders:read sees orders, and
// orders:refund is asked for when a refund is tried. Streamable HTTP, without sessions.
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  McpServer,
  OAuthError,
  OAuthErrorCode,
  requireBearerAuth,
  requireScopes,
} from '@modelcontextprotocol/server'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { z } from 'zod'

const { ISSUER = 'http://localhost:3000', PORT = '3003' } = process.env
const { RESOURCE = `http://localhost:${PORT}/mcp` } = process.env
const ORDERS = [
  { id: 1001, item: 'Brass bell', total: '40.00' },
  { id: 1002, item: 'Oak gate', total: '1200.00' },
]

const discovery = await fetch(`${ISSUER}/.well-known/openid-configuration`)
const { issuer, jwks_uri } = await discovery.json()
if (issuer !== ISSUER) throw new Error(`${ISSUER} calls itself ${issuer}`)
const keys = createRemoteJWKSet(new URL(jwks_uri))

/** RFC 9728: whoever is refused here learns from this where to get a token. */
const resource = new URL(RESOURCE)
const metadataUrl = getOAuthProtectedResourceMetadataUrl(resource)
const metadata = {
  resource: RESOURCE,
  authorization_servers: [issuer],
  scopes_supported: ['orders:read'],
  bearer_methods_supported: ['header'],
  resource_name: 'Orders',
}

/** A token for another address is refused, whoever it was issued to. */
async function verifyAccessToken(token) {
  const expected = { issuer, audience: RESOURCE, typ: 'at+jwt', algorithms: ['ES256', 'RS256'] }
  const { payload } = await jwtVerify(token, keys, expected).catch(() => {
    throw new OAuthError(OAuthErrorCode.InvalidToken, 'the access token is not valid')
  })
  const { client_id: clientId, scope = '', exp: expiresAt, sub } = payload
  return { token, clientId, scopes: scope.split(' '), expiresAt, resource, extra: { sub } }
}

function serverFor({ authInfo }) {
  const server = new McpServer({ name: 'orders', version: '1.0.0' })
  const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] })
  server.registerTool(
    'list_orders',
    { description: 'List the orders', annotations: { readOnlyHint: true } },
    async () => text({ for: authInfo.extra.sub, orders: ORDERS }),
  )
  server.registerTool(
    'refund_order',
    {
      description: 'Refund an order',
      inputSchema: z.object({ id: z.number().int() }),
      annotations: { destructiveHint: true },
      // 403 with the scope that is missing: the client asks the user for it and comes back.
      scopeChallenge: requireScopes('orders:read', 'orders:refund'),
    },
    async ({ id }) => text({ refunded: id, by: authInfo.extra.sub }),
  )
  return server
}

const gate = requireBearerAuth({
  verifier: { verifyAccessToken },
  requiredScopes: ['orders:read'],
  resourceMetadataUrl: metadataUrl,
  expectedResource: resource,
})
const mcp = createMcpHandler(serverFor)

async function answer(request) {
  const { pathname } = new URL(request.url)
  if (pathname === new URL(metadataUrl).pathname) return Response.json(metadata)
  if (pathname !== resource.pathname) return new Response(null, { status: 404 })
  // A page of another site must not reach a server on this machine (DNS rebinding).
  if (request.headers.has('origin')) return new Response(null, { status: 403 })
  const auth = await gate(request)
  return auth instanceof Response ? auth : mcp.fetch(request, { authInfo: auth })
}

/** From node:http to a web request; null if it is none, such as TRACE or the path `//`. */
function toRequest(incoming, signal) {
  const { method, headers } = incoming
  const body = method === 'POST' ? incoming : undefined
  try {
    const url = new URL(incoming.url, resource.origin)
    return new Request(url, { method, headers, body, signal, duplex: 'half' })
  } catch {
    return null
  }
}

async function serve(incoming, outgoing) {
  if (incoming.headers.host !== resource.host) return outgoing.writeHead(421).end()
  const gone = new AbortController()
  outgoing.on('close', () => gone.abort())
  const request = toRequest(incoming, gone.signal)
  if (!request) return outgoing.writeHead(400).end()
  const response = await answer(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).flushHeaders()
  if (!response.body) return outgoing.end()
  // Piece by piece: what is listened to has no end.
  await pipeline(Readable.fromWeb(response.body), outgoing)
}

const server = createServer((incoming, outgoing) => {
  serve(incoming, outgoing).catch((error) => {
    // Whoever asked has left, or something is wrong here: neither stops the server.
    if (!outgoing.destroyed) console.error(error)
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(500).end()
  })
})
server.listen(Number(PORT), 'localhost', () => {
  console.log(`The MCP server is at ${RESOURCE}`)
})
