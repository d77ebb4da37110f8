import type { Database } from './database'

/**
 * `expiresAt`: after this time the first request must have died, and the same request may be tried
 * again.
 */
type Begun = { caller: string; key: string; requestHash: string; now: Date; expiresAt: Date }
type Answered = { caller: string; key: string; begunAt: Date; status: number; sealed: string }

export function idempotencyStore(db: Database) {
  return {
    /** True for the one caller who may continue; an expired record is replaced. */
    async begin({ caller, key, requestHash, now, expiresAt }: Begun): Promise<boolean> {
      const begun = await db.$executeRaw`
        INSERT INTO "IdempotencyRecord" ("caller", "key", "requestHash", "createdAt", "expiresAt")
        VALUES (${caller}, ${key}, ${requestHash}, ${now}, ${expiresAt})
        ON CONFLICT ("caller", "key") DO UPDATE SET
          "requestHash" = excluded."requestHash", "status" = NULL, "response" = NULL,
          "createdAt" = excluded."createdAt", "expiresAt" = excluded."expiresAt"
        WHERE "IdempotencyRecord"."expiresAt" <= ${now}`
      return begun === 1
    },

    /** Stores the answer, unless another request has begun again meanwhile. */
    async finish(
      { caller, key, begunAt, status, sealed }: Answered,
      expiresAt: Date,
    ): Promise<void> {
      await db.idempotencyRecord.updateMany({
        where: { caller, key, createdAt: begunAt },
        data: { status, response: sealed, expiresAt },
      })
    },

    /** The work failed with an internal error: the same request may be tried again. */
    async forget(caller: string, key: string, begunAt: Date): Promise<void> {
      await db.idempotencyRecord.deleteMany({ where: { caller, key, createdAt: begunAt } })
    },

    async find(caller: string, key: string, now: Date) {
      const row = await db.idempotencyRecord.findFirst({
        where: { caller, key, expiresAt: { gt: now } },
      })
      const sealed = typeof row?.response === 'string' ? row.response : null
      return row && { requestHash: row.requestHash, sealed }
    },
  }
}

export type IdempotencyStore = ReturnType<typeof idempotencyStore>
