import { callApi, machineToken } from './api'
import type { Portal } from './portal'

const ANY = { 'if-match': '*' }
const ATTRIBUTE = {
  ...{ key: 'matrix', name: 'Matrix', type: 'string', inConditions: false },
  ...{ seenBy: 'admins', changedBy: 'admins' },
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
export async function thingsIn(portal: Portal): Promise<Record<string, string>> {
  const token = await machineToken(portal)
  const get = async (path: string) => (await callApi(portal, token, 'GET', path)).json
  const make = async (path: string, body: object) =>
    (await callApi(portal, token, 'POST', path, body)).json
  const put = (path: string, body: object) => callApi(portal, token, 'PUT', path, body, ANY)
  const question = { user: 'usr_demo_alice', permission: 'orders:read' }
  const tests = { assertions: [{ question, expected: true }] }
  const path = '/spaces/demo/assertions'
  const { assertions } = (await put(path, tests)).json
  const clerk = (await get('/roles?q=clerk')).data[0].id
  await put('/settings/providers/matrix', PROVIDER)
  await callApi(portal, token, 'PATCH', '/settings', { userAttributes: [ATTRIBUTE] }, ANY)
  return {
    user: 'usr_demo_alice',
    app: 'app_demo_machine',
    client: 'app_demo_machine',
    key: portal.demo().machine.access_key,
    group: (await make('/groups', { key: 'matrix', name: 'Matrix' })).id,
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
