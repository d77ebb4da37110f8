import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Demo } from '../../lib/operations/demo'
import { callApi, machineToken, sessionOf } from './api'
import { ask, type Fields } from './ask'
import type { Kind } from './databases'
import { type OpenPortal, openPortal } from './in-process'
import { freePort } from './postgres'
import { type MailServer, startMailServer } from './smtp'

/** What the tests of settings and webhooks share: a portal, a receiver of webhooks and a mail server. */

export let portal: OpenPortal
export let demo: Demo
export let token: string
export let owner: Fields
export let receiver: Receiver
export let mail: MailServer

export function startSettings(kind: Kind): void {
  beforeAll(async () => {
    receiver = await startReceiver()
    mail = await startMailServer()
    const OUTBOUND_HOSTS = `localhost:${receiver.port},127.0.0.1:${mail.port}`
    portal = await openPortal({ kind, env: { OUTBOUND_HOSTS }, works: true })
    demo = portal.demo()
    token = await machineToken(portal)
    owner = await sessionOf(portal, demo.admin)
  })

  afterAll(async () => {
    await portal.stop()
    await mail.close()
    receiver.close()
  })
}

export const call = (method: string, path: string, body?: unknown, headers?: Fields) =>
  callApi(portal, token, method, path, body, headers)

export async function seen(path: string): Promise<Fields> {
  return { 'if-match': (await call('GET', path)).headers.etag ?? '' }
}

export async function set(patch: object) {
  const answer = await call('PATCH', '/settings', patch, await seen('/settings'))
  expect([answer.status, answer.raw]).toEqual([200, expect.any(String)])
  return answer
}

export async function auditLog() {
  const answer = await call('GET', '/audit-events?limit=100')
  expect(answer.status).toBe(200)
  return answer
}

export const page = (path: string, headers: Fields = {}) => ask(portal.origin, { path, headers })

export type ReceivedRequest = { path: string; headers: IncomingHttpHeaders; body: string }
export type Receiver = {
  port: number
  at(path: string): ReceivedRequest[]
  /** From now on `/sour` takes what it is given. */
  sweeten(): void
  close(): void
}

export async function startReceiver(): Promise<Receiver> {
  const port = await freePort()
  const arrived: ReceivedRequest[] = []
  let sour = true
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const path = request.url ?? ''
    arrived.push({ path, headers: request.headers, body })
    if (path === '/away') response.writeHead(302, { location: `http://localhost:${port}/trap` })
    else response.writeHead(path === '/sour' && sour ? 500 : 200)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  return {
    port,
    at: (path) => arrived.filter((one) => one.path === path),
    sweeten() {
      sour = false
    },
    close: () => server.close(),
  }
}
