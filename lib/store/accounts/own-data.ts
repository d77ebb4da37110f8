import type { Reader } from '../database/connection'
import { prisma } from '../database/database'
import { membersOf } from '../database/json'

/**
 * Everything that is stored about a user, each with an explicit list of columns: no secret, hash or
 * key.
 */

const STAMPS = { createdAt: true, lastUsedAt: true } as const

const EVERYTHING = {
  id: true,
  name: true,
  username: true,
  email: true,
  emailVerified: true,
  locale: true,
  adminRole: true,
  profile: true,
  attributes: true,
  newsReadAt: true,
  createdAt: true,
  updatedAt: true,
  avatar: { select: { id: true, createdAt: true } },
  password: { select: { changedAt: true } },
  totps: { select: { name: true, ...STAMPS }, where: { confirmedAt: { not: null } } },
  passkeys: { select: { name: true, deviceBound: true, ...STAMPS } },
  recoveryCodes: { select: { createdAt: true, usedAt: true } },
  trustedDevices: { select: { userAgent: true, ...STAMPS, expiresAt: true } },
  identities: {
    select: { provider: true, subject: true, email: true, emailVerified: true, ...STAMPS },
  },
  sessions: {
    select: {
      id: true,
      authTime: true,
      acr: true,
      amr: true,
      ip: true,
      userAgent: true,
      newDevice: true,
      createdAt: true,
      lastSeenAt: true,
      expiresAt: true,
      endedAt: true,
    },
    orderBy: { createdAt: 'desc' },
  },
  consents: {
    select: {
      application: { select: { id: true, name: true } },
      scope: true,
      granted: true,
      decidedAt: true,
      pausedAt: true,
    },
  },
  tokenGrants: {
    select: {
      application: { select: { id: true, name: true } },
      scopes: true,
      offline: true,
      createdAt: true,
      expiresAt: true,
      revokedAt: true,
    },
    orderBy: { createdAt: 'desc' },
  },
  groups: { select: { group: { select: { key: true, name: true } }, createdAt: true } },
  assignments: {
    select: {
      role: { select: { key: true, name: true, space: { select: { key: true } } } },
      instance: true,
      effect: true,
      validFrom: true,
      validUntil: true,
      createdAt: true,
    },
  },
  grants: { select: { pattern: true, condition: true, validUntil: true, createdAt: true } },
  accessRequests: {
    select: {
      id: true,
      scope: true,
      resourceId: true,
      reason: true,
      status: true,
      emergency: true,
      requestedUntil: true,
      approvedUntil: true,
      createdAt: true,
      decidedAt: true,
      reviewDeadline: true,
      reviewMissedAt: true,
      reviewedAt: true,
      justified: true,
      reviewReason: true,
    },
    orderBy: { createdAt: 'desc' },
  },
  accessVotes: { select: { requestId: true, approved: true, reason: true, at: true } },
  reviewed: { select: { id: true, justified: true, reviewReason: true, reviewedAt: true } },
} as const

export function findOwnData(db: Reader, userId: string) {
  return prisma(db).user.findUnique({ where: { id: userId }, select: EVERYTHING })
}

/** The IP address of another person who changed the account is left out, because it is theirs. */
export async function listOwnEvents(db: Reader, userId: string, since: Date) {
  const rows = await prisma(db).auditEntry.findMany({
    where: {
      at: { gte: since },
      OR: [
        { actorKind: 'user', actorId: userId },
        { targetKind: 'user', targetId: userId },
      ],
    },
    select: {
      ...{ at: true, event: true, result: true, actorId: true, applicationId: true, ip: true },
      detail: true,
    },
    orderBy: { seq: 'desc' },
    take: MAX_EVENTS,
  })
  return rows.map(({ actorId, ip, detail, ...entry }) => {
    const byYou = actorId === userId && membersOf(detail).impersonator === undefined
    return { ...entry, byYou, ...(byYou && { ip }) }
  })
}

/** Reviews of the user's own access, what they decided in reviews, and those that they started. */
export async function listOwnReviews(db: Reader, userId: string) {
  const item = { reviewId: true, kind: true, gives: true, decision: true } as const
  const newest = { orderBy: { id: 'asc' }, take: MAX_EVENTS } as const
  const aboutYou = await prisma(db).reviewItem.findMany({
    where: { subjectType: 'user', subjectId: userId },
    select: {
      ...item,
      lastUsedAt: true,
      used: true,
      since: true,
      endsAt: true,
      comment: true,
      decidedAt: true,
      outcome: true,
      appliedAt: true,
    },
    ...newest,
  })
  const decidedByYou = await prisma(db).reviewItem.findMany({
    where: { decidedBy: userId },
    select: { ...item, comment: true, decidedTo: true, decidedUntil: true, decidedAt: true },
    ...newest,
  })
  const startedByYou = await prisma(db).review.findMany({
    where: { startedBy: `user:${userId}` },
    select: { id: true, name: true, status: true, createdAt: true, deadline: true, closedAt: true },
    ...newest,
  })
  return { aboutYou, decidedByYou, startedByYou }
}

/** What decisions about the user's tokens were made on, the newest first. */
export async function listOwnDecisions(db: Reader, userId: string) {
  const rows = await prisma(db).storedDecision.findMany({
    where: { userId },
    select: { seq: true, basis: true },
    orderBy: { seq: 'desc' },
    take: MAX_EVENTS,
  })
  const entries = new Map<bigint, Entry>()
  for (let at = 0; at < rows.length; at += ENTRIES_AT_ONCE) {
    const some = rows.slice(at, at + ENTRIES_AT_ONCE).map(({ seq }) => seq)
    const found = await prisma(db).auditEntry.findMany({
      where: { seq: { in: some } },
      select: { seq: true, at: true, applicationId: true, decisionId: true },
    })
    for (const { seq, ...entry } of found) entries.set(seq, entry)
  }
  return rows.map(({ seq, basis }) => ({ basis, ...entries.get(seq) }))
}

type Entry = { at: Date; applicationId: string | null; decisionId: string | null }
const ENTRIES_AT_ONCE = 500

const MAX_EVENTS = 10_000
