import type { Reader, Transaction } from './connection'
import { type Database, prisma, sqlOf } from './database'
import { oneOf } from './json'
import { type NoFilters, type PageAsk, pageOf } from './page'

/**
 * Messages that must leave the portal: written with the change that causes them, delivered
 * afterwards.
 */

const OUTBOX_KINDS = ['backchannel_logout', 'mail', 'webhook'] as const
export type OutboxKind = (typeof OUTBOX_KINDS)[number]

export type NewMessage = {
  id: string
  kind: OutboxKind
  dedupeKey: string
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
  payloadEncrypted: string,
): Promise<void> {
  await prisma(tx).outboxMessage.update({ where: { id }, data: { payloadEncrypted } })
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

export type LogoutTarget = { sessionId: string; clientId: string; uri: string }

/** The applications with tokens of these sessions, and where they want to be notified. */
export async function logoutTargetsOf(
  tx: Transaction,
  sessionIds: readonly string[],
): Promise<LogoutTarget[]> {
  const grants = await prisma(tx).tokenGrant.findMany({
    where: {
      sessionId: { in: [...sessionIds] },
      application: { backchannelLogoutUri: { not: null } },
    },
    select: {
      sessionId: true,
      applicationId: true,
      accessKeyId: true,
      application: { select: { backchannelLogoutUri: true } },
    },
  })
  const targets = grants.map(({ sessionId, applicationId, accessKeyId, application }) => ({
    sessionId: sessionId ?? '',
    clientId: accessKeyId ?? applicationId,
    uri: application.backchannelLogoutUri ?? '',
  }))
  const once = targets.map((target) => [`${target.sessionId} ${target.clientId}`, target] as const)
  return [...new Map(once).values()]
}

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

    /** `nextAttemptAt` null: given up. */
    async failed(id: string, reason: string, nextAttemptAt: Date | null, now: Date): Promise<void> {
      await db.outboxMessage.update({
        where: { id },
        data: {
          lastError: reason,
          lockedUntil: null,
          ...(nextAttemptAt ? { nextAttemptAt } : { failedAt: now }),
        },
      })
    },

    /** What is overdue since then, and what was given up since. */
    async backlog(dueBefore: Date, failedSince: Date) {
      const open = { deliveredAt: null, failedAt: null }
      const waiting = await db.outboxMessage.count({
        where: { ...open, nextAttemptAt: { lt: dueBefore } },
      })
      const failed = await db.outboxMessage.count({ where: { failedAt: { gte: failedSince } } })
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
    deliveredAt: null,
    failedAt: null,
    nextAttemptAt: { lte: now },
    OR: [{ lockedUntil: null }, { lockedUntil: { lte: now } }],
  }
}
