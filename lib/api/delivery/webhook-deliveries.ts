import { z } from 'zod'
import { tellTest, webhookMessage } from '../../delivery/webhooks/enqueue'
import { errorMessage } from '../../i18n/error-message'
import { enqueue } from '../../store/delivery/outbox'
import {
  DELIVERY_STATES,
  findDelivery,
  listDeliveryPage,
  reopenDelivery,
} from '../../store/delivery/webhooks'
import { type ChangeEntry, change } from '../authority/change'
import type { Caller } from '../http/caller'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { notFound, Problem } from '../http/problem'
import { wireOf } from '../http/wire'
import { requireWebhook } from './webhooks'

export { DELIVERY_STATES }

/** The deliveries of a webhook, what it answered, and sending one again. */

const deliverySchema = z.object({
  id: z.string().describe('The `webhook-id` that the receiver sees; the same for every attempt'),
  event: z.string(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.number(),
  status: z.number().nullable().describe('The last status code of the receiver'),
  lastError: z.string().nullable(),
  payload: z.unknown().describe('What was sent: of the audit log. Null without `audit:read`'),
  createdAt: z.string(),
  lastAttemptAt: z.string().nullable(),
  deliveredAt: z.string().nullable(),
})
export type DeliveryWire = z.infer<typeof deliverySchema>

type Row = NonNullable<Awaited<ReturnType<typeof findDelivery>>>

function toWire({ scopes }: Caller, row: Row): DeliveryWire {
  const state = row.deliveredAt ? 'delivered' : row.failedAt ? 'failed' : 'waiting'
  const payload = scopes.has('audit:read') ? row.payload : null
  return wireOf(deliverySchema, { ...row, payload }, { state })
}

const query = listQuery(['createdAt'], { state: z.enum(DELIVERY_STATES).optional() }).extend({
  sort: z.enum(['-createdAt', 'createdAt']).default('-createdAt'),
})

export const listDeliveries = operation({
  id: 'listDeliveries',
  method: 'GET',
  path: '/webhooks/{webhook}/deliveries',
  summary:
    'List the deliveries of a webhook, the newest first; with `audit:read` also what was sent',
  scope: 'webhooks:read',
  query,
  answers: { 200: pageSchema(deliverySchema) },
  async handle(op, call) {
    const { id } = await requireWebhook(op, call.params.webhook)
    return listed(
      op,
      call.query,
      {
        name: 'deliveries',
        filters: { webhookId: id, state: call.query.state },
        list: listDeliveryPage,
      },
      (row) => toWire(call.caller, row),
    )
  },
})

export const resendDelivery = operation({
  id: 'resendDelivery',
  method: 'POST',
  path: '/webhooks/{webhook}/deliveries/{delivery}/resend',
  summary: 'Send a delivery again, with the same ID',
  scope: 'webhooks:write',
  answers: { 202: deliverySchema },
  async handle(op, call) {
    const webhook = await requireWebhook(op, call.params.webhook)
    const row = await op.read((db) => findDelivery(db, webhook.id, call.params.delivery))
    if (!row) throw notFound('no_delivery', call.params.delivery)
    if (webhook.disabledAt) throw new Problem('conflict', errorMessage('webhook_disabled'))
    const entry: ChangeEntry = {
      event: 'webhook.resent',
      gives: [],
      kind: 'webhook',
      id: webhook.id,
      detail: { delivery: row.id },
    }
    await change(op, call, entry, async (tx) => {
      await reopenDelivery(tx, row.id)
      await enqueue(tx, [webhookMessage(op.outboxKey, row, op.now())])
    })
    return { status: 202, body: toWire(call.caller, { ...row, deliveredAt: null, failedAt: null }) }
  },
})

export const testWebhook = operation({
  id: 'testWebhook',
  method: 'POST',
  path: '/webhooks/{webhook}/test',
  summary: 'Send a test event to a webhook',
  scope: 'webhooks:write',
  answers: { 202: z.object({ id: z.string().describe('ID of the delivery') }) },
  async handle(op, call) {
    const webhook = await requireWebhook(op, call.params.webhook)
    if (webhook.disabledAt) throw new Problem('conflict', errorMessage('webhook_disabled'))
    const entry: ChangeEntry = {
      event: 'webhook.tested',
      gives: [],
      kind: 'webhook',
      id: webhook.id,
    }
    const { id } = await change(op, call, entry, (tx) =>
      tellTest(tx, op.outboxKey, webhook.id, op.now()),
    )
    return { status: 202, body: { id } }
  },
})

export const webhookDeliveryRoutes = tagged('Webhooks', [
  listDeliveries,
  resendDelivery,
  testWebhook,
])
