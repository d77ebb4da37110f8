import { empty, raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client'
import { DAY_MS, HOUR_MS } from '../../base/time'
import type { DatabaseKind, Reader } from '../database/connection'
import { prisma } from '../database/database'
import { breathe } from '../database/rows'
import type { Prisma } from '../generated/sqlite/client'

/**
 * Deletes rows that are no longer needed. A used code and a used refresh token must be recognised
 * when they are sent again, so they stay as long as their token grant. A revoked ID stays until its
 * token has expired for every clock. The audit log is not touched. In small pieces, so that nobody waits for
 * a lock.
 */

const MAX_AT_ONCE = 500
/** As long as a device is remembered. */
const SESSIONS_KEPT_MS = 90 * DAY_MS
const DELIVERIES_KEPT_MS = 30 * DAY_MS
const GIVEN_KEPT_MS = 7 * DAY_MS
const KEY_USES_KEPT_MS = 400 * DAY_MS

type Rule = {
  table: Prisma.ModelName
  key: readonly string[]
  /** The number of rows per piece; smaller if many other rows depend on each. */
  most?: number
  /** How long a row stays after it has ended. */
  keptMs: number
  over(before: Date): Sql
}

const expired = (before: Date) => sql`"expiresAt" < ${before}`

/** Token grants of open sessions name the applications to notify of a logout. */
const grantIsOver = (before: Date) => sql`
  "TokenGrant"."expiresAt" < ${before} AND NOT EXISTS (
    SELECT 1 FROM "Session" WHERE "Session"."id" = "TokenGrant"."sessionId"
    AND "Session"."endedAt" IS NULL AND "Session"."expiresAt" >= ${before})`

const grantsOver = (before: Date) => sql`
  SELECT "TokenGrant"."id" FROM "TokenGrant" WHERE ${grantIsOver(before)}`

/** In order: a row is deleted before the row that it refers to. */
const rules: readonly Rule[] = [
  {
    table: 'AuthorizationCode',
    key: ['codeHash'],
    keptMs: DAY_MS,
    over: (before) => sql`"tokenGrantId" IS NULL AND ${expired(before)}`,
  },
  {
    table: 'AuthorizationCode',
    key: ['codeHash'],
    keptMs: DAY_MS,
    over: (before) => sql`"tokenGrantId" IN (${grantsOver(before)})`,
  },
  // Whoever sends an old one again learns nothing new: one that is not known is answered alike.
  { table: 'DeviceAuthorization', key: ['id'], keptMs: DAY_MS, over: expired },
  {
    // Together with its refresh tokens: a refresh family is never deleted in part.
    table: 'TokenGrant',
    key: ['id'],
    most: 20,
    keptMs: DAY_MS,
    over: (before) => sql`${grantIsOver(before)} AND NOT EXISTS (
      SELECT 1 FROM "AuthorizationCode" WHERE "tokenGrantId" = "TokenGrant"."id")`,
  },
  {
    // The last session stays: it shows that the user has signed in before.
    table: 'Session',
    key: ['id'],
    keptMs: SESSIONS_KEPT_MS,
    over: (before) => sql`${expired(before)} AND EXISTS (
      SELECT 1 FROM "Session" AS "later" WHERE "later"."userId" = "Session"."userId"
      AND "later"."expiresAt" > "Session"."expiresAt")`,
  },
  { table: 'Interaction', key: ['id'], keptMs: DAY_MS, over: expired },
  { table: 'OneTimeLink', key: ['tokenHash'], keptMs: DAY_MS, over: expired },
  { table: 'PendingChange', key: ['id'], keptMs: HOUR_MS, over: expired },
  { table: 'Impersonation', key: ['id'], keptMs: DAY_MS, over: expired },
  { table: 'InitialAccessToken', key: ['id'], keptMs: 30 * DAY_MS, over: expired },
  { table: 'TrustedDevice', key: ['tokenHash'], keptMs: DAY_MS, over: expired },
  { table: 'RevokedToken', key: ['jti'], keptMs: HOUR_MS, over: expired },
  { table: 'UsedAssertion', key: ['clientId', 'jti'], keptMs: HOUR_MS, over: expired },
  { table: 'RateCounter', key: ['key'], keptMs: HOUR_MS, over: expired },
  { table: 'IdempotencyRecord', key: ['caller', 'key'], keptMs: HOUR_MS, over: expired },
  {
    // An authenticator app that was never confirmed.
    table: 'TotpCredential',
    key: ['id'],
    keptMs: DAY_MS,
    over: (before) => sql`"confirmedAt" IS NULL AND "createdAt" < ${before}`,
  },
  {
    table: 'PublicKeyUse',
    key: ['applicationId', 'thumbprint'],
    keptMs: KEY_USES_KEPT_MS,
    over: (before) => sql`"lastUsedAt" < ${before}`,
  },
  {
    table: 'OutboxMessage',
    key: ['id'],
    keptMs: DELIVERIES_KEPT_MS,
    over: (before) => sql`"deliveredAt" < ${before} OR "failedAt" < ${before}`,
  },
  {
    // Its end was announced, and the access request itself says what was given.
    table: 'Grant',
    key: ['id'],
    keptMs: GIVEN_KEPT_MS,
    over: (before) => sql`"requestId" IS NOT NULL AND "validUntil" < ${before}`,
  },
  {
    table: 'WebhookDelivery',
    key: ['id'],
    keptMs: DELIVERIES_KEPT_MS,
    over: (before) => sql`"createdAt" < ${before}`,
  },
]

/** Returns the number of deleted rows; stops early if `mayGoOn` returns false. */
export async function cleanUp(
  db: Reader,
  kind: DatabaseKind,
  now: Date,
  mayGoOn: () => boolean = () => true,
): Promise<number> {
  let removed = 0
  for (const rule of rules) {
    const piece = pieceOf(rule, kind, now)
    const { most = MAX_AT_ONCE } = rule
    for (let count = most; count >= most && mayGoOn(); removed += count) {
      count = await prisma(db).$executeRaw(piece)
      await breathe()
    }
  }
  return removed
}

/** Rows that another server process is deleting or using are skipped. */
function pieceOf(rule: Rule, kind: DatabaseKind, now: Date): Sql {
  const { table, key, most = MAX_AT_ONCE, keptMs, over } = rule
  const before = new Date(now.getTime() - keptMs)
  const name = raw(`"${table}"`)
  const columns = raw(key.map((column) => `"${table}"."${column}"`).join(', '))
  const lock = kind === 'postgres' ? sql`FOR UPDATE OF ${name} SKIP LOCKED` : empty
  return sql`DELETE FROM ${name} WHERE (${columns}) IN (
    SELECT ${columns} FROM ${name} WHERE ${over(before)} LIMIT ${most} ${lock})`
}
