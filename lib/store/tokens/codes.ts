import { failpoint } from '../../base/failpoint'
import type { CodeStore, StoredCode } from '../../oidc/stores'
import { holdOpen } from '../accounts/sessions'
import { type Database, sqlOf } from '../database/database'
import { inEachDialect } from '../database/json-rows'
import { insertStep, type Row, textIn, textOrNull, timeIn, timeOrNull } from '../database/sql'
import { authorizationColumns, readAuthorization, writeAuthorization } from './authorization'
import { answersAsJson, answersIn } from './consents'
import { completeInteraction } from './interactions'
import { createFamily } from './refresh-tokens'
import { createGrant } from './token-grants'

/** After this many wrong proofs a code is used up. */
export const MAX_FAILURES = 5
const SKEW_MS = 10_000

/**
 * Exactly one caller changes the row. A code from the future is refused like an expired one: the
 * clock was set back, and its age is unknown (attack E14).
 */
const SPEND = `
  UPDATE "AuthorizationCode" SET "usedAt" = ?, "tokenGrantId" = ?
  WHERE "codeHash" = ? AND "usedAt" IS NULL AND "expiresAt" > ? AND "createdAt" <= ?`

const COLUMNS = `
  c."codeHash", c."sessionId", c."redirectUri", c."challenge", c."nonce", c."createdAt",
  c."expiresAt", c."usedAt", c."tokenGrantId", ${authorizationColumns('c')}`

const FIND = `SELECT ${COLUMNS} FROM "AuthorizationCode" c WHERE c."codeHash" = ?`

const FIND_WITH_USER = inEachDialect(
  (dialect) => `
    SELECT ${COLUMNS}, u."disabledAt", u."deleteAfter",
      ${answersAsJson(dialect, 'c."userId"', 'c."applicationId"')} AS "answers"
    FROM "AuthorizationCode" c JOIN "User" u ON u."id" = c."userId" WHERE c."codeHash" = ?`,
)

export function codeStore(db: Database): CodeStore {
  const sql = sqlOf(db)
  return {
    save(code, interactionId, event) {
      const { codeHash, sessionId, redirectUri, challenge, nonce, createdAt, expiresAt } = code
      return sql.audited({
        steps: [
          holdOpen(sessionId),
          ...(interactionId === null ? [] : [completeInteraction(interactionId, createdAt)]),
          insertStep('AuthorizationCode', {
            codeHash,
            sessionId,
            redirectUri,
            challenge,
            nonce,
            createdAt,
            expiresAt,
            ...writeAuthorization(code),
          }),
        ],
        events: [{ at: createdAt, ...event }],
      })
    },

    async find(codeHash) {
      const row = await sql.first(FIND, [codeHash])
      return row ? toCode(row) : null
    },

    async findWithUser(codeHash) {
      const row = await sql.first(FIND_WITH_USER[sql.kind], [codeHash])
      if (!row) return null
      const userIsActive = row.disabledAt === null && row.deleteAfter === null
      return { code: toCode(row), userIsActive, answered: answersIn(row.answers) }
    },

    async countFailure(codeHash, now) {
      await db.authorizationCode.updateMany({
        where: { codeHash },
        data: { attempts: { increment: 1 } },
      })
      await db.authorizationCode.updateMany({
        where: { codeHash, usedAt: null, attempts: { gte: MAX_FAILURES } },
        data: { usedAt: now },
      })
    },

    async exchange(codeHash, now, grant, refresh, event) {
      const latest = new Date(now.getTime() + SKEW_MS)
      const values = [now, grant.id, codeHash, now, latest]
      const won = await sql.audited({
        steps: [
          { text: SPEND, values, locks: codeHash, failpoint: 'code:spent' },
          createGrant(grant),
          ...(refresh ? createFamily(grant, refresh) : []),
        ],
        events: [{ at: now, ...event }],
      })
      failpoint('code:exchanged')
      return won
    },
  }
}

function toCode(row: Row): StoredCode {
  return {
    codeHash: textIn(row.codeHash),
    sessionId: textIn(row.sessionId),
    redirectUri: textIn(row.redirectUri),
    challenge: textOrNull(row.challenge),
    nonce: textOrNull(row.nonce),
    createdAt: timeIn(row.createdAt),
    expiresAt: timeIn(row.expiresAt),
    usedAt: timeOrNull(row.usedAt),
    tokenGrantId: textOrNull(row.tokenGrantId),
    ...readAuthorization(row),
  }
}
