import { createMcpHandler } from '@modelcontextprotocol/server'
import { MCP_PATH } from '../../access/portal-api'
import { NO_STORE, type Reply } from '../../base/http'
import { serverFor, type ToolCall } from './server'

/** One message and its answer, through the SDK. */

export async function exchange(asking: ToolCall, message: unknown): Promise<Reply> {
  const handler = createMcpHandler(() => serverFor(asking), {
    onerror: (error) => asking.op.log.debug({ err: error }, 'mcp'),
  })
  const response = await handler.fetch(toRequest(asking, message), { parsedBody: message })
  const body = await response.text()
  await handler.close()
  const type = response.headers.get('content-type')
  const headers = { ...NO_STORE, ...(type !== null && { 'Content-Type': type }) }
  return { status: response.status, headers, body }
}

const READ_HEADERS = ['accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

function toRequest({ op, incoming }: ToolCall, message: unknown): Request {
  const given = READ_HEADERS.flatMap((name) => {
    const value = incoming.headers.get(name)
    return value === null ? [] : [[name, value] as [string, string]]
  })
  return new Request(op.origin + MCP_PATH, {
    method: 'POST',
    headers: [...given, ['content-type', 'application/json']],
    body: JSON.stringify(message),
  })
}
