import { type Incoming, json, type Reply } from '../base/http'
import type { Op } from '../context/op'
import { presentsSecret } from '../crypto/bearer-secret'
import { mailMode } from '../delivery/mail/mode'
import type { Endpoint } from '../oidc/endpoint'

/** For orchestrators. The answers tell a visitor nothing more than up, ready or not ready. */

const NO_STORE = { 'Cache-Control': 'no-store' }

async function healthz(): Promise<Reply> {
  return json(200, { status: 'ok' }, NO_STORE)
}

type Check = 'ok' | 'failing' | 'pending'

/**
 * Missing mail is reported but does not make the portal unready: tokens and sign-ins do not need
 * it.
 */
async function readyz(op: Op): Promise<Reply> {
  const database = await check(op, op.health.ping)
  await op.settings.current()
  const migrations = await migrationCheck(op)
  const keys = await check(op, () => op.signingKey('ES256'))
  const checks = { database, migrations, keys }
  const ready = Object.values(checks).every((state) => state === 'ok')
  const status = ready ? 'ready' : 'not ready'
  return json(ready ? 200 : 503, { status, checks, mail: mailMode(op) }, NO_STORE)
}

async function check(op: Op, work: () => Promise<unknown>): Promise<Check> {
  try {
    await work()
    return 'ok'
  } catch (error) {
    op.log.warn({ err: error }, 'not ready')
    return 'failing'
  }
}

async function migrationCheck(op: Op): Promise<Check> {
  const status = await op.health.migrations().catch(() => null)
  if (!status || status.unknown.length > 0) return 'failing'
  return status.pending.length > 0 ? 'pending' : 'ok'
}

async function metrics(op: Op, incoming: Incoming): Promise<Reply> {
  if (!mayReadMetrics(op, incoming)) {
    return json(
      401,
      { error: 'a bearer token is required' },
      {
        ...NO_STORE,
        'WWW-Authenticate': 'Bearer realm="metrics"',
      },
    )
  }
  const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', ...NO_STORE }
  return { status: 200, headers, body: await op.meter.expose() }
}

function mayReadMetrics({ config, hashSecret }: Op, incoming: Incoming): boolean {
  if (config.metricsToken === null) return !config.production
  return presentsSecret(incoming, config.metricsToken, hashSecret)
}

export const healthEndpoint: Endpoint = { name: 'healthz', methods: { GET: healthz } }
export const readyEndpoint: Endpoint<Op> = { name: 'readyz', methods: { GET: readyz } }
export const metricsEndpoint: Endpoint<Op> = { name: 'metrics', methods: { GET: metrics } }
