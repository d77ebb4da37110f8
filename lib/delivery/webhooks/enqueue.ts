import type { Transaction } from '../../context/op'
import { seal } from '../../crypto/seal'
import { newId } from '../../crypto/secrets'
import type { Entry } from '../../store/audit'
import { enqueue, type NewMessage } from '../../store/outbox'
import { insertDeliveries, listListening, type NewDelivery } from '../../store/webhooks'

/** What was audited is told to whoever listens, written in the transaction that it happened in. */

export const TEST_EVENT = 'webhook.test'

/** `user.created`, `user.*`, or `*`. */
export function listensTo(patterns: readonly string[], event: string): boolean {
  return patterns.some(
    (pattern) =>
      pattern === '*' ||
      pattern === event ||
      (pattern.endsWith('.*') && event.startsWith(pattern.slice(0, -1))),
  )
}

export async function enqueueWebhooks(
  tx: Transaction,
  outboxKey: Buffer,
  entries: readonly Entry[],
): Promise<void> {
  if (entries.length === 0) return
  const webhooks = await listListening(tx)
  const deliveries = entries.flatMap((entry) =>
    webhooks
      .filter(({ events }) => listensTo(events, entry.event))
      .map(({ id }) => deliveryOf(id, entry.event, entry.at, dataOf(entry))),
  )
  await send(tx, outboxKey, deliveries)
}

/** To one webhook, so that somebody can see that it arrives. */
export async function tellTest(
  tx: Transaction,
  outboxKey: Buffer,
  webhookId: string,
  now: Date,
): Promise<NewDelivery> {
  const delivery = deliveryOf(webhookId, TEST_EVENT, now, { webhook: webhookId })
  await send(tx, outboxKey, [delivery])
  return delivery
}

async function send(tx: Transaction, outboxKey: Buffer, rows: NewDelivery[]): Promise<void> {
  await insertDeliveries(tx, rows)
  await enqueue(
    tx,
    rows.map(({ id, createdAt }) => webhookMessage(outboxKey, id, createdAt)),
  )
}

export function webhookMessage(outboxKey: Buffer, deliveryId: string, now: Date): NewMessage {
  const id = newId('out')
  return {
    id,
    kind: 'webhook',
    dedupeKey: id,
    payloadEncrypted: seal(outboxKey, id, JSON.stringify({ deliveryId })),
    createdAt: now,
  }
}

function deliveryOf(webhookId: string, type: string, at: Date, data: object): NewDelivery {
  const payload = JSON.parse(JSON.stringify({ type, timestamp: at, data }))
  return { id: newId('msg'), webhookId, event: type, payload, createdAt: at }
}

/** As the audit log has it: ids and what changed, and never a secret (attack N9). */
function dataOf({ id, result, ...entry }: Entry) {
  const { actorKind, actorId, targetKind, targetId } = entry
  return {
    ...{ id, result },
    actor: { kind: actorKind, id: actorId },
    target: targetKind === null ? null : { kind: targetKind, id: targetId },
    applicationId: entry.applicationId,
    ip: entry.ip,
    requestId: entry.requestId,
    detail: entry.detail,
  }
}
