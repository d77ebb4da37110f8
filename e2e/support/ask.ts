import { request } from 'node:http'
import type { AnyPortal } from './portal'
import { origins, send } from './send'

/** Requests as bytes, where fetch would tidy them up. */

export type Answer = { status: number; headers: Record<string, string>; body: string }

export type Ask = {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

export async function ask(origin: string, request: Ask): Promise<Answer> {
  return origins.has(origin) ? askInProcess(origin, request) : askOverHttp(origin, request)
}

async function askInProcess(
  origin: string,
  { method = 'GET', path = '/', headers, body }: Ask,
): Promise<Answer> {
  const bytes = typeof body === 'object' ? new Uint8Array(body) : body
  const init = { method, headers: headers ?? {}, body: bytes ?? null }
  const response = await send(`${origin}${path}`, init)
  return {
    status: response.status,
    headers: headersOf(response),
    body: await response.text(),
  }
}

/** As Node gives them: a list only for Set-Cookie. */
function headersOf(response: Response): Record<string, string> {
  const cookies = response.headers.getSetCookie()
  const all: Record<string, string | string[]> = Object.fromEntries(response.headers)
  if (cookies.length > 0) all['set-cookie'] = cookies
  return all as Record<string, string>
}

function askOverHttp(
  origin: string,
  { method = 'GET', path = '/', headers = {}, body }: Ask,
): Promise<Answer> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: hostname, port, method, path, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Record<string, string>,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export type Fields = Record<string, string>

export function askToken(
  origin: string,
  fields: Fields | string,
  headers: Fields = {},
): Promise<Answer> {
  return askForm(origin, '/oidc/token', fields, headers)
}

export function askForm(
  origin: string,
  path: string,
  fields: Fields | string,
  headers: Fields = {},
): Promise<Answer> {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
  return ask(origin, { method: 'POST', path, headers: { ...FORM, ...headers }, body })
}

/** The machine of the demo, with its application's credentials. */
export function machineFields(portal: AnyPortal, more: Fields = {}): Fields {
  const { machine } = portal.demo()
  return {
    grant_type: 'client_credentials',
    client_id: machine.client_id,
    client_secret: machine.client_secret,
    scope: 'orders:read',
    ...more,
  }
}

export function basic(id: string, secret: string): Fields {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` }
}
