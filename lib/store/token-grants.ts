import type { NewTokenGrant, TokenGrantStore } from '../oidc/provider'
import { readAuthorization, writeAuthorization } from './authorization'
import type { Reader, Transaction, Write } from './connection'
import { type Database, prisma, sqlOf } from './database'
import { stringList } from './json'
import { insert, type Row, type Sql, textIn, textOrNull, timeIn } from './sql'

/** What a user's tokens stand on. */

export async function createGrant(tx: Sql, grant: NewTokenGrant): Promise<void> {
  const { id, sessionId, offline, createdAt, expiresAt } = grant
  const own = { id, sessionId, offline, createdAt, expiresAt }
  await insert(tx, 'TokenGrant', { ...own, ...writeAuthorization(grant) })
}

/** Its user is looked at in the same moment, and the session that it was given in. */
const FIND = `
  SELECT g.*, u."disabledAt", u."deleteAfter",
    s."endedAt" AS "sessionEndedAt", s."expiresAt" AS "sessionExpiresAt"
  FROM "TokenGrant" g JOIN "User" u ON u."id" = g."userId"
  LEFT JOIN "Session" s ON s."id" = g."sessionId" WHERE g."id" = ?`

export function tokenGrantStore(db: Database, write: Write): TokenGrantStore {
  const sql = sqlOf(db)
  return {
    async find(id, now) {
      const [row] = await sql.all(FIND, [id])
      if (!row) return null
      const grant = toGrant(row)
      const here = row.disabledAt === null && row.deleteAfter === null
      const standing = row.revokedAt === null && grant.expiresAt > now && here
      return { ...grant, alive: standing && (grant.offline || isSessionOpen(row, now)) }
    },

    revoke(id, reason, now, event) {
      return write(async (tx, audit) => {
        await revokeGrant(tx, id, reason, now)
        audit(event)
      })
    },
  }
}

function toGrant(row: Row): NewTokenGrant {
  return {
    ...readAuthorization(row),
    id: textIn(row.id),
    sessionId: textOrNull(row.sessionId),
    offline: Boolean(row.offline),
    createdAt: timeIn(row.createdAt),
    expiresAt: timeIn(row.expiresAt),
  }
}

function isSessionOpen({ sessionEndedAt, sessionExpiresAt }: Row, now: Date): boolean {
  return sessionEndedAt === null && sessionExpiresAt !== null && timeIn(sessionExpiresAt) > now
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
  await prisma(tx).authorizationCode.deleteMany({ where: { ...whose, usedAt: null, ...other } })
  await prisma(tx).tokenGrant.updateMany({
    where: { ...grants, revokedAt: null },
    data: { revokedAt: now, revokedReason: reason },
  })
  await prisma(tx).refreshFamily.updateMany({
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
  await prisma(tx).tokenGrant.updateMany({
    where: { userId, applicationId, offline: true },
    data: { offline: false },
  })
}

/** True while it stands; whoever would revoke it waits until this transaction is done. */
export async function holdStanding(tx: Transaction, id: string): Promise<boolean> {
  const standing = { id, revokedAt: null }
  const { count } = await prisma(tx).tokenGrant.updateMany({
    where: standing,
    data: { revokedAt: null },
  })
  return count === 1
}

/** Everything that stands on it dies with it. */
export async function revokeGrant(
  tx: Transaction,
  id: string,
  reason: string,
  now: Date,
): Promise<void> {
  await prisma(tx).tokenGrant.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: now, revokedReason: reason },
  })
  await prisma(tx).refreshFamily.updateMany({
    where: { tokenGrantId: id, revokedAt: null },
    data: { revokedAt: now },
  })
}

/** Whose tokens, and which scopes among theirs. */
export type Loss = { userId?: string; applicationId?: string; scopes: readonly string[] }

/** Grants that are alive and carry one of the scopes that would be lost. */
export async function countLiveTokens(db: Reader, losses: Loss[], now: Date): Promise<number> {
  let count = 0
  for (const { scopes, ...holder } of losses) {
    const rows = await prisma(db).tokenGrant.findMany({
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
