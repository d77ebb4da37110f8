import type { Database, InputJsonObject, Transaction } from './database'
import { stringList } from './json'

/** Where events are told, and each telling. Secrets are sealed; who sends opens them. */

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

export function toWebhook(row: Stored): WebhookRow {
  return { ...row, events: stringList(row.events) }
}

export async function findWebhook(
  db: Database | Transaction,
  id: string,
): Promise<WebhookRow | null> {
  const row = await db.webhook.findUnique({ where: { id } })
  return row && toWebhook(row)
}

export async function insertWebhook(
  tx: Transaction,
  { events, ...row }: Omit<WebhookRow, 'version'>,
): Promise<WebhookRow> {
  return toWebhook(await tx.webhook.create({ data: { ...row, events: [...events] } }))
}

type Changes = Partial<Omit<WebhookRow, 'id' | 'version' | 'createdAt'>>

export async function updateWebhook(
  tx: Transaction,
  { id, version }: WebhookRow,
  { events, ...rest }: Changes,
): Promise<number> {
  const data = { ...rest, ...(events && { events: [...events] }), version: version + 1 }
  return (await tx.webhook.updateMany({ where: { id, version }, data })).count
}

export async function removeWebhook(tx: Transaction, { id, version }: WebhookRow): Promise<number> {
  return (await tx.webhook.deleteMany({ where: { id, version } })).count
}

export async function listListening(
  tx: Transaction,
): Promise<{ id: string; events: readonly string[] }[]> {
  const rows = await tx.webhook.findMany({
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
  if (rows.length > 0) await tx.webhookDelivery.createMany({ data: rows })
}

export async function findDelivery(db: Database | Transaction, webhookId: string, id: string) {
  return db.webhookDelivery.findFirst({ where: { id, webhookId } })
}

export async function findDeliveryWithWebhook(db: Database, id: string) {
  const row = await db.webhookDelivery.findUnique({ where: { id }, include: { webhook: true } })
  return row && { ...row, webhook: toWebhook(row.webhook) }
}

export type Attempt = { status: number | null; lastError: string | null; deliveredAt: Date | null }

export async function noteAttempt(
  db: Database,
  id: string,
  attempt: Attempt,
  now: Date,
): Promise<void> {
  await db.webhookDelivery.updateMany({
    where: { id },
    data: { ...attempt, attempts: { increment: 1 }, lastAttemptAt: now },
  })
}

export async function giveUpDelivery(db: Database, id: string, now: Date): Promise<void> {
  await db.webhookDelivery.updateMany({ where: { id }, data: { failedAt: now } })
}

/** On its way again, under the id that the receiver may know already. */
export async function reopenDelivery(tx: Transaction, id: string): Promise<void> {
  await tx.webhookDelivery.update({ where: { id }, data: { deliveredAt: null, failedAt: null } })
}
