import { failpoint } from '../base/failpoint'
import type { CodeStore, StoredCode } from '../oidc/provider'
import { appendAuditIn } from './audit'
import { readAuthorization, writeAuthorization } from './authorization'
import { type Database, sqlOf } from './database'
import { completeInteraction } from './interactions'
import { createFamily } from './refresh-tokens'
import { holdOpen } from './sessions'
import { insert, type Row, textIn, textOrNull, timeIn, timeOrNull } from './sql'
import { createGrant } from './token-grants'

/** After this many wrong proofs a code is used up. */
export const MOST_FAILURES = 5
const SKEW_MS = 10_000

/**
 * Exactly one caller changes the row. A code from the future is refused like an expired one: the
 * clock was set back, and its age is unknown (attack E14).
 */
const SPEND = `
  UPDATE "AuthorizationCode" SET "usedAt" = ?, "tokenGrantId" = ?
  WHERE "codeHash" = ? AND "usedAt" IS NULL AND "expiresAt" > ? AND "createdAt" <= ?`

export function codeStore(db: Database): CodeStore {
  const sql = sqlOf(db)
  return {
    save(code, interactionId, event) {
      return sql.transaction(async (tx) => {
        const now = code.createdAt
        if (!(await holdOpen(tx, code.sessionId))) return false
        if (interactionId && !(await completeInteraction(tx, interactionId, now))) return false
        const { codeHash, sessionId, redirectUri, challenge, nonce, createdAt, expiresAt } = code
        const own = { codeHash, sessionId, redirectUri, challenge, nonce, createdAt, expiresAt }
        await insert(tx, 'AuthorizationCode', { ...own, ...writeAuthorization(code) })
        await appendAuditIn(tx, [{ ...event, at: now }])
        return true
      })
    },

    async find(codeHash) {
      const [row] = await sql.all('SELECT * FROM "AuthorizationCode" WHERE "codeHash" = ?', [
        codeHash,
      ])
      return row ? toCode(row) : null
    },

    async countFailure(codeHash, now) {
      await db.authorizationCode.updateMany({
        where: { codeHash },
        data: { attempts: { increment: 1 } },
      })
      await db.authorizationCode.updateMany({
        where: { codeHash, usedAt: null, attempts: { gte: MOST_FAILURES } },
        data: { usedAt: now },
      })
    },

    async exchange(codeHash, now, grant, refresh, event) {
      const latest = new Date(now.getTime() + SKEW_MS)
      const won = await sql.transaction(async (tx) => {
        if ((await tx.run(SPEND, [now, grant.id, codeHash, now, latest])) !== 1) return false
        failpoint('code:spent')
        await createGrant(tx, grant)
        if (refresh) await createFamily(tx, grant, refresh)
        failpoint('code:granted')
        await appendAuditIn(tx, [{ ...event, at: now }])
        return true
      })
      failpoint('code:exchanged')
      return won
    },
  }
}

function toCode(row: Row): StoredCode {
  return {
    ...readAuthorization(row),
    codeHash: textIn(row.codeHash),
    sessionId: textIn(row.sessionId),
    redirectUri: textIn(row.redirectUri),
    challenge: textOrNull(row.challenge),
    nonce: textOrNull(row.nonce),
    createdAt: timeIn(row.createdAt),
    expiresAt: timeIn(row.expiresAt),
    usedAt: timeOrNull(row.usedAt),
    tokenGrantId: textOrNull(row.tokenGrantId),
  }
}
