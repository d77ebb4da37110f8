import { failpoint } from '../base/failpoint'
import type { Op } from '../context/op'
import type { DueMessage, OutboxKind } from '../store/delivery/outbox'
import { deliverLogout } from './backchannel-logout'
import { deliverMail } from './mail'
import { NoReceiver, RefusedForGood } from './refusals'
import { deliverCallback } from './request-callback'
import { deliverWebhook, giveUpWebhook } from './webhook'

/** Works off the outbox: claims, delivers, tries again later, gives up after a day. */

const AT_ONCE = 20
const LOCK_MS = 30_000
const MAX_ATTEMPTS = 12
const FIRST_RETRY_MS = 5_000
const MAX_RETRY_MS = 3 * 60 * 60 * 1000
const MAX_REASON_LENGTH = 200

type Deliver = (op: Op, id: string, payloadEncrypted: string) => Promise<void>

const deliveries: Record<OutboxKind, Deliver> = {
  backchannel_logout: deliverLogout,
  mail: deliverMail,
  webhook: deliverWebhook,
  callback: deliverCallback,
}

/** What has to be done when a message will not be tried again. */
const givenUp: Partial<Record<OutboxKind, Deliver>> = { webhook: giveUpWebhook }

export async function deliverDue(op: Op): Promise<number> {
  const now = op.now()
  const due = await op.outbox.claim(now, new Date(now.getTime() + LOCK_MS), AT_ONCE)
  if (due.length > 0) failpoint('outbox:claimed')
  await Promise.all(due.map((message) => deliver(op, message)))
  return due.length
}

async function deliver(op: Op, message: DueMessage): Promise<void> {
  try {
    await deliveries[message.kind](op, message.id, message.payloadEncrypted)
    failpoint('outbox:sent')
    await op.outbox.delivered(message.id, op.now())
  } catch (error) {
    await settle(op, message, error)
  }
}

/** Tries again later, gives up, or drops what has no receiver. */
async function settle(op: Op, { attempts, ...message }: DueMessage, error: unknown): Promise<void> {
  const { id, kind, payloadEncrypted } = message
  const reason = reasonOf(error)
  if (error instanceof NoReceiver) return op.outbox.dropped(id, reason, op.now())
  op.log.warn({ message: id, kind, reason }, 'a message of the outbox was not delivered')
  const next = error instanceof RefusedForGood ? null : nextAttempt(op, attempts)
  await op.outbox.failed(id, reason, next, op.now())
  if (!next) await givenUp[kind]?.(op, id, payloadEncrypted)
}

/** The first line: the others of an internal error may show what was being stored. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return (text.trim().split('\n')[0] ?? '').slice(0, MAX_REASON_LENGTH)
}

function nextAttempt(op: Op, attempts: number): Date | null {
  if (attempts + 1 >= MAX_ATTEMPTS) return null
  const wait = Math.min(FIRST_RETRY_MS * 3 ** attempts, MAX_RETRY_MS)
  return new Date(op.now().getTime() + wait)
}

/**
 * Delivers everything that is due; returns the number. A full batch means that more are waiting.
 */
export async function emptyOutbox(op: Op, mayGoOn: () => boolean): Promise<number> {
  let delivered = 0
  for (let taken = AT_ONCE; taken === AT_ONCE && mayGoOn(); delivered += taken) {
    taken = await deliverDue(op)
  }
  return delivered
}
