import type { Impersonation } from '../../access/impersonation'
import type { Reader, Transaction } from '../database/connection'
import { type Database, prisma, sqlOf } from '../database/database'
import { stringList } from '../database/json'
import {
  jsonIn,
  type SqlClient,
  type Step,
  textIn,
  textOrNull,
  timeIn,
  timeOrNull,
} from '../database/sql'
import { toUser, type User } from './users'

export type Session = {
  id: string
  signedInAt: Date
  /** When the user proved who they are; if a provider does not report it: signedInAt. */
  authTime: Date
  /** The same, but null if unknown. */
  provenAt: Date | null
  acr: string
  amr: readonly string[]
  /** When the user last confirmed their identity; null if not since signing in. */
  confirmedAt: Date | null
  /** When they last used a second factor or a passkey; a recovery code does not count. */
  factorAt: Date | null
  /**
   * When they last showed otherwise that their factors are theirs: with a recovery code, or by
   * adding one. It is enough to change factors, and for nothing else.
   */
  factorsProvenAt: Date | null
  lastSeenAt: Date
  /** The time zone in the user's profile, as it stands there. */
  zoneinfo: string | null
  /** Until when the user has read what happened to the account. */
  newsReadAt: Date | null
  user: User
  /** It is an admin who looks at the account of this user. */
  impersonation?: Impersonation
}

type NewSession = {
  id: string
  secretHash: string
  userId: string
  acr: string
  amr: string[]
  provenAt: Date | null
  factorAt: Date | null
  factorsProvenAt: Date | null
  ip: string | null
  userAgent: string
  newDevice: boolean
  now: Date
  idleExpiresAt: Date
  expiresAt: Date
}

const SEEN_EVERY_MS = 60_000

export function sessionStore(db: Database) {
  const sql = sqlOf(db)
  return {
    /** Null if unknown, ended or expired, or if its user is disabled or about to be deleted. */
    async find(secretHash: string, now: Date, times = AS_STORED): Promise<Session | null> {
      const found = await findOpen(sql, secretHash, now, times)
      return found && found.deleteAfter === null ? found.session : null
    },

    /** For a user whose account is about to be deleted: it only allows them to keep the account. */
    async findLeaving(
      secretHash: string,
      now: Date,
      times = AS_STORED,
    ): Promise<LeavingSession | null> {
      const found = await findOpen(sql, secretHash, now, times)
      if (!found?.deleteAfter) return null
      return { ...found.session, deleteAfter: found.deleteAfter }
    },

    /** Extends the idle limit, at most once a minute. */
    async touch(
      { id, lastSeenAt }: Pick<Session, 'id' | 'lastSeenAt'>,
      now: Date,
      idleExpiresAt: Date,
    ): Promise<void> {
      const due = new Date(now.getTime() - SEEN_EVERY_MS)
      if (lastSeenAt >= due) return
      await db.session.updateMany({
        where: { id, endedAt: null, lastSeenAt: { lt: due } },
        data: { lastSeenAt: now, idleExpiresAt },
      })
    },
  }
}

export type LeavingSession = Session & { deleteAfter: Date }

type Times = { idleMs: number; longestMs: number }

const AS_STORED: Times = { idleMs: Number.POSITIVE_INFINITY, longestMs: Number.POSITIVE_INFINITY }

const FIND = `
  SELECT s."id", s."authTime", s."provenAt", s."acr", s."amr", s."confirmedAt", s."factorAt",
    s."factorsProvenAt", s."lastSeenAt", s."idleExpiresAt", s."expiresAt", u."id" AS "userId", u."name", u."email", u."adminRole", u."deleteAfter",
    u."profile"->>'zoneinfo' AS "zoneinfo", u."newsReadAt"
  FROM "Session" s JOIN "User" u ON u."id" = s."userId"
  WHERE s."secretHash" = ? AND s."endedAt" IS NULL AND u."disabledAt" IS NULL`

async function findOpen(sql: SqlClient, secretHash: string, now: Date, times: Times) {
  const row = await sql.first(FIND, [secretHash])
  if (!row) return null
  const signedInAt = timeIn(row.authTime)
  const provenAt = timeOrNull(row.provenAt)
  const lastSeenAt = timeIn(row.lastSeenAt)
  if (timeIn(row.expiresAt) <= now || timeIn(row.idleExpiresAt) <= now) return null
  // Shorter limits also apply to existing sessions.
  if (isPast(signedInAt, times.longestMs) || isPast(lastSeenAt, times.idleMs)) return null
  const user = toUser({
    id: textIn(row.userId),
    name: textOrNull(row.name),
    email: textOrNull(row.email),
    adminRole: textOrNull(row.adminRole),
    disabledAt: null,
  })
  const session = {
    id: textIn(row.id),
    signedInAt,
    provenAt,
    authTime: provenAt ?? signedInAt,
    lastSeenAt,
    acr: textIn(row.acr),
    amr: stringList(jsonIn(row.amr)),
    confirmedAt: timeOrNull(row.confirmedAt),
    factorAt: timeOrNull(row.factorAt),
    factorsProvenAt: timeOrNull(row.factorsProvenAt),
    zoneinfo: typeof row.zoneinfo === 'string' ? row.zoneinfo : null,
    newsReadAt: timeOrNull(row.newsReadAt),
    user,
  }
  return { session, deleteAfter: timeOrNull(row.deleteAfter) }

  function isPast(since: Date, millis: number): boolean {
    return since.getTime() + millis <= now.getTime()
  }
}

