import type { GrantEnd, NewTokenGrant, TokenGrant, TokenGrantStore } from '../../oidc/stores'
import type { Reader, Transaction, Write } from '../database/connection'
import { type Database, prisma, sqlOf } from '../database/database'
import { stringList } from '../database/json'
import { insertStep, type Row, type Step, textIn, textOrNull, timeIn } from '../database/sql'
import { authorizationColumns, readAuthorization, writeAuthorization } from './authorization'

/** Token grants: what the tokens of a user depend on. */

export function createGrant(grant: NewTokenGrant): Step {
  const { id, sessionId, offline, createdAt, expiresAt } = grant
  const row = { id, sessionId, offline, createdAt, expiresAt, ...writeAuthorization(grant) }
  return insertStep('TokenGrant', row, 'code:granted')
}

/** Also of its user and its session. */
export const GRANT_COLUMNS = `
  g."id", g."sessionId", g."offline", g."createdAt", g."expiresAt", g."revokedAt",
  g."revokedReason",
  ${authorizationColumns('g')}, u."disabledAt", u."deleteAfter",
  s."endedAt" AS "sessionEndedAt", s."expiresAt" AS "sessionExpiresAt",
  (SELECT MIN(p."pausedAt") FROM "Consent" p
    WHERE p."userId" = g."userId" AND p."applicationId" = g."applicationId") AS "pausedAt"`

/** What `"TokenGrant" g` is joined with. */
export const GRANT_JOINS = `
  JOIN "User" u ON u."id" = g."userId" LEFT JOIN "Session" s ON s."id" = g."sessionId"`

const FIND = `SELECT ${GRANT_COLUMNS} FROM "TokenGrant" g ${GRANT_JOINS} WHERE g."id" = ?`

export function tokenGrantStore(db: Database, write: Write): TokenGrantStore {
  const sql = sqlOf(db)
  return {
    async find(id, now) {
      const row = await sql.first(FIND, [id])
      return row ? toGrant(row, now) : null
    },

    revoke(id, reason, now, event) {
      return write(async (tx, audit) => {
        await revokeGrant(tx, id, reason, now)
        audit(event)
      })
    },
  }
}

/** From GRANT_COLUMNS. */
export function toGrant(row: Row, now: Date): TokenGrant {
  const offline = Boolean(row.offline)
  const expiresAt = timeIn(row.expiresAt)
  const ended = endOf(row, { offline, expiresAt }, now)
  return {
    id: textIn(row.id),
    sessionId: textOrNull(row.sessionId),
    offline,
    createdAt: timeIn(row.createdAt),
    expiresAt,
    alive: ended === null,
    ended,
    endedFor: textOrNull(row.revokedReason),
    ...readAuthorization(row),
  }
}

/** The reason that its user and its client can do something about comes first. */
function endOf(
  row: Row,
  { offline, expiresAt }: Pick<TokenGrant, 'offline' | 'expiresAt'>,
  now: Date,
): GrantEnd | null {
  if (row.pausedAt !== null) return 'paused'
  if (row.disabledAt !== null || row.deleteAfter !== null) return 'user_disabled'
  if (row.revokedAt !== null) return 'sign_in_revoked'
  if (expiresAt <= now) return 'sign_in_expired'
  return offline || isSessionOpen(row, now) ? null : 'session_ended'
}

function isSessionOpen({ sessionEndedAt, sessionExpiresAt }: Row, now: Date): boolean {
  return sessionEndedAt === null && sessionExpiresAt !== null && timeIn(sessionExpiresAt) > now
}

type Which = { applicationId?: string; sessionId?: string; keepSession?: string }

/** Revokes all token grants of a user, and the codes and devices that would become tokens. */
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
  // First: this waits for an exchange in progress, whose token grant exists afterwards.
  const other = keepSession !== undefined && { sessionId: { not: keepSession } }
  const unused = { ...whose, usedAt: null, ...other }
  await prisma(tx).authorizationCode.deleteMany({ where: unused })
  await prisma(tx).deviceAuthorization.deleteMany({ where: unused })
  await prisma(tx).tokenGrant.updateMany({
    where: { ...grants, revokedAt: null },
    data: { revokedAt: now, revokedReason: reason },
  })
  await prisma(tx).refreshFamily.updateMany({
    where: { tokenGrant: grants, revokedAt: null },
    data: { revokedAt: now },
  })
}

