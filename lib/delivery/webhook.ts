import { z } from 'zod'
import { guardedRequest } from '../base/guarded-request'
import type { Op } from '../context/op'
import { unseal } from '../crypto/seal'
import {
  findDeliveryWithWebhook,
  giveUpDelivery,
  noteAttempt,
  type WebhookRow,
} from '../store/delivery/webhooks'
import { NoReceiver, RefusedForGood } from './refusals'
import { webhookHeaders } from './webhooks/sign'

/**
 * One event to one receiver, signed again for each attempt; the result is stored with the delivery.
 */

const payloadSchema = z.object({ deliveryId: z.string() })
const GONE = 410
const MAX_REASON_LENGTH = 200

export function deliveryIn(op: Op, id: string, sealed: string): string {
  return payloadSchema.parse(JSON.parse(unseal(op.outboxKey, id, sealed))).deliveryId
}

export async function deliverWebhook(op: Op, id: string, sealed: string): Promise<void> {
  const delivery = await op.read((db) => findDeliveryWithWebhook(db, deliveryIn(op, id, sealed)))
  if (!delivery) throw new NoReceiver('the webhook was deleted')
  const { webhook, payload } = delivery
  if (webhook.disabledAt) throw new RefusedForGood('the webhook is disabled')
  const note = (status: number | null, lastError: string | null) => {
    const deliveredAt = lastError === null ? op.now() : null
    return op.read((db) =>
      noteAttempt(db, delivery.id, { status, lastError, deliveredAt }, op.now()),
    )
  }
  const status = await post(op, webhook, delivery.id, JSON.stringify(payload)).catch(
    async (error: Error) => {
      await note(null, error.message.slice(0, MAX_REASON_LENGTH))
      throw error
    },
  )
  const taken = status >= 200 && status < 300
  await note(status, taken ? null : `answered ${status}`)
  if (status === GONE) throw new RefusedForGood(`answered ${status}`)
  if (!taken) throw new Error(`answered ${status}`)
}

async function post(op: Op, webhook: WebhookRow, id: string, body: string): Promise<number> {
  const timestamp = Math.floor(op.now().getTime() / 1000)
  const headers = webhookHeaders(secretsOf(op, webhook), { id, timestamp, body })
  const outgoing = { method: 'POST', headers, body } as const
  const { status } = await guardedRequest(webhook.url, outgoing, op.config.outboundHosts)
  return status
}

/** While the old secret is valid, receivers may know either of them. */
function secretsOf(op: Op, webhook: WebhookRow): string[] {
  const { id, secretEncrypted, previousSecretEncrypted, previousExpiresAt } = webhook
  const sealed = [
    secretEncrypted,
    ...(previousSecretEncrypted && previousExpiresAt && previousExpiresAt > op.now()
      ? [previousSecretEncrypted]
      : []),
  ]
  return sealed.map((one) => unseal(op.webhookKey, id, one))
}

export async function giveUpWebhook(op: Op, id: string, sealed: string): Promise<void> {
  await op.read((db) => giveUpDelivery(db, deliveryIn(op, id, sealed), op.now()))
}
