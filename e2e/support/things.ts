import { randomUUID } from 'node:crypto'
import { PORTAL_SCOPE_NAMES } from '../../lib/access/portal-api'
import { askToken, machineFields } from './ask'
import type { AnyPortal } from './portal'
import { send } from './send'

const ATTRIBUTE = {
  key: 'matrix',
  name: 'Matrix',
  type: 'string',
  inConditions: false,
  seenBy: 'admins',
  changedBy: 'admins',
}
const PROVIDER = {
  kind: 'oidc',
  name: 'Matrix',
  issuer: 'https://login.example.com',
  clientId: 'client',
  clientSecret: 'secret',
}

const REVIEW = {
  name: 'Matrix',
  reviewers: ['usr_demo_admin', 'usr_demo_bob'].map((id) => ({ type: 'user', id })),
  deadline: new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString(),
}

/** Something real for each `[name]` in a path. */
export async function thingsIn(portal: AnyPortal): Promise<Record<string, string>> {
  const call = await asMachine(portal)
  const get = (path: string) => call('GET', path)
  const make = (path: string, body: object) => call('POST', path, body)
  const put = (path: string, body: object) => call('PUT', path, body)
  const question = { user: 'usr_demo_alice', permission: 'orders:read' }
  const tests = { assertions: [{ question, expected: true }] }
  const path = '/spaces/demo/assertions'
  const { assertions } = await put(path, tests)
  const clerk = (await get('/roles?q=clerk')).data[0].id
  await put('/settings/providers/matrix', PROVIDER)
  await call('PATCH', '/settings', { userAttributes: [ATTRIBUTE] })
  return {
    user: 'usr_demo_alice',
    app: 'app_demo_machine',
    client: 'app_demo_machine',
    key: portal.demo().machine.access_key,
    group: (await make('/groups', { key: `matrix-${randomUUID()}`, name: 'Matrix' })).id,
    kid: (await get('/signing-keys')).data[0].kid,
    entry: (await get('/audit-events?limit=1')).data[0].id,
    role: clerk,
    assignment: (await get(`/roles/${clerk}/members`)).data[0].id,
    grant: (await get(`/spaces/demo/roles/${clerk}/permissions`)).permissions[0].id,
    provider: 'matrix',
    attribute: ATTRIBUTE.key,
    api: (await get('/spaces/demo/resources')).data[0].id,
    space: (await get('/spaces')).data[0].id,
    item: (await get('/spaces/demo/permissions')).data[0].key,
    webhook: (
      await make('/webhooks', { name: 'Matrix', url: 'https://example.com/hook', events: ['*'] })
    ).id,
    assertion: assertions[0].id,
    review: (await make('/reviews', { ...REVIEW, over: { type: 'role', id: clerk } })).id,
  }
}

/** Without support/api.ts: that loads the whole API into each process of the browser tests. */
async function asMachine(portal: AnyPortal) {
  const scope = PORTAL_SCOPE_NAMES.join(' ')
  const { body } = await askToken(portal.origin, machineFields(portal, { scope }))
  const headers = {
    authorization: `Bearer ${JSON.parse(body).access_token}`,
    'content-type': 'application/json',
    'if-match': '*',
  }
  return async (method: string, path: string, body?: object) => {
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await send(`${portal.origin}/api/v1${path}`, sent)
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
}
