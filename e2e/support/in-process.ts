import { callerAddress, claimedCaller } from '../../lib/base/caller'
import { requestContext } from '../../lib/base/request-context'
import { newRequestId } from '../../lib/crypto/secrets'
import { endpointAt } from '../../lib/host/direct-line'
import { formAt } from '../../lib/host/page-forms'
import { answerRequest } from '../../lib/host/web-request'
import { createOp, type OpenOp } from '../../lib/op'
import { type Demo, loadDemo } from '../../lib/operations/demo'
import { startWorking } from '../../lib/operations/scheduled/work'
import { readConfig } from '../../lib/settings/config'
import { demoDatabase, freshDatabase, type Kind } from './databases'
import { copyDemo } from './demo-folders'
import { temporaryFolder } from './folder'
import { sendToAction } from './in-process-forms'
import { demoIn, SECRET } from './portal'
import { type Browser, type FormFields, type InProcess, origins, type SentRequest } from './send'

/**
 * The portal in the process of the test: the same endpoints behind the same `ask`, without a port.
 * Pages need the built portal. Forms that call a server action are done by the functions behind it.
 */

export type OpenPortal = {
  origin: string
  dataDir: string
  env: Record<string, string>
  op: OpenOp
  demo(): Demo
  /** Every part of this portal lives that much later from now on. */
  moveClock(milliseconds: number): void
  stop(): Promise<void>
}

type Options = {
  kind?: Kind
  env?: Record<string, string>
  /** Without sample data. */
  empty?: boolean
  /** It delivers mail and webhooks and does the scheduled work by itself. */
  works?: boolean
}

const LOOPBACK = '127.0.0.1'
let portals = 0

export async function openPortal({
  kind = 'sqlite',
  env = {},
  empty,
  works,
}: Options = {}): Promise<OpenPortal> {
  const DATABASE_URL = env.DATABASE_URL ?? (await (empty ? freshDatabase : demoDatabase)[kind]())
  const DATA_DIR = env.DATA_DIR ?? temporaryFolder()
  if (!empty) copyDemo(DATA_DIR, DATABASE_URL)
  const settings = { GATEHOUSE_SECRET: SECRET, LOG_LEVEL: 'silent', ...env, DATABASE_URL, DATA_DIR }
  const portal = await portalOf(settings)
  if (!empty) await loadDemo(portal.op)
  if (!works) return portal
  const rest = startWorking(portal.op)
  return {
    ...portal,
    async stop() {
      await rest()
      await portal.stop()
    },
  }
}

/** Another instance on the same database, which answers under the same issuer. */
export function openSecond(first: OpenPortal, env: Record<string, string> = {}) {
  return portalOf({ ...first.env, ISSUER: first.origin, ...env })
}

async function portalOf(env: Record<string, string>): Promise<OpenPortal> {
  portals += 1
  // Never bound: it only tells the portals of this process apart.
  const own = `http://localhost:${10_000 + portals}`
  let ahead = 0
  const config = readConfig({ ISSUER: own, ...env })
  const origin = origins.has(config.origin) ? own : config.origin
  const op = await createOp(config, () => new Date(Date.now() + ahead))
  await op.signingKey('ES256')
  await op.signingKey('RS256')
  origins.set(origin, inProcess(op))
  return {
    origin,
    dataDir: env.DATA_DIR ?? '',
    env: { ISSUER: own, ...env },
    op,
    demo: () => demoIn(env.DATA_DIR ?? ''),
    moveClock(milliseconds) {
      ahead += milliseconds
    },
    async stop() {
      origins.delete(origin)
      await op.close()
    },
  }
}

function inProcess(op: OpenOp): InProcess {
  return {
    respond: (request) => respond(op, request),
    isPage: (path) => endpointAt(path) === undefined,
    async signIn(browser, { email, password }, returnTo) {
      const typed = { identifier: email, password, returnTo }
      const sent = await sendForm(op, browser, '/login', typed)
      return 'problem' in sent ? null : sent
    },
    async submit(browser, page, typed) {
      const interaction = page.searchParams.get('interaction') ?? ''
      if (page.pathname === '/consent')
        return sendForm(op, browser, page.pathname, { ...typed, interaction })
      return sendToAction(op, browser, page, typed)
    },
  }
}

/** As the browser sends it, which follows no redirect yet. */
async function sendForm(
  op: OpenOp,
  browser: Browser,
  path: string,
  typed: FormFields,
): Promise<SentRequest> {
  const body = new URLSearchParams()
  for (const [name, values] of Object.entries(typed)) {
    for (const value of [values].flat()) body.append(name, value)
  }
  const headers = new Headers(browser.headers)
  headers.set('host', new URL(op.origin).host)
  headers.set('user-agent', browser.userAgent)
  const request = new Request(op.origin + path, { method: 'POST', headers, body })
  const response = await respond(op, request)
  const goTo = response.headers.get('location') ?? ''
  const page = new URL(goTo, op.origin)
  const problem = page.searchParams.get('refused') ?? (page.pathname === path ? 'expired' : null)
  return problem === null ? { goTo, cookies: response.headers.getSetCookie() } : { problem }
}

async function respond(op: OpenOp, request: Request): Promise<Response> {
  const path = new URL(request.url).pathname
  const endpoint = endpointAt(path) ?? formAt(request.method, path, request.headers)
  if (!endpoint) throw new Error(`${path} is a page: it needs the built portal`)
  const forwardedFor = request.headers.get('x-forwarded-for')
  const ip = callerAddress(forwardedFor, LOOPBACK, op.config.trustedProxies)
  const claimed = claimedCaller(request.headers, op.config.trustedProxies)
  const context = { ip, claimed, requestId: newRequestId() }
  return requestContext().run(context, () => answerRequest(op, endpoint, request))
}
