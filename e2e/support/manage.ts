import { matcher } from '../../lib/api/match'
import { problemBody } from '../../lib/api/openapi'
import { API_BASE } from '../../lib/api/route'
import { routes } from '../../lib/api/table'
import { PORTAL_SCOPE_NAMES } from '../../lib/portal-api'
import { type Answer, ask, askToken, type Fields, machineFields } from './ask'
import type { Portal } from './portal'

/** The API as a client sees it; every answer is parsed by its own route's schema. */

const table = matcher(routes)

export type Reply = Answer & { json: Record<string, unknown> }

export async function managerToken(portal: Portal, scope = PORTAL_SCOPE_NAMES.join(' ')) {
  const answer = await askToken(portal.origin, machineFields(portal, { scope }))
  return String(JSON.parse(answer.body).access_token)
}

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Fields,
) => Promise<Reply>

export function caller(portal: Portal, token: string | null): Call {
  return async (method, path, body, headers = {}) => {
    const sent = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await ask(portal.origin, {
      method,
      path: API_BASE + path,
      headers: { ...sent, ...(token && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { ...answer, json: checked(method, path, answer) }
  }
}

function checked(method: string, path: string, { status, headers, body }: Answer): Reply['json'] {
  if (body === '') return {}
  const json = JSON.parse(body)
  if (status >= 400) {
    const type = headers['content-type']
    if (type !== 'application/problem+json') throw new Error(`${status} came as ${type}: ${body}`)
    problemBody.parse(json)
    return json
  }
  const found = table.find(method, path.split('?')[0] ?? '')
  const schema = found?.route.answers[status]
  if (!schema) throw new Error(`${method} ${path} answered ${status}, which it does not describe`)
  schema.parse(json)
  return json
}
