import { failpoint } from '../failpoint'
import type { CodeStore } from '../oidc/provider'
import { appendAudit } from './audit'
import { readLists, writeLists } from './authorization'
import type { Database } from './database'
import { completeInteraction } from './interactions'
import { createFamily } from './refresh-tokens'
import { holdOpen } from './sessions'
import { createGrant } from './token-grants'

/** Wrong proofs that use a code up. */
export const MOST_FAILURES = 5
const SKEW_MS = 10_000

export function codeStore(db: Database): CodeStore {
  return {
    save(code, interactionId, event) {
      return db.$transaction(async (tx) => {
        const now = code.createdAt
        if (!(await holdOpen(tx, code.sessionId))) return false
        if (interactionId && !(await completeInteraction(tx, interactionId, now))) return false
        await tx.authorizationCode.create({ data: { ...code, ...writeLists(code) } })
        await appendAudit(tx, [{ ...event, at: now }])
        return true
      })
    },

    async find(codeHash) {
      const row = await db.authorizationCode.findUnique({ where: { codeHash } })
      return row && { ...row, ...readLists(row) }
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
      const won = await db.$transaction(async (tx) => {
        const { count } = await tx.authorizationCode.updateMany({
          where: {
            codeHash,
            usedAt: null,
            expiresAt: { gt: now },
            // From the future: the clock went back, and nobody knows how old it is (E14).
            createdAt: { lte: new Date(now.getTime() + SKEW_MS) },
          },
          data: { usedAt: now, tokenGrantId: grant.id },
        })
        if (count !== 1) return false
        failpoint('code:spent')
        await createGrant(tx, grant)
        if (refresh) await createFamily(tx, grant, refresh)
        failpoint('code:granted')
        await appendAudit(tx, [{ ...event, at: now }])
        return true
      })
      failpoint('code:exchanged')
      return won
    },
  }
}
