import { REGISTRATIONS } from '../../oidc/client'
import type { Reader, Transaction } from '../database/connection'
import { type Database, type Prisma, prisma, sqlOf } from '../database/database'
import { oneOf } from '../database/json'
import { type NoFilters, type PageAsk, pageOf } from '../database/page'

/**
 * Messages that must leave the portal: written with the change that causes them, delivered
 * afterwards.
 */

export const OUTBOX_KINDS = ['backchannel_logout', 'mail', 'webhook', 'callback'] as const
export type OutboxKind = (typeof OUTBOX_KINDS)[number]

export type NewMessage = {
  id: string
  kind: OutboxKind
  dedupeKey: string
  /** The letter or the event: what admins may know of it without its text. */
  about: string | null
  /** The user, the application or the webhook that it is for, if that is known. */
  targetId: string | null
  payloadEncrypted: string
  createdAt: Date
}

export type DueMessage = {
  id: string
  kind: OutboxKind
  payloadEncrypted: string
  attempts: number
}

export async function enqueue(tx: Transaction, messages: NewMessage[]): Promise<void> {
  if (messages.length === 0) return
  await prisma(tx).outboxMessage.createMany({
    data: messages.map((message) => ({ ...message, nextAttemptAt: message.createdAt })),
  })
}

/** The written mail replaces its order, so every attempt sends the same. */
export async function replacePayload(
  tx: Transaction,
  id: string,
  { payloadEncrypted, targetId }: { payloadEncrypted: string; targetId: string },
): Promise<void> {
  await prisma(tx).outboxMessage.update({ where: { id }, data: { payloadEncrypted, targetId } })
}

/** Mail, whether it was delivered or not. */
export function listMailPage(db: Reader, _all: NoFilters, ask: PageAsk<'createdAt'>) {
  return pageOf(ask, {
    filter: { kind: 'mail' satisfies OutboxKind },
    sorts: { createdAt: 'date' },
    searched: [],
    find: (asked) => prisma(db).outboxMessage.findMany(asked),
    count: (asked) => prisma(db).outboxMessage.count(asked),
  })
}

// ---------------------------------------------------------------- logout

type LogoutTarget = { sessionId: string; clientId: string; applicationId: string }

/** The applications with tokens of these sessions that want to be notified. */
export async function logoutTargetsOf(
  tx: Transaction,
  sessionIds: readonly string[],
): Promise<LogoutTarget[]> {
  const grants = await prisma(tx).tokenGrant.findMany({
    where: {
      sessionId: { in: [...sessionIds] },
      application: { backchannelLogoutUri: { not: null } },
    },
    select: { sessionId: true, applicationId: true, accessKeyId: true },
  })
  const targets = grants.map(({ sessionId, applicationId, accessKeyId }) => ({
    sessionId: sessionId ?? '',
    clientId: accessKeyId ?? applicationId,
    applicationId,
  }))
  const once = targets.map((target) => [`${target.sessionId} ${target.clientId}`, target] as const)
  return [...new Map(once).values()]
}

/** `registration`: who wrote the address. */
type LogoutReceiver = { uri: string; registration: (typeof REGISTRATIONS)[number] }

/**
 * Where an application wants to be notified now; null if nowhere. An access key is found too: older
 * versions stored the client.
 */
export async function logoutReceiver(db: Reader, clientId: string): Promise<LogoutReceiver | null> {
  const application = await prisma(db).application.findFirst({
    where: { OR: [{ id: clientId }, { accessKeys: { some: { id: clientId } } }] },
    select: { backchannelLogoutUri: true, registration: true },
  })
  if (!application?.backchannelLogoutUri) return null
  const { backchannelLogoutUri: uri, registration } = application
  return { uri, registration: oneOf(REGISTRATIONS, registration) }
}

// ---------------------------------------------------------------- what waits

type For = { kind: OutboxKind; targetId: string }

const WAITING = { deliveredAt: null, failedAt: null } as const

/**
 * What waits for an address that is gone, in the transaction that removes it. What is being sent at
 * this moment is not tried again.
 */
export async function cancelWaiting(
  tx: Transaction,
  { kind, targetId }: For,
  reason: string,
  now: Date,
): Promise<void> {
  await prisma(tx).outboxMessage.updateMany({
    where: { kind, targetId, ...WAITING },
    data: cancelled(now, reason),
  })
}

/** What waits for an address that has changed is tried at the new one at once. */
export async function hastenWaiting(
  tx: Transaction,
  { kind, targetId }: For,
  now: Date,
): Promise<void> {
  await prisma(tx).outboxMessage.updateMany({
    where: { kind, targetId, ...WAITING, ...isFree(now) },
    data: { nextAttemptAt: now, attempts: 0 },
  })
}

function cancelled(now: Date, lastError: string) {
  return { failedAt: now, cancelledAt: now, lastError }
}

/** Not claimed by a server process. */
function isFree(now: Date) {
  return { OR: [{ lockedUntil: null }, { lockedUntil: { lte: now } }] }
}

// ---------------------------------------------------------------- for those who manage it

export const MESSAGE_STATES = ['waiting', 'delivered', 'failed', 'cancelled'] as const
type MessageState = (typeof MESSAGE_STATES)[number]

const IN_STATE: Record<MessageState, Prisma.OutboxMessageWhereInput> = {
  waiting: WAITING,
  delivered: { deliveredAt: { not: null } },
  failed: { deliveredAt: null, failedAt: { not: null }, cancelledAt: null },
  cancelled: { deliveredAt: null, cancelledAt: { not: null } },
}

