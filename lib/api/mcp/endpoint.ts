import { mcpAudience } from '../../access/portal-api'
import type { Incoming, Reply } from '../../base/http'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import type { Endpoint } from '../../oidc/endpoint'
import { type Caller, identifyByToken } from '../http/caller'
import { parseJson, problemAnswer, readJsonText } from '../http/endpoint'
import { permit } from '../http/perform'
import { Problem } from '../http/problem'
import { toolNamed } from './tools'

/**
 * POST /mcp: the portal as an MCP server over streamable HTTP. Every request stands alone, so any
 * instance can answer it; there are no sessions and no streams to keep open.
 */

const BODY_LIMIT = 256 * 1024
const ALLOW = 'POST, OPTIONS'

export const mcpEndpoint: Endpoint<Op> = {
  name: 'mcp',
  methods: {},
  cors: 'registered',
  any: (op, incoming) =>
    answerMcp(op, incoming).catch((error) => problemAnswer(op, incoming, error)),
}

async function answerMcp(op: Op, incoming: Incoming): Promise<Reply> {
  if (incoming.method === 'OPTIONS') return PREFLIGHT
  await requireKnownOrigin(op, incoming)
  if (incoming.method !== 'POST') {
    throw new Problem('method_not_allowed', `this path supports only ${ALLOW}`, {
      headers: { Allow: ALLOW },
    })
  }
  const caller = await identifyByToken(op, incoming, mcpAudience(op.origin))
  const message = parseJson(await readJsonText(incoming, BODY_LIMIT))
  requireServed(op, caller, message)
  // The SDK is loaded with the first message: most portals never get one.
  const { exchange } = await import('./exchange')
  return exchange({ op, caller, incoming }, message)
}

const PREFLIGHT: Reply = {
  status: 204,
  headers: {
    Allow: ALLOW,
    'Access-Control-Allow-Methods': ALLOW,
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
    'Access-Control-Expose-Headers': 'WWW-Authenticate',
    'Access-Control-Max-Age': '600',
  },
  body: '',
}

/** MCP, security of streamable HTTP: no page of another site may reach the server. */
async function requireKnownOrigin(op: Op, { headers }: Incoming): Promise<void> {
  const origin = headers.get('origin')
  if (origin === null || origin === op.origin || (await op.isRegisteredOrigin(origin))) return
  throw new Problem('forbidden', errorMessage('origin_unknown'))
}

/** A call without its scope is refused over HTTP, so that the client can ask for more. */
function requireServed(op: Op, caller: Caller, message: unknown): void {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    throw new Problem('malformed', 'the body must be one JSON-RPC message')
  }
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } }
  if (method === 'subscriptions/listen') {
    throw new Problem('malformed', 'nothing can be subscribed to here')
  }
  const tool = method === 'tools/call' ? toolNamed(params?.name) : undefined
  if (tool) permit(op, tool.operation, caller)
}
