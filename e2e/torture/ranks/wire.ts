import { Agent, request } from 'node:http'
import { API_BASE } from '../../../lib/api/http/operation'
import { type Answer, type Fields, FORM } from '../../support/ask'

/** Thousands of calls a minute: connections are kept. */

const agent = new Agent({ keepAlive: true, maxSockets: 16 })
const JSON_TYPE = { 'content-type': 'application/json' }

// biome-ignore lint/suspicious/noExplicitAny: what a route answers, its schema says elsewhere
export type WireAnswer = Answer & { json: any }

export function send(
  origin: string,
  method: string,
  path: string,
  headers: Fields,
  body = '',
): Promise<Answer> {
  const { hostname: host, port } = new URL(origin)
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, host, port, method, path, headers: { ...headers, ...length } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Fields,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** `who`: the headers of a token or a session. */
export async function callAs(
  origin: string,
  who: Fields,
  method: string,
  path: string,
  body?: unknown,
  more: Fields = {},
): Promise<WireAnswer> {
  const headers = { ...who, ...(body !== undefined && JSON_TYPE), ...more }
  const text = body === undefined ? '' : JSON.stringify(body)
  const answer = await send(origin, method, `${API_BASE}${path}`, headers, text)
  return { ...answer, json: parsed(answer.body) }
}

export function askForToken(origin: string, fields: Fields): Promise<WireAnswer> {
  return sendForm(origin, '/oidc/token', fields)
}

/** `fields`: the token, and a proof of the client that asks. */
export function introspect(origin: string, fields: Fields): Promise<WireAnswer> {
  return sendForm(origin, '/oidc/token/introspection', fields)
}

async function sendForm(origin: string, path: string, fields: Fields): Promise<WireAnswer> {
  const body = new URLSearchParams(fields).toString()
  const answer = await send(origin, 'POST', path, FORM, body)
  return { ...answer, json: parsed(answer.body) }
}

/** RFC 7591; `token`: an initial access token. */
export async function registerClient(
  origin: string,
  metadata: object,
  token: string | null,
): Promise<WireAnswer> {
  const headers = { ...JSON_TYPE, ...(token !== null && bearer(token)) }
  const text = JSON.stringify(metadata)
  const answer = await send(origin, 'POST', '/oidc/register', headers, text)
  return { ...answer, json: parsed(answer.body) }
}

const MCP = {
  ...JSON_TYPE,
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
}

/** A tool of the MCP server; the answer is one message, as JSON or as the only event of a stream. */
export async function callTool(
  origin: string,
  who: Fields,
  name: string,
  given: object,
): Promise<WireAnswer> {
  const params = { name, arguments: given }
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const answer = await send(origin, 'POST', '/mcp', { ...who, ...MCP }, text)
  const [, event] = /^data: (.*)$/m.exec(answer.body) ?? []
  return { ...answer, json: parsed(event ?? answer.body) }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

export function bearer(token: string): Fields {
  return { authorization: `Bearer ${token}` }
}