/** Without the payload: links that open accounts are in it. */
const SHOWN = {
  id: true,
  kind: true,
  about: true,
  targetId: true,
  attempts: true,
  nextAttemptAt: true,
  lockedUntil: true,
  deliveredAt: true,
  failedAt: true,
  cancelledAt: true,
  lastError: true,
  createdAt: true,
} as const satisfies Prisma.OutboxMessageSelect

export function listMessagePage(
  db: Reader,
  { kinds, state }: { kinds: readonly OutboxKind[]; state?: MessageState | undefined },
  ask: PageAsk<'createdAt'>,
) {
  return pageOf(ask, {
    filter: { kind: { in: [...kinds] }, ...(state && IN_STATE[state]) },
    sorts: { createdAt: 'date' },
    searched: [],
    find: async (asked) =>
      (await prisma(db).outboxMessage.findMany({ ...asked, select: SHOWN })).map(toMessage),
    count: (asked) => prisma(db).outboxMessage.count(asked),
  })
}

export async function findMessage(db: Reader, id: string): Promise<Message | null> {
  const row = await prisma(db).outboxMessage.findFirst({
    where: { id, kind: { in: [...OUTBOX_KINDS] } },
    select: SHOWN,
  })
  return row && toMessage(row)
}

/** Encrypted; for those who send it or have to know which delivery it belongs to. */
export async function findPayload(db: Reader, id: string): Promise<string | null> {
  const row = await prisma(db).outboxMessage.findUnique({
    where: { id },
    select: { payloadEncrypted: true },
  })
  return row?.payloadEncrypted ?? null
}

type Row = Prisma.OutboxMessageGetPayload<{ select: typeof SHOWN }>
export type Message = ReturnType<typeof toMessage>

function toMessage(row: Row) {
  return { ...row, kind: oneOf(OUTBOX_KINDS, row.kind), state: stateOf(row) }
}

function stateOf({ deliveredAt, failedAt, cancelledAt }: Row): MessageState {
  if (deliveredAt) return 'delivered'
  if (cancelledAt) return 'cancelled'
  return failedAt ? 'failed' : 'waiting'
}

/** At once, and with all attempts. False if it was delivered or is being sent. */
export async function retryMessage(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const { count } = await prisma(tx).outboxMessage.updateMany({
    where: { id, deliveredAt: null, ...isFree(now) },
    data: {
      failedAt: null,
      cancelledAt: null,
      lockedUntil: null,
      attempts: 0,
      nextAttemptAt: now,
    },
  })
  return count === 1
}

/** False if it does not wait, or is being sent. */
export async function cancelMessage(
  tx: Transaction,
  id: string,
  reason: string,
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).outboxMessage.updateMany({
    where: { id, ...WAITING, ...isFree(now) },
    data: cancelled(now, reason),
  })
  return count === 1
}

// ---------------------------------------------------------------- delivery

export function outboxStore(db: Database) {
  return {
    /** Claims what is due; each message goes to one of several server processes. */
    async claim(now: Date, lockedUntil: Date, most: number): Promise<DueMessage[]> {
      if (!(await anyDue(db, now))) return []
      const due = await db.outboxMessage.findMany({
        where: { ...isDue(now) },
        orderBy: { nextAttemptAt: 'asc' },
        take: most,
      })
      const claimed = await Promise.all(
        due.map(async (message) => {
          const { count } = await db.outboxMessage.updateMany({
            where: { id: message.id, ...isDue(now) },
            data: { lockedUntil, attempts: { increment: 1 } },
          })
          return count === 1 ? [{ ...message, kind: oneOf(OUTBOX_KINDS, message.kind) }] : []
        }),
      )
      return claimed.flat()
    },

    async delivered(id: string, now: Date): Promise<void> {
      await db.outboxMessage.update({
        where: { id },
        data: { deliveredAt: now, lockedUntil: null },
      })
    },

    /** `nextAttemptAt` null: given up. What was cancelled meanwhile stays cancelled. */
    async failed(id: string, reason: string, nextAttemptAt: Date | null, now: Date): Promise<void> {
      await db.outboxMessage.updateMany({
        where: { id, cancelledAt: null },
        data: {
          lastError: reason,
          lockedUntil: null,
          ...(nextAttemptAt ? { nextAttemptAt } : { failedAt: now }),
        },
      })
    },

    /** Nobody is left to deliver it to. */
    async dropped(id: string, reason: string, now: Date): Promise<void> {
      await db.outboxMessage.updateMany({
        where: { id, deliveredAt: null, cancelledAt: null },
        data: { ...cancelled(now, reason), lockedUntil: null },
      })
    },

    /** What is overdue since then, and what was given up since. */
    async backlog(dueBefore: Date, failedSince: Date) {
      const waiting = await db.outboxMessage.count({
        where: { ...WAITING, nextAttemptAt: { lt: dueBefore } },
      })
      const failed = await db.outboxMessage.count({
        where: { failedAt: { gte: failedSince }, cancelledAt: null },
      })
      return { waiting, failed }
    },
  }
}

export type OutboxStore = ReturnType<typeof outboxStore>

/**
 * Asked every second by every process: with a prepared statement, which costs a tenth of Prisma's.
 */
async function anyDue(db: Database, now: Date): Promise<boolean> {
  const rows = await sqlOf(db).all(
    `SELECT 1 FROM "OutboxMessage" WHERE "deliveredAt" IS NULL AND "failedAt" IS NULL
      AND "nextAttemptAt" <= ? AND ("lockedUntil" IS NULL OR "lockedUntil" <= ?) LIMIT 1`,
    [now, now],
  )
  return rows.length > 0
}

/** Messages of kinds that this version does not know wait for one that does. */
function isDue(now: Date) {
  return {
    kind: { in: [...OUTBOX_KINDS] },
    ...WAITING,
    nextAttemptAt: { lte: now },
    ...isFree(now),
  }
}
