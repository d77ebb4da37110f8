import { createServer } from 'node:http'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Demo } from '../../lib/operations/demo'
import { ADMIN_SCOPES, type ApiAnswer, callApi, machineToken, sessionOf } from './api'
import { askToken, type Fields } from './ask'
import type { Kind } from './databases'
import { authorizeUrl, exchange, getCode, webRequest } from './flow'
import { type OpenPortal, openPortal } from './in-process'
import { OldBrowser } from './old-browser'
import { freePort } from './postgres'

/** What the tests of /api/v1 share: `startApi` in a `describe` opens a portal, and the bindings follow it. */

export const ANY = { 'if-match': '*' }

export let portal: OpenPortal
export let demo: Demo
export let token: string
export let owner: Fields
export const told: Told = { bodies: [], port: 0, close: () => undefined }

export function startApi(kind: Kind, { works = false } = {}): void {
  beforeAll(async () => {
    Object.assign(told, await startReceiver())
    portal = await openPortal({ kind, works, env: { OUTBOUND_HOSTS: `localhost:${told.port}` } })
    demo = portal.demo()
    token = await machineToken(portal, ADMIN_SCOPES)
    owner = await sessionOf(portal, demo.admin)
  })

  afterAll(async () => {
    told.close()
    await portal.stop()
  })
}

export const call = (method: string, path: string, body?: unknown, headers?: Fields) =>
  callApi(portal, token, method, path, body, headers)
export const as = (who: Fields, method: string, path: string, body?: unknown, headers?: Fields) =>
  callApi(portal, who, method, path, body, headers)

export async function read(path: string) {
  const answer = await call('GET', path)
  expect(answer.status).toBe(200)
  return answer
}

/** Changes what is there, having seen it. */
export async function changed(
  method: string,
  path: string,
  body?: unknown,
  who: string | Fields = token,
) {
  const seen = await read(path)
  return callApi(portal, who, method, path, body, { 'if-match': seen.headers.etag ?? '' })
}

export async function created(path: string, body: unknown) {
  const answer = await call('POST', path, body)
  expect([answer.status, answer.raw]).toEqual([201, expect.any(String)])
  return answer.json
}

let counter = 0
export function unique(word: string): string {
  counter += 1
  return `${word}-${counter}`
}

export const machine = (more: object = {}) =>
  created('/applications', { kind: 'machine', name: unique('machine'), ...more })

export const getToken = (client_id: string, client_secret: string, scope = 'orders:read') =>
  askToken(portal.origin, { grant_type: 'client_credentials', client_id, client_secret, scope })

export const pointers = ({ json }: ApiAnswer) =>
  json.errors?.map(({ pointer }: { pointer: string }) => pointer) ?? []

export async function grant(id: string, patterns: string[], who: string | Fields = token) {
  const grants = patterns.map((pattern) => ({ pattern }))
  const path = `/applications/${id}/grants`
  const seen = await callApi(portal, who, 'GET', path)
  const headers = { 'if-match': seen.headers.etag ?? '' }
  return callApi(portal, who, 'PUT', path, { grants }, headers)
}

/** Somebody's browser and tokens, as the demo's web app has them. */
export async function atWeb(login: { email: string; password: string } | undefined) {
  const browser = new OldBrowser(portal.origin)
  const page = await browser.open(authorizeUrl(webRequest(demo)))
  const consent = await browser.signIn(page, login ?? { email: '', password: '' })
  if (consent.url.includes('/consent')) await browser.submit(consent, { scope: ['orders:read'] })
  const tokens = JSON.parse((await exchange(portal, await getCode(browser, webRequest(demo)))).body)
  return { browser, tokens }
}

type Told = { port: number; bodies: string[]; close(): void }

async function startReceiver(): Promise<Told> {
  const port = await freePort()
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  return { port, bodies, close: () => server.close() }
}
