import type { Reader, Transaction } from '../database/connection'
import { type InputJsonObject, type Prisma, prisma } from '../database/database'
import { stringList } from '../database/json'
import { type Page, type PageAsk, pageOf } from '../database/page'
import { enabledIs } from '../database/rows'
import { cancelWaiting } from './outbox'

/** Webhooks and their deliveries. Secrets are encrypted; the sender decrypts them. */

export type WebhookRow = {
  id: string
  name: string
  url: string
  events: readonly string[]
  secretEncrypted: string
  previousSecretEncrypted: string | null
  previousExpiresAt: Date | null
  disabledAt: Date | null
  createdAt: Date
  updatedAt: Date
  version: number
}

type Stored = Omit<WebhookRow, 'events'> & { events: unknown }

function toWebhook(row: Stored): WebhookRow {
  return { ...row, events: stringList(row.events) }
}

export async function findWebhook(db: Reader, id: string): Promise<WebhookRow | null> {
  const row = await prisma(db).webhook.findUnique({ where: { id } })
  return row && toWebhook(row)
}

export function listWebhookPage(
  db: Reader,
  { enabled }: { enabled?: boolean | undefined },
  ask: PageAsk<'name' | 'createdAt' | 'updatedAt'>,
): Promise<Page<WebhookRow>> {
  return pageOf(ask, {
    filter: enabledIs(enabled),
    sorts: { name: 'text', createdAt: 'date', updatedAt: 'date' },
    searched: ['id', 'name', 'url'],
    find: async (asked) => (await prisma(db).webhook.findMany(asked)).map(toWebhook),
    count: (asked) => prisma(db).webhook.count(asked),
  })
}

export async function insertWebhook(
  tx: Transaction,
  { events, ...row }: Omit<WebhookRow, 'version'>,
): Promise<WebhookRow> {
  return toWebhook(await prisma(tx).webhook.create({ data: { ...row, events: [...events] } }))
}

type Changes = Partial<Omit<WebhookRow, 'id' | 'version' | 'createdAt'>>

export async function updateWebhook(
  tx: Transaction,
  { id, version }: WebhookRow,
  { events, ...rest }: Changes,
): Promise<number> {
  const data = { ...rest, ...(events && { events: [...events] }), version: version + 1 }
  return (await prisma(tx).webhook.updateMany({ where: { id, version }, data })).count
}

export async function removeWebhook(
  tx: Transaction,
  { id, version }: WebhookRow,
  now: Date,
): Promise<number> {
  const { count } = await prisma(tx).webhook.deleteMany({ where: { id, version } })
  const waiting = { kind: 'webhook', targetId: id } as const
  if (count === 1) await cancelWaiting(tx, waiting, 'the webhook was deleted', now)
  return count
}

export async function listListening(
  tx: Transaction,
): Promise<{ id: string; events: readonly string[] }[]> {
  const rows = await prisma(tx).webhook.findMany({
    where: { disabledAt: null },
    select: { id: true, events: true },
  })
  return rows.map(({ id, events }) => ({ id, events: stringList(events) }))
}

// ---------------------------------------------------------------- deliveries

export type NewDelivery = {
  id: string
  webhookId: string
  event: string
  payload: InputJsonObject
  createdAt: Date
}

export async function insertDeliveries(tx: Transaction, rows: NewDelivery[]): Promise<void> {
  if (rows.length > 0) await prisma(tx).webhookDelivery.createMany({ data: rows })
}

export async function findDelivery(db: Reader, webhookId: string, id: string) {
  return prisma(db).webhookDelivery.findFirst({ where: { id, webhookId } })
}

export const DELIVERY_STATES = ['delivered', 'waiting', 'failed'] as const
type DeliveryState = (typeof DELIVERY_STATES)[number]

const IN_STATE: Record<DeliveryState, Prisma.WebhookDeliveryWhereInput> = {
  delivered: { deliveredAt: { not: null } },
  waiting: { deliveredAt: null, failedAt: null },
  failed: { deliveredAt: null, failedAt: { not: null } },
}

export function listDeliveryPage(
  db: Reader,
  { webhookId, state }: { webhookId: string; state?: DeliveryState | undefined },
  ask: PageAsk<'createdAt'>,
) {
  return pageOf(ask, {
    filter: { webhookId, ...(state && IN_STATE[state]) },
    sorts: { createdAt: 'date' },
    searched: ['id', 'event'],
    find: (asked) => prisma(db).webhookDelivery.findMany(asked),
    count: (asked) => prisma(db).webhookDelivery.count(asked),
  })
}

export async function findDeliveryWithWebhook(db: Reader, id: string) {
  const row = await prisma(db).webhookDelivery.findUnique({
    where: { id },
    include: { webhook: true },
  })
  return row && { ...row, webhook: toWebhook(row.webhook) }
}

type Attempt = { status: number | null; lastError: string | null; deliveredAt: Date | null }

export async function noteAttempt(
  db: Reader,
  id: string,
  attempt: Attempt,
  now: Date,
): Promise<void> {
  await prisma(db).webhookDelivery.updateMany({
    where: { id },
    data: { ...attempt, attempts: { increment: 1 }, lastAttemptAt: now },
  })
}

export async function giveUpDelivery(
  db: Reader,
  id: string,
  now: Date,
  lastError?: string,
): Promise<void> {
  await prisma(db).webhookDelivery.updateMany({
    where: { id },
    data: { failedAt: now, ...(lastError !== undefined && { lastError }) },
  })
}

/** Sends it again, with the ID that the receiver may know already. */
export async function reopenDelivery(tx: Transaction, id: string): Promise<void> {
  await prisma(tx).webhookDelivery.updateMany({
    where: { id },
    data: { deliveredAt: null, failedAt: null },
  })
}
