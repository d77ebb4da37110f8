import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as TcpServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Incoming, json, pathOf, type Reply } from '../base/http'
import { isFile } from '../base/page-headers'
import { type RequestContext, requestContext } from '../base/request-context'
import { withStorages } from '../base/resting-storage'
import type { Op } from '../context/op'
import { URL_LIMIT } from '../oidc/endpoint'
import { answerBadRequests } from './bad-request'
import { endpointAt } from './direct-line'
import { rejectForeignRequest } from './foreign-request'
import { answersHost, FOREIGN_HOST } from './known-host'
import { malformedProblem, malformedReply } from './malformed-request'
import { fromNode, KEEP_ALIVE, KEEP_ALIVE_MS, toNode } from './node'
import { formAt } from './page-forms'
import { busyReply, explainOutages, isForScripts, outageReply } from './page-outage'
import { PageQueue } from './page-queue'
import { preparePage } from './page-request'
import { serve } from './serve'

/** node:http with limits. The direct line is answered here, everything else by Next.js. */

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: 2_000,
}
/** So long nothing may move on a connection while it is used, such as an answer that nobody reads. */
const STILL_MS = 120_000
const URL_TOO_LONG = json(414, { error: 'the URL is too long' })
const LENGTH_REQUIRED = json(
  411,
  { error: 'send a Content-Length header' },
  { Connection: 'close' },
)
const BODY_TOO_LARGE = json(413, { error: 'the body is too large' }, { Connection: 'close' })
const PAGE_BODY_LIMIT = 64 * 1024
/**
 * Larger than an uploaded file may be, so that the page itself can report the error; other pages
 * have a small limit.
 */
const UPLOAD_PAGES: readonly [page: RegExp, limit: number][] = [
  [/^\/account\/picture$/, 8 * 1024 * 1024],
  [/^\/admin\/(?:settings|applications\/[^/]+)\/branding$/, 8 * 1024 * 1024],
  [/^\/admin\/users\/import$/, 3 * 1024 * 1024],
]
/** After the last idle connection was closed, and the longest request that it may have begun. */
const RETIRE_MS = KEEP_ALIVE_MS + LIMITS.requestTimeout
const DRAIN_MS = 7_000
const DRAIN_POLL_MS = 50

export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** These servers close each connection after the next answer. */
const leaving = new WeakSet<Server>()

export function createHost(op: Op, pages: PageHandler, queue = new PageQueue()): Server {
  const server = createServer(LIMITS, (request, response) => {
    if (leaving.has(server) || isWorn(op, request)) response.shouldKeepAlive = false
    if (refusesUpgrade(request, response)) return
    respond(op, queue, pages, request, response).catch((error) => {
      op.log.error({ err: error }, 'fault outside an endpoint')
      response.destroy()
    })
  })
  server.timeout = STILL_MS
  answerBadRequests(server)
  keepFromUpgrading(server)
  return server
}

/**
 * While nobody listens for upgrades, Node hands them over as plain requests. Next.js begins to
 * listen with its first page, for WebSocket, which the portal does not use (CVE-2026-44578).
 */
function keepFromUpgrading(server: Server): void {
  server.on('newListener', (event, listener) => {
    if (event === 'upgrade') queueMicrotask(() => server.off(event, listener))
  })
}

/**
 * Java's HTTP client offers `h2c` with every request over plain http. A server may ignore an offer
 * (RFC 9110 §7.8). Everything else that asks for another protocol wants what is not here.
 */
function refusesUpgrade(request: IncomingMessage, response: ServerResponse): boolean {
  const { upgrade } = request.headers
  if (upgrade === undefined) return false
  // Node does not read on after such a request.
  response.shouldKeepAlive = false
  if (upgrade.toLowerCase() === 'h2c') return false
  response.writeHead(400).end()
  return true
}

/** How many requests a connection has carried. */
const carried = new WeakMap<Duplex, number>()
const MAX_CARRIED = 500

/**
 * Where workers share the port, one of them may have taken most of the connections that a proxy
 * keeps open. So a connection ends after many requests, and a worker with less to do takes the next.
 */
function isWorn({ config }: Op, { socket }: IncomingMessage): boolean {
  if (config.workers === 1) return false
  const count = (carried.get(socket) ?? 0) + 1
  carried.set(socket, count)
  return count >= MAX_CARRIED
}

async function respond(
  op: Op,
  queue: PageQueue,
  pages: PageHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const incoming = fromNode(request, op.config.trustedProxies)
  const { method, url, headers } = incoming
  const malformed = malformedProblem(request)
  if (malformed) {
    response.shouldKeepAlive = false
    return refuse(op, incoming, malformedReply(op, incoming, malformed), response)
  }
  const endpoint = endpointAt(pathOf(url))
  if (endpoint) {
    if (!answersHost(op.config, endpoint.name, headers))
      return toNode(FOREIGN_HOST, method, response)
    const served = await serve(op, endpoint, incoming)
    return toNode(served, method, response, served.sent)
  }
  // The size is checked first: after any other refusal the body is read to its end, so that the
  // answer arrives.
  const refusal = pageRefusal(request, url) ?? rejectForeignRequest(op.config, incoming)
  if (refusal) return refuse(op, incoming, refusal, response)
  const form = formAt(method, pathOf(url), headers)
  if (form) {
    const served = await serve(op, form, incoming)
    if (served.page === undefined) return toNode(served, method, response, served.sent)
    return page(op, pages, incoming, asking(request, served.page), response, served)
  }
  if (isForScripts(incoming) && method === 'GET' && (await isAway(op))) {
    return refuse(op, incoming, await outageReply(op, incoming), response)
  }
  if (!waitsItsTurn(incoming)) return page(op, pages, incoming, request, response)
  const leave = await queue.enter()
  if (!leave) return refuse(op, incoming, await busyReply(op, incoming), response)
  try {
    // Whoever has left meanwhile needs no page.
    if (!response.destroyed) await page(op, pages, incoming, request, response)
  } finally {
    leave()
  }
}

