import type { Database } from './database'

/**
 * Counts within a window, in one statement: parallel callers get 1, 2, 3 ... and never the same
 * number twice. A window that has passed starts again at 1.
 */
export function counterStore(db: Database) {
  return {
    async hit(key: string, now: Date, windowMs: number): Promise<Hit> {
      const expiresAt = new Date(now.getTime() + windowMs)
      const rows = await db.$queryRaw<{ count: number; expiresAt: Date }[]>`
        INSERT INTO "RateCounter" ("key", "count", "expiresAt") VALUES (${key}, 1, ${expiresAt})
        ON CONFLICT ("key") DO UPDATE SET
          "count" = CASE WHEN "RateCounter"."expiresAt" <= ${now} THEN 1 ELSE "RateCounter"."count" + 1 END,
          "expiresAt" = CASE WHEN "RateCounter"."expiresAt" <= ${now} THEN ${expiresAt} ELSE "RateCounter"."expiresAt" END
        RETURNING "count", "expiresAt"`
      const [row] = rows
      if (!row) throw new Error('a counter answered nothing')
      return { count: Number(row.count), resetsAt: new Date(row.expiresAt) }
    },

    /** The window ends then, not when it would have. */
    async holdUntil(key: string, expiresAt: Date): Promise<void> {
      await db.rateCounter.updateMany({ where: { key }, data: { expiresAt } })
    },

    async clear(keys: string[]): Promise<void> {
      await db.rateCounter.deleteMany({ where: { key: { in: keys } } })
    },

    /** One hit that turned out to be innocent. */
    async takeBack(key: string): Promise<void> {
      await db.rateCounter.updateMany({
        where: { key, count: { gt: 0 } },
        data: { count: { decrement: 1 } },
      })
    },
  }
}

export type Hit = { count: number; resetsAt: Date }
export type CounterStore = ReturnType<typeof counterStore>
