import { z } from 'zod'
import { isPlainlyRefused } from '../../base/address-guard'
import { matchesEvent, WEBHOOK_EVENTS } from '../../base/events'
import { HOUR_MS } from '../../base/time'
import { withoutUndefined } from '../../base/without-undefined'
import type { Op } from '../../context/op'
import { seal } from '../../crypto/seal'
import { newId } from '../../crypto/secrets'
import { newWebhookSecret, WEBHOOK_SECRET } from '../../delivery/webhooks/sign'
import { errorMessage, rule } from '../../i18n/error-message'
import {
  findWebhook,
  insertWebhook,
  listWebhookPage,
  removeWebhook,
  updateWebhook,
  type WebhookRow,
} from '../../store/delivery/webhooks'
import { type ChangeEntry, change, changeSeen } from '../authority/change'
import { WEBHOOK_PRIVILEGE } from '../authority/privileges'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { invalidField, requireFound } from '../http/problem'
import { iso, isYes, nameSchema, stampsWire, yesOrNo } from '../http/schemas'
import { requireSeen } from '../http/version'
import { wireOf } from '../http/wire'

/** Addresses that get events, signed as Standard Webhooks define it. */

const patternSchema = z
  .string()
  .max(100)
  .regex(/^(\*|[a-z_]+(\.[a-z_]+)*(\.\*)?)$/, rule('event_shape'))
  .refine(
    (pattern) => WEBHOOK_EVENTS.some((event) => matchesEvent(pattern, event)),
    rule('event_unknown'),
  )

const fieldShape = {
  name: nameSchema,
  url: z.string().max(2_000),
  events: z
    .array(patternSchema)
    .min(1)
    .max(100)
    .describe('Names of audit events, or patterns such as user.*'),
  enabled: z.boolean(),
}
const changeSchema = z.strictObject(fieldShape).partial()

export const webhookSecretSchema = z
  .string()
  .regex(WEBHOOK_SECRET, rule('webhook_secret'))
  .describe(
    'A secret of your own: whsec_ and 24 to 64 bytes in base64. If it is missing, one is generated',
  )

const createSchema = z.strictObject({
  ...fieldShape,
  enabled: fieldShape.enabled.default(true),
  secret: webhookSecretSchema.optional(),
})

const webhookSchema = z.object({
  id: z.string(),
  ...fieldShape,
  // One that was made before may name what is no event any more.
  events: z.array(z.string()),
  previousSecretUntil: z
    .string()
    .nullable()
    .describe('Until then, each delivery has two signatures'),
  ...stampsWire,
})
const withSecret = webhookSchema.extend({ secret: z.string().describe('Shown once') })
export type WebhookWire = z.infer<typeof webhookSchema>

function toWire(op: Op, row: WebhookRow): WebhookWire {
  const { events, disabledAt, previousExpiresAt: until } = row
  return wireOf(webhookSchema, row, {
    events: [...events],
    enabled: disabledAt === null,
    previousSecretUntil: until && until > op.now() ? iso(until) : null,
  })
}

export async function requireWebhook(op: Op, id: string): Promise<WebhookRow> {
  return requireFound(await op.read((db) => findWebhook(db, id)), 'no_webhook', id)
}

/** Addresses that the portal would never call are refused (attack N19). */
function requireCallable(op: Op, text: string | undefined): void {
  if (text === undefined) return
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password + url.hash !== '') {
    throw invalidField('/url', errorMessage('webhook_address'))
  }
  if (!isPlainlyRefused(url, op.config.outboundHosts)) return
  throw invalidField('/url', errorMessage('address_not_public'))
}

export const listWebhooks = operation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  summary: 'List webhooks',
  scope: 'webhooks:read',
  query: listQuery(['name', 'createdAt', 'updatedAt'], { enabled: yesOrNo.optional() }),
  answers: { 200: pageSchema(webhookSchema) },
  handle: (op, { query }) =>
    listed(
      op,
      query,
      { name: 'webhooks', filters: { enabled: isYes(query.enabled) }, list: listWebhookPage },
      (row) => toWire(op, row),
    ),
})

