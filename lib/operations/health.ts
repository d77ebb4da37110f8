import { type Incoming, json, type Reply } from '../base/http'
import { onceFor } from '../base/once-for'
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
  const database = await check(op, () => Promise.all([op.health.ping(), writes(op)()]))
  await op.settings.current()
  const migrations = await migrationCheck(op)
  const keys = await check(op, () => op.signingKey('ES256'))
  const checks = { database, migrations, keys }
  const ready = Object.values(checks).every((state) => state === 'ok')
  const status = ready ? 'ready' : 'not ready'
  const headers = ready ? NO_STORE : { ...NO_STORE, 'Retry-After': String(GOOD_FOR_MS / 1000) }
  return json(ready ? 200 : 503, { status, checks, mail: mailMode(op) }, headers)
}

const GOOD_FOR_MS = 5_000
const BAD_FOR_MS = 1_000

/** Probes come often and from several places: they share one write, and soon see that it is mended. */
const writes = onceFor((op: Op): (() => Promise<void>) => {
  let outcome: Promise<void> | null = null
  let checkedAt = 0
  let goodForMs = 0

  function write(): Promise<void> {
    checkedAt = op.now().getTime()
    goodForMs = GOOD_FOR_MS
    return op.health.write().catch((error) => {
      goodForMs = BAD_FOR_MS
      throw error
    })
  }

  return () => {
    const isOld = Math.abs(op.now().getTime() - checkedAt) >= goodForMs
    outcome = outcome === null || isOld ? write() : outcome
    return outcome
  }
})

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
