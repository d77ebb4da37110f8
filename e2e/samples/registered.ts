import { callApi, machineToken } from '../support/api'
import type { Portal } from '../support/portal'

/** Applications, made and changed through the API. */

export type Kind = 'web' | 'spa' | 'native' | 'device' | 'machine'
export type RegisteredClient = { id: string; secret: string; kind: Kind }

const GRANTED = ['orders:read', 'orders:write']

export async function register(
  portal: Portal,
  kind: Kind,
  more: object,
): Promise<RegisteredClient> {
  const token = await machineToken(portal)
  const made = await callApi(portal, token, 'POST', '/applications', {
    kind,
    name: `Sample ${kind}`,
    ...more,
  })
  if (made.status !== 201) throw new Error(made.raw)
  const { id, secret = '' } = made.json
  const grants = GRANTED.map((pattern) => ({ pattern }))
  await change(portal, 'PUT', `/applications/${id}/grants`, { grants })
  return { id, secret, kind }
}

/** Changes what is there, having seen it. */
export async function change(portal: Portal, method: string, path: string, body: unknown) {
  const token = await machineToken(portal)
  const seen = await callApi(portal, token, 'GET', path)
  const version = { 'if-match': seen.headers.etag ?? '' }
  const done = await callApi(portal, token, method, path, body, version)
  if (done.status !== 200) throw new Error(done.raw)
  return done
}

export async function addTo(
  portal: Portal,
  id: string,
  list: 'redirectUris' | 'origins',
  one: string,
): Promise<void> {
  const path = `/applications/${id}`
  const { json } = await callApi(portal, await machineToken(portal), 'GET', path)
  await change(portal, 'PATCH', path, { [list]: [...json[list], one] })
}

/** Changes what is there; the answer takes it back. */
export async function changed(
  portal: Portal,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<() => Promise<unknown>> {
  const { json } = await callApi(portal, await machineToken(portal), 'GET', path)
  const before = Object.fromEntries(Object.keys(body).map((name) => [name, json[name]]))
  await change(portal, 'PATCH', path, body)
  return () => change(portal, 'PATCH', path, before)
}

/** A group that Alice is in: its key is what an application with the scope `groups` learns. */
export async function joinGroup(portal: Portal): Promise<void> {
  const token = await machineToken(portal)
  const group = { key: 'night-shift', name: 'Night shift' }
  await callApi(portal, token, 'POST', '/groups', group)
  const path = '/groups/night-shift/members/usr_demo_alice'
  const joined = await callApi(portal, token, 'PUT', path)
  if (joined.status !== 204) throw new Error(joined.raw)
}
