import type { NewTokenGrant, TokenGrantStore } from '../oidc/provider'
import { appendAudit } from './audit'
import { readLists, writeLists } from './authorization'
import type { Database, Transaction } from './database'
import { stringList } from './json'

/** What a user's tokens stand on. */

export async function createGrant(tx: Transaction, grant: NewTokenGrant): Promise<void> {
  await tx.tokenGrant.create({ data: { ...grant, ...writeLists(grant) } })
}

export function tokenGrantStore(db: Database): TokenGrantStore {
  return {
    async find(id, now) {
      const row = await db.tokenGrant.findUnique({ where: { id }, include: { user: true } })
      if (!row) return null
      const { user, revokedAt, ...grant } = row
      const here = user.disabledAt === null && user.deleteAfter === null
      const standing = revokedAt === null && grant.expiresAt > now && here
      const alive = standing && (grant.offline || (await isSessionOpen(db, grant.sessionId, now)))
      return { ...grant, ...readLists(grant), alive }
    },

    revoke(id, reason, now, event) {
      return db.$transaction(async (tx) => {
        await revokeGrant(tx, id, reason, now)
        await appendAudit(tx, [{ ...event, at: now }])
      })
    },
  }
}

async function isSessionOpen(db: Database, id: string | null, now: Date): Promise<boolean> {
  if (id === null) return false
  return (await db.session.count({ where: { id, endedAt: null, expiresAt: { gt: now } } })) === 1
}

type Which = { applicationId?: string; sessionId?: string; keepSession?: string }

/** All that one user's tokens stand on, and the codes that would become tokens. */
export async function revokeGrantsOf(
  tx: Transaction,
  userId: string,
  reason: string,
  now: Date,
  { applicationId, sessionId, keepSession }: Which = {},
): Promise<void> {
  const whose = {
    userId,
    ...(applicationId !== undefined && { applicationId }),
    ...(sessionId !== undefined && { sessionId }),
  }
  const elsewhere =
    keepSession === undefined
      ? {}
      : { OR: [{ sessionId: null }, { sessionId: { not: keepSession } }] }
  const grants = { ...whose, ...elsewhere }
  // First: one that is being exchanged in this moment is waited for, and its grant is there then.
  const other = keepSession !== undefined && { sessionId: { not: keepSession } }
  await tx.authorizationCode.deleteMany({ where: { ...whose, usedAt: null, ...other } })
  await tx.tokenGrant.updateMany({
    where: { ...grants, revokedAt: null },
    data: { revokedAt: now, revokedReason: reason },
  })
  await tx.refreshFamily.updateMany({
    where: { tokenGrant: grants, revokedAt: null },
    data: { revokedAt: now },
  })
}

/** What was given for a time when nobody is signed in lasts as long as its session, no longer. */
export async function endOfflineAccess(
  tx: Transaction,
  userId: string,
  applicationId: string,
): Promise<void> {
  await tx.tokenGrant.updateMany({
    where: { userId, applicationId, offline: true },
    data: { offline: false },
  })
}

/** Everything that stands on it dies with it. */
async function revokeGrant(tx: Transaction, id: string, reason: string, now: Date): Promise<void> {
  await tx.tokenGrant.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: now, revokedReason: reason },
  })
  await tx.refreshFamily.updateMany({
    where: { tokenGrantId: id, revokedAt: null },
    data: { revokedAt: now },
  })
}

/** Whose tokens, and which scopes among theirs. */
export type Loss = { userId?: string; applicationId?: string; scopes: readonly string[] }

/** Grants that are alive and carry one of the scopes that would be lost. */
export async function countLiveTokens(db: Database, losses: Loss[], now: Date): Promise<number> {
  let count = 0
  for (const { scopes, ...holder } of losses) {
    const rows = await db.tokenGrant.findMany({
      where: { ...holder, revokedAt: null, expiresAt: { gt: now } },
      select: { scopes: true },
      take: MOST_COUNTED,
    })
    count += rows.filter((row) =>
      stringList(row.scopes).some((scope) => scopes.includes(scope)),
    ).length
  }
  return count
}

const MOST_COUNTED = 10_000
