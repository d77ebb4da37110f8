import type { Incoming } from '../base/http'
import type { Client } from './client'
import type { Provider } from './provider'
import { recordRefusal, shown } from './refusal'

/**
 * A browser hides the answer from a page whose origin nobody registered. Only an answer with tokens
 * is recorded, so somebody without a token cannot put an origin before those who manage the
 * application. A user of a public client can.
 */
export async function recordForeignOrigin(
  op: Provider,
  { id, application }: Client,
  incoming: Incoming,
): Promise<void> {
  const origin = incoming.headers.get('origin')
  if (origin === null || origin === op.origin) return
  if (await op.isRegisteredOrigin(origin).catch(() => true)) return
  recordRefusal(op, incoming, { clientId: id, application }, 'token.origin_refused', {
    reason: 'origin_refused',
    facts: { origin: shown(origin) },
  })
}
