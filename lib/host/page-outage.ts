import type { ServerResponse } from 'node:http'
import { type Incoming, json, type Reply } from '../base/http'
import type { RequestContext } from '../base/request-context'
import type { Op } from '../context/op'
import { messagesFor } from '../i18n'
import { escapeHtml } from '../oidc/answer'
import { PLAIN_PAGE_HEADERS, plainPage, wishedLook } from '../oidc/plain-page'
import { toNode } from './node'

/**
 * Next.js answers whatever a page or an action throws with 500, and a form without scripts with
 * nothing but these words. If the database is away, the answer is 503 and says when to try again.
 */

const RETRY_AFTER = { 'Retry-After': '5' }
/** Next.js tells of an error beside its answer, a moment earlier or later. */
const TOLD_WITHIN_MS = 250

/** The page itself, for whoever cannot be shown a page of Next.js. */
export function outageReply(op: Op, incoming: Asking): Promise<Reply> {
  const error = 'the portal cannot use its database: try again in a few seconds'
  return unavailableReply(op, incoming, 'outage', error)
}

/** More pages were asked for than wait in the queue. */
export function busyReply(op: Op, incoming: Asking): Promise<Reply> {
  const error = 'too many pages are asked for: try again in a few seconds'
  return unavailableReply(op, incoming, 'busy', error)
}

type Asking = Pick<Incoming, 'headers' | 'requestId'>

async function unavailableReply(
  op: Op,
  { headers, requestId }: Asking,
  why: 'outage' | 'busy',
  error: string,
): Promise<Reply> {
  if (!headers.get('accept')?.includes('text/html')) {
    return json(503, { error, requestId }, { 'Cache-Control': 'no-store', ...RETRY_AFTER })
  }
  const { languages, branding } = op.settings.known()
  const look = wishedLook({ headers }, languages)
  const { [why]: words, reference } = (await messagesFor(look.locale)).errorPage
  const main = [
    `<p class="lead">${escapeHtml(words.text)}</p>`,
    `<dl>\n<dt>${escapeHtml(reference)}</dt><dd><code>${escapeHtml(requestId)}</code></dd>\n</dl>`,
  ].join('\n')
  const body = plainPage({ ...look, name: branding.name }, escapeHtml(words.title), main)
  return { status: 503, headers: { ...PLAIN_PAGE_HEADERS, ...RETRY_AFTER }, body }
}

/**
 * Holds back the answer 500 until the error is known. Scripts of Next.js get their own answer with
 * another status; everybody else gets the page above.
 */
export function explainOutages(
  op: Op,
  context: RequestContext,
  incoming: Incoming,
  response: ServerResponse,
): void {
  const fault = new Promise<unknown>((resolve) => {
    context.faulted = resolve
    response.once('close', () => resolve(null))
  })
  const held = holdFaults(response, async (send) => {
    const late = setTimeout(() => context.faulted?.(null), TOLD_WITHIN_MS)
    const isOutage = op.isUnavailable(await fault)
    clearTimeout(late)
    if (!isOutage) return send(500)
    if (isForScripts(incoming)) {
      response.setHeader('Retry-After', RETRY_AFTER['Retry-After'])
      return send(503)
    }
    held.release()
    for (const name of response.getHeaderNames()) if (!KEPT.has(name)) response.removeHeader(name)
    toNode(await outageReply(op, incoming), incoming.method, response)
  })
}

const KEPT: ReadonlySet<string> = new Set([
  'x-request-id',
  'keep-alive',
  'connection',
  'x-frame-options',
  'x-content-type-options',
  'referrer-policy',
  'strict-transport-security',
])

export function isForScripts({ headers }: Pick<Incoming, 'headers'>): boolean {
  return headers.get('next-action') !== null || headers.get('rsc') !== null
}

type Args = Parameters<ServerResponse['end']>
/** Sends what was held, with this status. */
type Send = (status: number) => void

/** Whatever is written with the status 500 waits until it has ended; `decide` says what is sent. */
function holdFaults(response: ServerResponse, decide: (send: Send) => void) {
  const { writeHead, write, end, flushHeaders } = response
  const chunks: Buffer[] = []
  let isHolding = false
  const isFault = () => isHolding || (response.statusCode === 500 && !response.headersSent)
  const release = () => Object.assign(response, { writeHead, write, end, flushHeaders })

  const send: Send = (status) => {
    release()
    response.removeHeader('Content-Length')
    response.writeHead(status)
    response.end(Buffer.concat(chunks))
  }
  Object.assign(response, {
    writeHead(status: number, ...rest: never[]) {
      if (status !== 500) return writeHead.call(response, status, ...rest)
      isHolding = true
      response.statusCode = status
      return response
    },
    flushHeaders() {
      if (!isFault()) flushHeaders.call(response)
    },
    write(...args: Args) {
      if (!isFault()) return write.apply(response, args as Parameters<typeof write>)
      isHolding = true
      keep(chunks, args)
      return true
    },
    end(...args: Args) {
      if (!isFault()) return end.apply(response, args)
      isHolding = true
      keep(chunks, args)
      decide(send)
      return response
    },
  })
  return { release }
}

/** As `write` and `end` of Node take them: perhaps a chunk, its encoding, and whom to call back. */
function keep(chunks: Buffer[], args: readonly unknown[]): void {
  const [chunk, encoding] = args
  if (typeof chunk === 'string') {
    chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as 'utf8') : 'utf8'))
  } else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  const called = args.find((arg) => typeof arg === 'function')
  if (called) queueMicrotask(called as () => void)
}