export const createWebhook = operation({
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  summary: 'Create a webhook; only this answer contains its secret',
  scope: 'webhooks:write',
  body: createSchema,
  example: {
    name: 'The CRM',
    url: 'https://crm.example/hooks',
    events: ['user.*', 'login.failed'],
  },
  answers: { 201: withSecret },
  async handle(op, call) {
    const { secret: own, enabled, ...fields } = call.body
    requireCallable(op, fields.url)
    const id = newId('whk')
    const secret = own ?? newWebhookSecret()
    const row = {
      id,
      ...fields,
      secretEncrypted: seal(op.webhookKey, id, secret),
      previousSecretEncrypted: null,
      previousExpiresAt: null,
      disabledAt: enabled ? null : op.now(),
      createdAt: op.now(),
      updatedAt: op.now(),
    }
    const entry: ChangeEntry = {
      event: 'webhook.created',
      gives: WEBHOOK_PRIVILEGE,
      kind: 'webhook',
      id,
      detail: { after: { ...fields, enabled } },
    }
    const created = await change(op, call, entry, (tx) => insertWebhook(tx, row))
    return { status: 201, body: { ...toWire(op, created), secret }, version: created.version }
  },
})

export const getWebhook = operation({
  id: 'getWebhook',
  method: 'GET',
  path: '/webhooks/{webhook}',
  summary: 'Read a webhook, without its secret',
  scope: 'webhooks:read',
  answers: { 200: webhookSchema },
  async handle(op, { params }) {
    const row = await requireWebhook(op, params.webhook)
    return { status: 200, body: toWire(op, row), version: row.version }
  },
})

export const changeWebhook = operation({
  id: 'changeWebhook',
  method: 'PATCH',
  path: '/webhooks/{webhook}',
  summary: 'Change a webhook',
  scope: 'webhooks:write',
  body: changeSchema,
  example: { events: ['*'], enabled: false },
  answers: { 200: webhookSchema },
  async handle(op, call) {
    const before = await requireWebhook(op, call.params.webhook)
    requireSeen(call.ifMatch, before, toWire(op, before))
    requireCallable(op, call.body.url)
    const { enabled, ...rest } = call.body
    const fields = {
      ...withoutUndefined(rest),
      ...(enabled !== undefined && {
        disabledAt: enabled ? null : (before.disabledAt ?? op.now()),
      }),
      updatedAt: op.now(),
    }
    const entry: ChangeEntry = {
      event: 'webhook.changed',
      gives: WEBHOOK_PRIVILEGE,
      kind: 'webhook',
      id: before.id,
      detail: { before: toWire(op, before), after: call.body },
    }
    await changeSeen(op, call, entry, (tx) => updateWebhook(tx, before, fields))
    const after = { ...before, ...fields, version: before.version + 1 }
    return { status: 200, body: toWire(op, after), version: after.version }
  },
})

export const deleteWebhook = operation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{webhook}',
  summary: 'Delete a webhook with its deliveries',
  scope: 'webhooks:write',
  answers: { 204: null },
  async handle(op, call) {
    const before = await requireWebhook(op, call.params.webhook)
    requireSeen(call.ifMatch, before, toWire(op, before))
    const entry: ChangeEntry = {
      event: 'webhook.deleted',
      gives: [],
      kind: 'webhook',
      id: before.id,
      detail: { before: toWire(op, before) },
    }
    await changeSeen(op, call, entry, (tx) => removeWebhook(tx, before, op.now()))
    return { status: 204 }
  },
})

export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/{webhook}/rotation',
  summary: 'Create a new secret; deliveries are signed with both until the old one ends',
  scope: 'webhooks:write',
  body: z.strictObject({
    overlapHours: z.int().min(0).max(168).default(24).describe('0 ends the old secret at once'),
    secret: webhookSecretSchema.optional(),
  }),
  example: { overlapHours: 24 },
  answers: { 200: withSecret },
  async handle(op, call) {
    const before = await requireWebhook(op, call.params.webhook)
    const { overlapHours, secret = newWebhookSecret() } = call.body
    const overlaps = overlapHours > 0
    const fields = {
      secretEncrypted: seal(op.webhookKey, before.id, secret),
      previousSecretEncrypted: overlaps ? before.secretEncrypted : null,
      previousExpiresAt: overlaps ? new Date(op.now().getTime() + overlapHours * HOUR_MS) : null,
      updatedAt: op.now(),
    }
    const entry: ChangeEntry = {
      event: 'webhook.secret_rotated',
      gives: [],
      kind: 'webhook',
      id: before.id,
      detail: { overlapHours },
    }
    await changeSeen(op, call, entry, (tx) => updateWebhook(tx, before, fields))
    const after = { ...before, ...fields, version: before.version + 1 }
    return { status: 200, body: { ...toWire(op, after), secret }, version: after.version }
  },
})

export const webhookRoutes = tagged('Webhooks', [
  listWebhooks,
  createWebhook,
  getWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
])
