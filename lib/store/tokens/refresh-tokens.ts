import { type Failpoint, failpoint } from '../../base/failpoint'
import type {
  NewRefreshToken,
  NewTokenGrant,
  RefreshTokenStore,
  StoredRefreshToken,
} from '../../oidc/stores'
import { type Database, sqlOf } from '../database/database'
import { inEachDialect } from '../database/json-rows'
import {
  insertStep,
  type Row,
  type Step,
  textIn,
  textOrNull,
  timeIn,
  timeOrNull,
} from '../database/sql'
import { answersAsJson, answersIn } from './consents'
import { GRANT_COLUMNS, GRANT_JOINS, toGrant } from './token-grants'

/** A refresh family is a chain: each token has at most one successor. */

export function createFamily(
  grant: NewTokenGrant,
  { familyExpiresAt, ...refresh }: NewRefreshToken & { familyExpiresAt: Date },
): Step[] {
  const family = {
    id: refresh.familyId,
    tokenGrantId: grant.id,
    createdAt: refresh.createdAt,
    expiresAt: familyExpiresAt,
  }
  return [insertStep('RefreshFamily', family), createToken(refresh, 1)]
}

function createToken(token: NewRefreshToken, generation: number, failpoint?: Failpoint): Step {
  const { tokenHash, familyId, createdAt, expiresAt } = token
  const row = { tokenHash, familyId, generation, createdAt, expiresAt }
  return insertStep('RefreshToken', row, failpoint)
}

const COLUMNS = `
  t."tokenHash", t."familyId", t."generation", t."createdAt" AS "tokenCreatedAt",
  t."expiresAt" AS "tokenExpiresAt", t."usedAt", t."usedFrom",
  t."successorEncrypted", f."tokenGrantId", f."expiresAt" AS "familyExpiresAt",
  f."revokedAt" AS "familyRevokedAt"`

const FROM = '"RefreshToken" t JOIN "RefreshFamily" f ON f."id" = t."familyId"'

const FIND = `SELECT ${COLUMNS} FROM ${FROM} WHERE t."tokenHash" = ?`

const FIND_WITH_GRANT = inEachDialect(
  (dialect) => `
    SELECT ${COLUMNS}, ${GRANT_COLUMNS},
      ${answersAsJson(dialect, 'g."userId"', 'g."applicationId"')} AS "answers"
    FROM ${FROM} JOIN "TokenGrant" g ON g."id" = f."tokenGrantId" ${GRANT_JOINS}
    WHERE t."tokenHash" = ?`,
)

/** Exactly one caller changes the row. */
const SPEND = `
  UPDATE "RefreshToken" SET "usedAt" = ?, "successorEncrypted" = ?, "usedFrom" = ?
  WHERE "tokenHash" = ? AND "usedAt" IS NULL AND "expiresAt" > ? AND EXISTS (
    SELECT 1 FROM "RefreshFamily" f
    WHERE f."id" = "RefreshToken"."familyId" AND f."revokedAt" IS NULL AND f."expiresAt" > ?)`

/** Only while the family lives: whoever ends it at the same moment comes before or after. */
const REPEAT = `
  UPDATE "RefreshToken" SET "repeats" = "repeats" + 1
  WHERE "tokenHash" = ? AND "usedAt" IS NOT NULL AND EXISTS (
    SELECT 1 FROM "RefreshFamily" f
    WHERE f."id" = "RefreshToken"."familyId" AND f."revokedAt" IS NULL AND f."expiresAt" > ?)`

export function refreshTokenStore(db: Database): Omit<RefreshTokenStore, 'endReplayed'> {
  const sql = sqlOf(db)
  return {
    async find(tokenHash) {
      const row = await sql.first(FIND, [tokenHash])
      return row ? toToken(row) : null
    },

    async findWithGrant(tokenHash, now) {
      const row = await sql.first(FIND_WITH_GRANT[sql.kind], [tokenHash])
      if (!row) return null
      return { stored: toToken(row), grant: toGrant(row, now), answered: answersIn(row.answers) }
    },

    async rotate(old, { successor, successorEncrypted, usedFrom, usedAt }) {
      const values = [usedAt, successorEncrypted, usedFrom, old.tokenHash, usedAt, usedAt]
      const rotated = await sql.audited({
        steps: [
          { text: SPEND, values, locks: old.tokenHash, failpoint: 'refresh:spent' },
          createToken(successor, old.generation + 1, 'refresh:succeeded'),
        ],
        events: [],
      })
      failpoint('refresh:rotated')
      return rotated
    },

    repeat({ tokenHash }, now, event) {
      return sql.audited({
        steps: [{ text: REPEAT, values: [tokenHash, now], locks: tokenHash }],
        events: [{ at: now, ...event }],
      })
    },
  }
}

function toToken(row: Row): StoredRefreshToken {
  return {
    tokenHash: textIn(row.tokenHash),
    familyId: textIn(row.familyId),
    familyExpiresAt: timeIn(row.familyExpiresAt),
    familyRevoked: row.familyRevokedAt !== null,
    tokenGrantId: textIn(row.tokenGrantId),
    generation: Number(row.generation),
    createdAt: timeIn(row.tokenCreatedAt),
    expiresAt: timeIn(row.tokenExpiresAt),
    usedAt: timeOrNull(row.usedAt),
    usedFrom: textOrNull(row.usedFrom),
    successorEncrypted: textOrNull(row.successorEncrypted),
  }
}
