import { createHmac, randomBytes } from 'node:crypto'

/** Standard Webhooks 1.0.0: symmetric signatures over id, time and body. */

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/

export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

type SignedDelivery = { id: string; timestamp: number; body: string }

function signature(secret: string, { id, timestamp, body }: SignedDelivery): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return `v1,${mac}`
}

/** One signature for each valid secret: a receiver needs to know only one of them. */
export function webhookHeaders(
  secrets: readonly string[],
  message: SignedDelivery,
): Record<string, string | number> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(message.body),
    'User-Agent': 'Gatehouse',
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => signature(secret, message)).join(' '),
  }
}
