import { matchesEvent, WEBHOOK_EVENTS } from '../../base/events'
import type { Transaction } from '../../context/op'
import { seal } from '../../crypto/seal'
import { newId } from '../../crypto/secrets'
import type { Entry } from '../../store/audit/audit'
import { enqueue, type NewMessage } from '../../store/delivery/outbox'
import { insertDeliveries, listListening, type NewDelivery } from '../../store/delivery/webhooks'

/**
 * An audited event is delivered to the webhooks that subscribe to it; queued in the transaction of
 * the event.
 */

const TEST_EVENT = 'webhook.test'

/** `user.created`, `user.*`, or `*`; some events reach no webhook. */
export function listensTo(patterns: readonly string[], event: string): boolean {
  if (!WEBHOOK_EVENTS.some((known) => known === event)) return false
  return patterns.some((pattern) => matchesEvent(pattern, event))
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

/** To one webhook, to see whether it arrives. */
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
    rows.map((row) => webhookMessage(outboxKey, row, row.createdAt)),
  )
}

export function webhookMessage(
  outboxKey: Buffer,
  { id: deliveryId, webhookId, event }: Pick<NewDelivery, 'id' | 'webhookId' | 'event'>,
  now: Date,
): NewMessage {
  const id = newId('out')
  return {
    id,
    kind: 'webhook',
    dedupeKey: id,
    about: event,
    targetId: webhookId,
    payloadEncrypted: seal(outboxKey, id, JSON.stringify({ deliveryId })),
    createdAt: now,
  }
}

function deliveryOf(webhookId: string, type: string, at: Date, data: object): NewDelivery {
  const payload = JSON.parse(JSON.stringify({ type, timestamp: at, data }))
  return { id: newId('msg'), webhookId, event: type, payload, createdAt: at }
}

/** As in the audit log: IDs and changes, never a secret (attack N9). */
function dataOf({ id, result, ...entry }: Entry) {
  const { actorKind, actorId, targetKind, targetId } = entry
  return {
    id,
    result,
    actor: { kind: actorKind, id: actorId },
    target: targetKind === null ? null : { kind: targetKind, id: targetId },
    applicationId: entry.applicationId,
    ip: entry.ip,
    requestId: entry.requestId,
    detail: entry.detail,
  }
}
