import { type Incoming, json, NO_STORE, type Reply } from '../../base/http'
import type { Op } from '../../context/op'
import { presentsSecret } from '../../crypto/bearer-secret'
import type { Endpoint } from '../../oidc/endpoint'
import { workOnce } from './work'

/**
 * For hosts without a long-running process: a scheduler with CRON_SECRET calls this (Vercel sends
 * it as a bearer token). Without that variable nobody may call it.
 */

/** Less than the scheduler waits; the rest is done at the next call. */
const MAX_MS = 45_000

async function scheduled(op: Op, incoming: Incoming): Promise<Reply> {
  if (!isScheduler(op, incoming)) return UNKNOWN_CALLER
  const started = performance.now()
  const { done, failed } = await workOnce(op, () => performance.now() - started < MAX_MS)
  await op.settled()
  return json(failed.length === 0 ? 200 : 500, { done, failed }, NO_STORE)
}

const UNKNOWN_CALLER = json(
  401,
  { error: 'the bearer token of the scheduler is required' },
  { ...NO_STORE, 'WWW-Authenticate': 'Bearer realm="scheduled"' },
)

function isScheduler({ config, hashSecret }: Op, incoming: Incoming): boolean {
  return config.cronSecret !== null && presentsSecret(incoming, config.cronSecret, hashSecret)
}

export const scheduledEndpoint: Endpoint<Op> = {
  name: 'scheduled',
  methods: { GET: scheduled, POST: scheduled },
  noHead: true,
}