/** The same request, for the page that says why its form was refused. */
function asking(request: IncomingMessage, page: string): IncomingMessage {
  const { headers } = request
  for (const name of ['content-type', 'content-length']) delete headers[name]
  return Object.assign(request, { method: 'GET', url: page })
}

/**
 * Files cost little. A form has limits of its own, and where it leads to a page, Next.js asks for
 * that page before the form is answered.
 */
function waitsItsTurn({ method, url }: Incoming): boolean {
  const path = pathOf(url)
  return method !== 'POST' && !path.startsWith('/_next/') && !isFile(path)
}

/**
 * Scripts get the parts of a page while it is being made, with the status 200. Given another answer,
 * they open the page itself, which says what is wrong.
 */
async function isAway(op: Op): Promise<boolean> {
  return op.health.ping().then(() => false, op.isUnavailable)
}

function refuse(op: Op, incoming: Incoming, refusal: Reply, response: ServerResponse): void {
  const { requestId, method, ip } = incoming
  const { status } = refusal
  op.meter.requestAnswered('page', status, 0)
  op.log.answered({ requestId, method, path: pathOf(incoming.url), status, ip }, 'page refused')
  toNode(refusal, method, response)
}

/** Next.js buffers the whole body, so its size must be known before. */
function pageRefusal({ headers }: IncomingMessage, url: string): Reply | null {
  if (url.length > URL_LIMIT) return URL_TOO_LONG
  if (headers['transfer-encoding'] !== undefined) return LENGTH_REQUIRED
  const upload = UPLOAD_PAGES.find(([page]) => page.test(pathOf(url)))
  const limit = upload?.[1] ?? PAGE_BODY_LIMIT
  return Number(headers['content-length'] ?? 0) > limit ? BODY_TOO_LARGE : null
}

async function page(
  op: Op,
  pages: PageHandler,
  incoming: Incoming,
  request: IncomingMessage,
  response: ServerResponse,
  refused?: Reply,
): Promise<void> {
  const { requestId, ip, claimed } = incoming
  const started = performance.now()
  response.setHeader('X-Request-Id', requestId)
  if (response.shouldKeepAlive) response.setHeader(...KEEP_ALIVE)
  response.once('close', () => {
    const ms = Math.round(performance.now() - started)
    op.meter.requestAnswered('page', response.statusCode, ms / 1000)
    const path = pathOf(request.url ?? '/')
    op.log.answered(
      { requestId, method: request.method, path, status: response.statusCode, ms, ip },
      'page',
    )
  })
  const context: RequestContext = { ip, claimed, requestId }
  if (refused) {
    context.refusal = { status: refused.status }
    for (const header of Object.entries(refused.headers)) response.setHeader(...header)
  }
  sayRefusals(context, request, response)
  explainOutages(op, context, incoming, response)
  preparePage(op.config, request, response)
  const closed = new Promise((resolve) => response.once('close', resolve))
  await withStorages(() =>
    requestContext().run(context, () => Promise.all([pages(request, response), closed])),
  )
}

/**
 * Scripts of Next.js treat every status except 200 as an internal error, so they get the answer
 * that they expect.
 */
function sayRefusals(
  context: RequestContext,
  { headers }: IncomingMessage,
  response: ServerResponse,
): void {
  if (headers['next-action'] !== undefined || headers.rsc !== undefined) return
  const { writeHead } = response
  response.writeHead = (status: number, ...rest: never[]) => {
    const { refusal } = context
    if (status !== 200 || !refusal) return writeHead.call(response, status, ...rest)
    if (refusal.retryAfterSeconds !== undefined) {
      response.setHeader('Retry-After', String(refusal.retryAfterSeconds))
    }
    return writeHead.call(response, refusal.status, ...rest)
  }
}

/**
 * Leaves new connections to other processes, and loses no request on those that are open. A client
 * may use an idle connection at any moment of the time that it was promised, so each stays open
 * until it was used once more; that answer says `Connection: close` (RFC 9112 §9.6). One that is
 * not used ends as always, after KEEP_ALIVE_MS.
 */
export async function retire(server: Server): Promise<void> {
  leaving.add(server)
  // Not its own `close`: that closes idle connections too, whatever is on its way to them.
  const closed = new Promise((resolve) => TcpServer.prototype.close.call(server, resolve))
  const limit = setTimeout(() => server.closeAllConnections(), RETIRE_MS)
  await closed
  clearTimeout(limit)
}

/** Accepts no new requests, finishes those in flight, and closes what hangs. */
export async function drain(server: Server): Promise<void> {
  leaving.add(server)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const deadline = performance.now() + DRAIN_MS
  let done = false
  closed.then(() => {
    done = true
  })
  while (!done && performance.now() < deadline) {
    server.closeIdleConnections()
    await sleep(DRAIN_POLL_MS)
  }
  server.closeAllConnections()
  await closed
}
