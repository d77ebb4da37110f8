import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  McpServer,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import type { Incoming } from '../../base/http'
import { onceFor } from '../../base/once-for'
import type { Op } from '../../context/op'
import { countAttempt } from '../../limits/attempts'
import type { Caller } from '../http/caller'
import { untypedClientFor, type VersionedBody } from '../http/client'
import { faultOf, isProblem, Problem, problemDocument } from '../http/problem'
import { confirmationFor, type UnconfirmedChange, unansweredFor } from './confirmation'
import { type Arguments, inputSchema, toInput } from './input'
import { type Tool, tools } from './tools'

/** The MCP server for one request of one caller. Nothing is kept between requests. */

export type ToolCall = { op: Op; caller: Caller; incoming: Incoming }

/** The current revision and the two before it. */
const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18']

const INSTRUCTIONS =
  'Gatehouse decides who may do what. Look before you change: explain_permission says why something is refused, preview_impact and dry_run_token show what a change would do. What the user lacks they may be able to ask for: list_requestable_permissions says what, and ask_for_access asks those who decide. A change answers with a link first: show it to the user, who confirms in the browser; then call the same tool with the same arguments again.'

export function serverFor(asking: ToolCall): McpServer {
  const server = new McpServer(
    { name: 'gatehouse', title: 'Gatehouse', version: '1' },
    {
      instructions: INSTRUCTIONS,
      supportedProtocolVersions: REVISIONS,
      capabilities: { tools: {} },
    },
  )
  for (const tool of tools.filter((one) => holds(asking.caller, one))) add(server, asking, tool)
  // Every request is answered by a new server, so none can tell that its list has changed.
  server.server.registerCapabilities({ tools: { listChanged: false } })
  return server
}

function holds({ scopes }: Caller, { operation: { scope, also } }: Tool): boolean {
  return [scope, ...also].every((one) => one === 'public' || scopes.has(one))
}

function add(server: McpServer, asking: ToolCall, tool: Tool): void {
  const { operation, changes } = tool
  const repeatable = operation.method === 'PUT' || operation.method === 'DELETE'
  server.registerTool(
    tool.name,
    {
      title: operation.summary,
      description: descriptionOf(tool),
      inputSchema: schemaOf(tool),
      annotations: {
        readOnlyHint: changes === undefined,
        destructiveHint: changes === 'removes',
        idempotentHint: changes === undefined || repeatable,
        openWorldHint: false,
      },
    },
    async (given) => {
      const elicits = server.server.getClientCapabilities()?.elicitation?.url !== undefined
      return answered(asking, tool, given as Arguments, elicits)
    },
  )
}

function descriptionOf({ operation, use, changes }: Tool): string {
  const confirmed = changes === undefined ? '' : ' The user confirms it in the browser first.'
  return `${operation.summary}. ${use}${confirmed}`
}

/** Only tells what to send: the operation checks it. */
const schemaOf = onceFor(({ operation }: Tool): StandardSchemaWithJSON => {
  const json = inputSchema(operation)
  return {
    '~standard': {
      version: 1,
      vendor: 'gatehouse',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  }
})

/** A refusal is a result that says why, so that the agent can do better. */
async function answered(
  asking: ToolCall,
  tool: Tool,
  given: Arguments,
  elicits: boolean,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    return await performed(asking, tool, given, elicits)
  } catch (error) {
    return failed(asking, error)
  }
}

async function performed(
  asking: ToolCall,
  tool: Tool,
  asked: Arguments,
  elicits: boolean,
): Promise<CallToolResult | InputRequiredResult> {
  const { op, caller, incoming } = asking
  const given = tool.changes ? await withUserId(op, asked) : asked
  const input = toInput(tool.operation, given)
  if (tool.changes) {
    await requireFewChanges(op, caller)
    const waiting = await unansweredFor(op, caller, tool, given)
    if (waiting) return askingFor(tool, waiting, elicits)
    await rehearse(asking, tool, given)
    const confirmation = await confirmationFor(op, caller, tool, given)
    if (!confirmation.confirmed) return askingFor(tool, confirmation, elicits)
  }
  const seen = await untypedClientFor(op, caller, incoming)(tool.operation, input)
  return toResult(contentOf(seen))
}

const MAX_IN_A_MINUTE = 60

/** A rehearsal holds up every other change of the policy, so nobody may have many of them. */
async function requireFewChanges(op: Op, { kind, id }: Caller): Promise<void> {
  const key = `mcp:change:${kind}:${id}`
  const wait = await countAttempt(op, [{ key, most: MAX_IN_A_MINUTE, windowMs: 60_000 }])
  if (wait === 0) return
  throw new Problem('slow_down', 'too many changes in a minute: wait, then call the tool again', {
    headers: { 'Retry-After': String(wait) },
  })
}

/** What is confirmed is for this user, whoever has the address or the user name later. */
async function withUserId(op: Op, given: Arguments): Promise<Arguments> {
  if (typeof given.user !== 'string') return given
  return { ...given, user: (await op.users.idOf(given.user)) ?? given.user }
}

class Rehearsed extends Error {}

/** Nobody is asked to confirm what would be refused: everything is done, and taken back. */
async function rehearse({ op, caller, incoming }: ToolCall, tool: Tool, given: Arguments) {
  const rolledBack = op.inOneTransaction(async (inside) => {
    await untypedClientFor(inside, caller, incoming)(tool.operation, toInput(tool.operation, given))
    throw new Rehearsed()
  })
  await rolledBack.catch((error) => {
    if (!(error instanceof Rehearsed)) throw error
  })
}

/**
 * In URL mode the client opens the page for the user. The answer of the client proves nothing: only
 * the page does.
 */
function askingFor(
  { operation }: Tool,
  { url, expiresAt }: UnconfirmedChange,
  elicits: boolean,
): CallToolResult | InputRequiredResult {
  const message = `${operation.summary}: confirm this change in the browser.`
  if (elicits) {
    return inputRequired({ inputRequests: { confirm: inputRequired.elicitUrl({ message, url }) } })
  }
  return {
    ...toResult({
      status: 'confirmation_needed',
      url,
      expiresAt: expiresAt.toISOString(),
      next: 'Show the link to the user. When they have confirmed, call this tool again with the same arguments.',
    }),
    isError: true,
  }
}

function contentOf({ body, version }: VersionedBody<unknown>): Record<string, unknown> {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const members = isObject ? { ...body } : body === null ? { done: true } : { data: body }
  return version === null ? members : { ...members, version }
}

function toResult(structuredContent: Record<string, unknown>): CallToolResult {
  const text = JSON.stringify(structuredContent)
  return { content: [{ type: 'text', text }], structuredContent }
}

function failed({ op, incoming: { requestId } }: ToolCall, error: unknown): CallToolResult {
  if (!isProblem(error)) op.report(error, requestId)
  const problem = isProblem(error) ? error : faultOf(op, error)
  const document = problemDocument(problem, { origin: op.origin, requestId })
  return { ...toResult(document), isError: true }
}
