import { expect } from 'vitest'
import { callApi, machineToken } from './api'
import { type Answer, ask, askToken, type Fields, FORM } from './ask'
import type { AnyPortal } from './portal'

/**
 * Services that call one another for a user: each serves the API of the one before and may exchange
 * its tokens for the next. Made by the API, as an admin would.
 */

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

const ANY = { 'if-match': '*' }

export type Service = { id: string; secret: string; credentials: Fields }

export type Chain = {
  services: Service[]
  call(method: string, path: string, body?: unknown): ReturnType<typeof callApi>
  grants(service: Service, grants: object[]): Promise<void>
}

/** `hop0` is served by the first service, `hop1` by the second; the first API is `orders`. */
export async function makeChain(portal: AnyPortal, length: number): Promise<Chain> {
  const token = await machineToken(portal)
  const call = (method: string, path: string, body?: unknown) =>
    callApi(portal, token, method, path, body, method === 'POST' || method === 'GET' ? {} : ANY)
  const done = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body)
    expect(answer.status, answer.raw).toBeLessThan(300)
    return answer.json
  }
  const services: Service[] = []
  for (let at = 0; at < length; at += 1) {
    const made = await done('POST', '/applications', {
      kind: 'machine',
      name: `Service ${at + 1}`,
      id: `service-${at + 1}`,
      grantTypes: ['client_credentials', TOKEN_EXCHANGE],
    })
    const credentials = { client_id: made.id, client_secret: made.secret }
    services.push({ id: made.id, secret: made.secret, credentials })
  }
  await done('PATCH', '/spaces/demo/resources/orders', { introspectors: [services[0]?.id] })
  for (let at = 1; at <= length; at += 1) {
    const introspectors = services[at] ? [services[at]?.id] : []
    await done('POST', '/spaces/demo/resources', {
      prefix: `hop${at}`,
      name: `Hop ${at}`,
      audience: `https://hop${at}.test`,
      introspectors,
    })
    for (const action of ['read', 'write']) {
      const descriptions = { en: action }
      const key = `hop${at}:${action}`
      await done('POST', '/spaces/demo/permissions', { key, resource: `hop${at}`, descriptions })
    }
  }
  const grants = async ({ id }: Service, wanted: object[]) => {
    await done('PUT', `/applications/${id}/grants`, { grants: wanted })
  }
  for (const [at, service] of services.entries()) {
    const exchangeFrom = services[at - 1]?.id ?? portal.demo().web.client_id
    await grants(service, [{ pattern: `hop${at + 1}:read`, exchangeFrom }])
  }
  return { services, call, grants }
}

export function exchangeToken(
  portal: AnyPortal,
  { credentials }: Service,
  subjectToken: string,
  more: Fields = {},
): Promise<Answer> {
  return askToken(portal.origin, {
    grant_type: TOKEN_EXCHANGE,
    subject_token: subjectToken,
    subject_token_type: ACCESS_TOKEN,
    ...credentials,
    ...more,
  })
}

export async function introspectAs(portal: AnyPortal, { credentials }: Service, token: string) {
  const answer = await ask(portal.origin, {
    method: 'POST',
    path: '/oidc/token/introspection',
    headers: FORM,
    body: new URLSearchParams({ token, ...credentials }).toString(),
  })
  return JSON.parse(answer.body)
}

export function claimsIn(token: string) {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}
