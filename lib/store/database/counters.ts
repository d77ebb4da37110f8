import { join, sqltag as sql } from '@prisma/client/runtime/client'
import { type Database, sqlOf } from './database'
import { timeIn } from './sql'

/**
 * Counts within a time window, in one statement: parallel callers get 1, 2, 3 ... and never the
 * same number twice. After the window, the count starts again at 1.
 */
export function counterStore(db: Database) {
  return {
    async hit(key: string, now: Date, windowMs: number): Promise<Hit> {
      const expiresAt = new Date(now.getTime() + windowMs)
      const [row] = await sqlOf(db).write(HIT, [key, expiresAt, now, now])
      if (!row) throw new Error('a counter returned no row')
      return { count: Number(row.count), resetsAt: timeIn(row.expiresAt) }
    },

    /**
     * Adds to several counters in one statement, always in the same order, so that two server
     * processes cannot deadlock.
     */
    async add(
      hits: ReadonlyMap<string, number>,
      now: Date,
      windowMs: number,
    ): Promise<Map<string, Hit>> {
      if (hits.size === 0) return new Map()
      const expiresAt = new Date(now.getTime() + windowMs)
      const values = [...hits]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, count]) => sql`(${key}, ${count}, ${expiresAt})`)
      const rows = await db.$queryRaw<{ key: string; count: number; expiresAt: Date }[]>(sql`
        INSERT INTO "RateCounter" ("key", "count", "expiresAt") VALUES ${join(values)}
        ON CONFLICT ("key") DO UPDATE SET
          "count" = CASE WHEN "RateCounter"."expiresAt" <= ${now} THEN excluded."count" ELSE "RateCounter"."count" + excluded."count" END,
          "expiresAt" = CASE WHEN "RateCounter"."expiresAt" <= ${now} THEN excluded."expiresAt" ELSE "RateCounter"."expiresAt" END
        RETURNING "key", "count", "expiresAt"`)
      return new Map(
        rows.map(({ key, count, expiresAt: resetsAt }) => [
          key,
          { count: Number(count), resetsAt: new Date(resetsAt) },
        ]),
      )
    },

    /** Sets the end of the window. */
    async holdUntil(key: string, expiresAt: Date): Promise<void> {
      await db.rateCounter.updateMany({ where: { key }, data: { expiresAt } })
    },

    async clear(keys: string[]): Promise<void> {
      await db.rateCounter.deleteMany({ where: { key: { in: keys } } })
    },

    /** Takes back one count. */
    async takeBack(key: string): Promise<void> {
      await sqlOf(db).run(TAKE_BACK, [key])
    },
  }
}

const HIT = `INSERT INTO "RateCounter" ("key", "count", "expiresAt") VALUES (?, 1, ?)
ON CONFLICT ("key") DO UPDATE SET
  "count" = CASE WHEN "RateCounter"."expiresAt" <= ? THEN 1 ELSE "RateCounter"."count" + 1 END,
  "expiresAt" = CASE WHEN "RateCounter"."expiresAt" <= ? THEN excluded."expiresAt" ELSE "RateCounter"."expiresAt" END
RETURNING "count", "expiresAt"`
const TAKE_BACK = 'UPDATE "RateCounter" SET "count" = "count" - 1 WHERE "key" = ? AND "count" > 0'

type Hit = { count: number; resetsAt: Date }
export type CounterStore = ReturnType<typeof counterStore>
