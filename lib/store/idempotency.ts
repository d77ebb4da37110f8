import type { Database } from './database'

type Begun = { caller: string; key: string; requestHash: string; now: Date; expiresAt: Date }

export function idempotencyStore(db: Database) {
  return {
    /** True for the one caller who goes ahead; a record that is over makes room. */
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

    async finish(caller: string, key: string, status: number, sealed: string): Promise<void> {
      await db.idempotencyRecord.update({
        where: { caller_key: { caller, key } },
        data: { status, response: sealed },
      })
    },

    /** The work failed on our side: the same request may be tried again. */
    async forget(caller: string, key: string): Promise<void> {
      await db.idempotencyRecord.deleteMany({ where: { caller, key } })
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