/** Of all its users. */
export async function revokeGrantsOfApplication(
  tx: Transaction,
  applicationId: string,
  reason: string,
  now: Date,
): Promise<void> {
  await prisma(tx).authorizationCode.deleteMany({ where: { applicationId, usedAt: null } })
  await prisma(tx).tokenGrant.updateMany({
    where: { applicationId, revokedAt: null },
    data: { revokedAt: now, revokedReason: reason },
  })
  await prisma(tx).refreshFamily.updateMany({
    where: { tokenGrant: { applicationId }, revokedAt: null },
    data: { revokedAt: now },
  })
}

/** Offline access then ends with its session. */
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

/** True while it is valid; a transaction that would revoke it waits for this one. */
export async function lockLiveGrant(tx: Transaction, id: string): Promise<boolean> {
  const live = { id, revokedAt: null }
  const { count } = await prisma(tx).tokenGrant.updateMany({
    where: live,
    data: { revokedAt: null },
  })
  return count === 1
}

/** Everything that depends on it ends with it. True for the one call that revoked it. */
export async function revokeGrant(
  tx: Transaction,
  id: string,
  reason: string,
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).tokenGrant.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: now, revokedReason: reason },
  })
  await prisma(tx).refreshFamily.updateMany({
    where: { tokenGrantId: id, revokedAt: null },
    data: { revokedAt: now },
  })
  return count === 1
}

type Together = {
  userId: string
  applicationId: string
  accessKeyId: string | null
  sessionId: string | null
}

/** All that one client got in one session. True for the one call that revoked any. */
export async function revokeGrantsTogether(
  tx: Transaction,
  { userId, applicationId, accessKeyId, sessionId }: Together,
  reason: string,
  now: Date,
): Promise<boolean> {
  const grants = { userId, applicationId, accessKeyId, sessionId }
  const { count } = await prisma(tx).tokenGrant.updateMany({
    where: { ...grants, revokedAt: null },
    data: { revokedAt: now, revokedReason: reason },
  })
  await prisma(tx).refreshFamily.updateMany({
    where: { tokenGrant: grants, revokedAt: null },
    data: { revokedAt: now },
  })
  return count > 0
}

/** The user or application whose tokens are affected, and the scopes. */
type Loss = { userId?: string; applicationId?: string; scopes: readonly string[] }

/** Valid token grants that carry one of the scopes that would be lost. */
export async function countLiveTokens(db: Reader, losses: Loss[], now: Date): Promise<number> {
  let count = 0
  for (const { scopes, ...holder } of losses) {
    const rows = await prisma(db).tokenGrant.findMany({
      where: { ...holder, revokedAt: null, expiresAt: { gt: now } },
      select: { scopes: true },
      take: MAX_COUNTED,
    })
    count += rows.filter((row) =>
      stringList(row.scopes).some((scope) => scopes.includes(scope)),
    ).length
  }
  return count
}

const MAX_COUNTED = 10_000

/** When each application last got a token for this user, by its ID; also by a refresh. */
export async function lastTokensOf(db: Reader, userId: string): Promise<Map<string, Date>> {
  const rows = await prisma(db).$queryRaw<{ id: string; at: unknown }[]>`
    SELECT "applicationId" AS "id", MAX("createdAt") AS "at" FROM "TokenGrant"
    WHERE "userId" = ${userId} GROUP BY "applicationId"
    UNION ALL
    SELECT g."applicationId" AS "id", MAX(t."createdAt") AS "at" FROM "TokenGrant" g
    JOIN "RefreshFamily" f ON f."tokenGrantId" = g."id"
    JOIN "RefreshToken" t ON t."familyId" = f."id"
    WHERE g."userId" = ${userId} GROUP BY g."applicationId"`
  const last = new Map<string, Date>()
  for (const { id, at } of rows) {
    const time = timeIn(at)
    if (time > (last.get(id) ?? 0)) last.set(id, time)
  }
  return last
}
