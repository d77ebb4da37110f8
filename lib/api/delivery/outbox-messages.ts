import { z } from 'zod'
import type { EventName } from '../../base/events'
import type { Op, Transaction } from '../../context/op'
import { NOTICES } from '../../delivery/mail/order'
import { deliveryIn } from '../../delivery/webhook'
import { errorMessage } from '../../i18n/error-message'
import { type NamedKind, namesOf } from '../../store/audit/names'
import {
  cancelMessage,
  findMessage,
  findPayload,
  listMessagePage,
  MESSAGE_STATES,
  type Message,
  OUTBOX_KINDS,
  type OutboxKind,
  retryMessage,
} from '../../store/delivery/outbox'
import { giveUpDelivery, reopenDelivery } from '../../store/delivery/webhooks'
import { type ChangeEntry, change } from '../authority/change'
import type { Caller } from '../http/caller'
import { type Call, operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { notFound, Problem } from '../http/problem'
import { iso } from '../http/schemas'
import { NAME_SCOPES } from '../http/visible-names'
import { wireOf } from '../http/wire'

export { MESSAGE_STATES, OUTBOX_KINDS }

/**
 * What leaves the portal: whether it arrived, and trying it again. Never what it says, because mail
 * contains links that open accounts. A caller sees the messages to those whom they may read (attack
 * N2): mail that nobody got tells which accounts do not exist (attack M1).
 */

const TARGETS = {
  mail: 'user',
  backchannel_logout: 'application',
  webhook: 'webhook',
  callback: 'application',
} as const satisfies Record<OutboxKind, NamedKind>

const targetSchema = z.object({
  type: z.enum(Object.values(TARGETS)),
  id: z.string(),
  name: z.string().nullable().describe('Null if it was deleted'),
})

const messageSchema = z.object({
  id: z.string(),
  kind: z.enum(OUTBOX_KINDS),
  about: z
    .string()
    .nullable()
    .describe('Of a mail: the letter, such as `reset`. Of a webhook: the event'),
  target: targetSchema.nullable().describe('Who gets it; null if that is not known yet'),
  state: z.enum(MESSAGE_STATES),
  attempts: z.number().describe('Since it was queued or retried'),
  lastError: z.string().nullable(),
  nextAttemptAt: z.string().nullable().describe('Null if it is not waiting'),
  createdAt: z.string(),
  endedAt: z.string().nullable().describe('When it was delivered, cancelled or given up'),
})
export type MessageWire = z.infer<typeof messageSchema>

function toWire(names: ReadonlyMap<string, string>, row: Message): MessageWire {
  const { kind, state, targetId: to } = row
  return wireOf(messageSchema, row, {
    target: to === null ? null : { type: TARGETS[kind], id: to, name: names.get(to) ?? null },
    nextAttemptAt: state === 'waiting' ? iso(row.nextAttemptAt) : null,
    endedAt: iso(row.deliveredAt ?? row.failedAt),
  })
}

async function withNames(op: Op, rows: readonly Message[]): Promise<MessageWire[]> {
  const wanted = Object.values(TARGETS).map((type) => {
    const own = rows.filter(({ kind }) => TARGETS[kind] === type)
    return [type, new Set(own.flatMap(({ targetId }) => targetId ?? []))] as const
  })
  const names = await op.readReplica((db) => namesOf(db, new Map(wanted)))
  return rows.map((row) => toWire(names, row))
}

function maySee({ scopes }: Caller, kind: OutboxKind): boolean {
  return scopes.has(NAME_SCOPES[TARGETS[kind]])
}

async function requireMessage(op: Op, caller: Caller, id: string): Promise<Message> {
  const row = await op.read((db) => findMessage(db, id))
  if (!row || !maySee(caller, row.kind)) throw notFound('no_message', id)
  return row
}

async function answered(op: Op, caller: Caller, id: string) {
  const [body] = await withNames(op, [await requireMessage(op, caller, id)])
  if (!body) throw notFound('no_message', id)
  return { status: 200, body } as const
}

const query = listQuery(['createdAt'], {
  kind: z.enum(OUTBOX_KINDS).optional(),
  state: z.enum(MESSAGE_STATES).optional(),
})
  .omit({ q: true })
  .extend({ sort: z.enum(['-createdAt', 'createdAt']).default('-createdAt') })

export const listOutboxMessages = operation({
  id: 'listOutboxMessages',
  method: 'GET',
  path: '/outbox/messages',
  summary: 'List mail, back-channel logouts and webhook events, the newest first; never their text',
  scope: 'settings:read',
  query,
  answers: { 200: pageSchema(messageSchema) },
  async handle(op, { caller, query }) {
    const { kind, state } = query
    const asked = kind === undefined ? OUTBOX_KINDS : [kind]
    const filters = { kinds: asked.filter((one) => maySee(caller, one)), state }
    const list = { name: 'outbox messages', filters, list: listMessagePage }
    const { status, body } = await listed(op, query, list, (row) => row)
    return { status, body: { ...body, data: await withNames(op, body.data) } }
  },
})

const getOutboxMessage = operation({
  id: 'getOutboxMessage',
  method: 'GET',
  path: '/outbox/messages/{message}',
  summary: 'Read the state of a message, never its text',
  scope: 'settings:read',
  answers: { 200: messageSchema },
  handle: (op, { caller, params }) => answered(op, caller, params.message),
})

// ---------------------------------------------------------------- trying again, cancelling

const CANCELLED = 'cancelled by an admin'

function entryOf(event: EventName, { id, kind, about }: Message): ChangeEntry {
  const target = { kind: 'outbox_message', id } as const
  return { event, gives: [], ...target, detail: { kind, about } }
}

/** In one statement, so that a message that is sent meanwhile is not touched. */
async function settle(
  op: Op,
  call: Call<{ message: string }, unknown, unknown>,
  row: Message,
  { event, by }: { event: EventName; by(tx: Transaction): Promise<boolean> },
) {
  await change(op, call, entryOf(event, row), async (tx) => {
    if (!(await by(tx))) throw conflictOf(op, row.id, await findMessage(tx, row.id))
  })
  return answered(op, call.caller, row.id)
}

function conflictOf(op: Op, id: string, row: Message | null): Problem {
  if (!row) return notFound('no_message', id)
  if (row.state === 'delivered') return new Problem('conflict', errorMessage('message_delivered'))
  if (row.lockedUntil && row.lockedUntil > op.now()) {
    return new Problem('conflict', errorMessage('message_sending'))
  }
  return new Problem(
    'conflict',
    errorMessage(row.state === 'cancelled' ? 'message_cancelled' : 'message_failed'),
  )
}

/** A webhook keeps its own list of deliveries. */
async function deliveryOf(op: Op, { id, kind }: Message): Promise<string | null> {
  if (kind !== 'webhook') return null
  const sealed = await op.read((db) => findPayload(db, id))
  return sealed === null ? null : deliveryIn(op, id, sealed)
}

export const retryOutboxMessage = operation({
  id: 'retryOutboxMessage',
  method: 'POST',
  path: '/outbox/messages/{message}/retry',
  summary: 'Try a message that waits, has failed or was cancelled again at once',
  scope: 'outbox:write',
  answers: { 200: messageSchema },
  async handle(op, call) {
    const row = await requireMessage(op, call.caller, call.params.message)
    const delivery = await deliveryOf(op, row)
    return settle(op, call, row, {
      event: 'outbox.retried',
      async by(tx) {
        if (!(await retryMessage(tx, row.id, op.now()))) return false
        if (delivery !== null) await reopenDelivery(tx, delivery)
        return true
      },
    })
  },
})

/**
 * Whoever takes over an account would cancel the notice about it (attack N27). The letter of an
 * older version may be one.
 */
function requireCancellable({ kind, about }: Message): void {
  if (kind !== 'mail') return
  if (about !== null && !NOTICES.some((notice) => notice === about)) return
  throw new Problem('conflict', errorMessage('message_notice'))
}

export const cancelOutboxMessage = operation({
  id: 'cancelOutboxMessage',
  method: 'POST',
  path: '/outbox/messages/{message}/cancel',
  summary: 'Cancel a message that waits; notices about the security of an account stay',
  scope: 'outbox:write',
  answers: { 200: messageSchema },
  async handle(op, call) {
    const row = await requireMessage(op, call.caller, call.params.message)
    requireCancellable(row)
    const delivery = await deliveryOf(op, row)
    return settle(op, call, row, {
      event: 'outbox.cancelled',
      async by(tx) {
        if (!(await cancelMessage(tx, row.id, CANCELLED, op.now()))) return false
        if (delivery !== null) await giveUpDelivery(tx, delivery, op.now(), CANCELLED)
        return true
      },
    })
  },
})

export const outboxMessageRoutes = tagged('Outbox', [
  listOutboxMessages,
  getOutboxMessage,
  retryOutboxMessage,
  cancelOutboxMessage,
])