export type SessionStore = ReturnType<typeof sessionStore>

export async function createSession(tx: Transaction, session: NewSession): Promise<void> {
  const { now, ...row } = session
  await prisma(tx).session.create({
    data: { ...row, authTime: now, createdAt: now, lastSeenAt: now },
  })
}

/** The same user signs in again at the same browser: the ID stays, because applications know it. */
export async function renewSession(
  tx: Transaction,
  { id, now, newDevice: _, ...renewed }: NewSession,
): Promise<boolean> {
  const { count } = await prisma(tx).session.updateMany({
    where: { id, userId: renewed.userId, endedAt: null },
    data: { ...renewed, authTime: now, lastSeenAt: now, confirmedAt: null },
  })
  return count === 1
}

type Raised = {
  secretHash: string
  acr?: string
  amr?: string[]
  confirmedAt?: Date
  factorAt?: Date
  factorsProvenAt?: Date
}

/**
 * A new secret and perhaps a stronger proof in an open session; returns when the session ends, or
 * null if it has ended.
 */
export async function raiseSession(
  tx: Transaction,
  id: string,
  raised: Raised,
): Promise<Date | null> {
  const { count } = await prisma(tx).session.updateMany({
    where: { id, endedAt: null },
    data: raised,
  })
  if (count !== 1) return null
  const row = await prisma(tx).session.findUnique({ where: { id }, select: { expiresAt: true } })
  return row?.expiresAt ?? null
}

/**
 * Ends all open sessions of a user except the one to keep; returns the IDs of those that this call
 * ended.
 */
export async function endSessionsOf(
  tx: Transaction,
  userId: string,
  now: Date,
  keep?: string,
): Promise<string[]> {
  const where = { userId, endedAt: null, ...(keep !== undefined && { id: { not: keep } }) }
  const data = { endedAt: now }
  const ended = await prisma(tx).session.updateManyAndReturn({ where, data, select: { id: true } })
  return ended.map(({ id }) => id)
}

/** Done while it is open; a transaction that would end it waits for this one. */
export function holdOpen(id: string): Step {
  const text = 'UPDATE "Session" SET "endedAt" = NULL WHERE "id" = ? AND "endedAt" IS NULL'
  return { text, values: [id], locks: id }
}

/** True for the one call that ended it; a session of another user is not found. */
export async function endSessionOf(
  tx: Transaction,
  userId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).session.updateMany({
    where: { id, userId, endedAt: null },
    data: { endedAt: now },
  })
  return count === 1
}

/** True while the session is open. */
export async function markConfirmed(
  tx: Transaction,
  id: string,
  now: Date,
  byFactor: boolean,
): Promise<boolean> {
  const { count } = await prisma(tx).session.updateMany({
    where: { id, endedAt: null },
    data: { confirmedAt: now, ...(byFactor && { factorAt: now }) },
  })
  return count === 1
}

/** When and how the user proved who they are in an open session; null if it has ended. */
export async function findSessionProof(
  db: Reader,
  id: string,
): Promise<Pick<Session, 'amr' | 'confirmedAt' | 'factorAt' | 'provenAt'> | null> {
  const select = { amr: true, confirmedAt: true, factorAt: true, provenAt: true } as const
  const row = await prisma(db).session.findFirst({ where: { id, endedAt: null }, select })
  return row && { ...row, amr: stringList(row.amr) }
}

export type OpenSession = {
  id: string
  ip: string | null
  userAgent: string
  createdAt: Date
  lastSeenAt: Date
}

/** The open sessions of a user, the most recently used first. */
export function listSessionsOf(db: Reader, userId: string, now: Date): Promise<OpenSession[]> {
  return prisma(db).session.findMany({
    where: { userId, endedAt: null, expiresAt: { gt: now }, idleExpiresAt: { gt: now } },
    select: { id: true, ip: true, userAgent: true, createdAt: true, lastSeenAt: true },
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'asc' }],
    take: MAX_LISTED,
  })
}

const MAX_LISTED = 200

/** True for the one call that ended it. */
export async function endSession(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const { count } = await prisma(tx).session.updateMany({
    where: { id, endedAt: null },
    data: { endedAt: now },
  })
  return count === 1
}

export type SeenFrom = { ip: string | null; userAgent: string }

/** From where a user has signed in since then, each place once; ended sessions count. */
export function listSeenFrom(tx: Transaction, userId: string, since: Date): Promise<SeenFrom[]> {
  return prisma(tx).session.findMany({
    where: { userId, lastSeenAt: { gte: since } },
    select: { ip: true, userAgent: true },
    distinct: ['ip', 'userAgent'],
  })
}

export async function hasSignedInBefore(tx: Transaction, userId: string): Promise<boolean> {
  return (await prisma(tx).session.findFirst({ where: { userId }, select: { id: true } })) !== null
}
