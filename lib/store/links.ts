import type { Database, Transaction } from './database'

/** Links that work once: stored by their hash, spent by one conditional statement. */

export type LinkPurpose = 'setup'

export type NewLink = { tokenHash: string; purpose: LinkPurpose; createdAt: Date; expiresAt: Date }

export function linkStore(db: Database) {
  return {
    async isOpen(tokenHash: string, purpose: LinkPurpose, now: Date): Promise<boolean> {
      const open = await db.oneTimeLink.count({
        where: { tokenHash, purpose, usedAt: null, expiresAt: { gt: now } },
      })
      return open === 1
    },

    async save(link: NewLink): Promise<void> {
      await db.oneTimeLink.create({ data: link })
    },
  }
}

export type LinkStore = ReturnType<typeof linkStore>

/** True for exactly one caller. */
export async function consumeLink(
  tx: Transaction,
  tokenHash: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<boolean> {
  const { count } = await tx.oneTimeLink.updateMany({
    where: { tokenHash, purpose, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  })
  return count === 1
}
