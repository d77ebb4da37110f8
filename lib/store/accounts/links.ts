import type { Transaction } from '../database/connection'
import { type Database, prisma } from '../database/database'

/** Links that work once: stored as hashes, used up by one conditional statement. */

type LinkPurpose =
  | 'setup'
  | 'reset'
  | 'verify'
  | 'email'
  | 'invite'
  | 'second_factor'
  | 'sign_in'
  | 'not_me'

/** The user of a link and the address that it was sent to; the set-up link has no user yet. */
export type LinkBearer = { userId: string; email: string; invitedBy?: string | null }

type NewLink = {
  tokenHash: string
  purpose: LinkPurpose
  createdAt: Date
  expiresAt: Date
} & Partial<LinkBearer>

export function linkStore(db: Database) {
  return {
    async isOpen(tokenHash: string, purpose: LinkPurpose, now: Date): Promise<boolean> {
      const open = await db.oneTimeLink.count({
        where: { tokenHash, purpose, usedAt: null, expiresAt: { gt: now } },
      })
      return open === 1
    },

    /** Only looks: showing a page uses nothing up. */
    async findBearer(
      tokenHash: string,
      purpose: LinkPurpose,
      now: Date,
    ): Promise<LinkBearer | null> {
      const where = { tokenHash, purpose, usedAt: null, expiresAt: { gt: now } }
      return toBearer(await db.oneTimeLink.findFirst({ where }))
    },

    /** The user of a link, if no address is involved. */
    async findHolder(tokenHash: string, purpose: LinkPurpose, now: Date): Promise<string | null> {
      const where = { tokenHash, purpose, usedAt: null, expiresAt: { gt: now } }
      return (await db.oneTimeLink.findFirst({ where }))?.userId ?? null
    },

    async save(link: NewLink): Promise<void> {
      await db.oneTimeLink.create({ data: link })
    },
  }
}

export type LinkStore = ReturnType<typeof linkStore>

/**
 * True for exactly one caller. `onlyFor`: the user whom it must belong to; otherwise nothing is
 * used up.
 */
export async function consumeLink(
  tx: Transaction,
  tokenHash: string,
  purpose: LinkPurpose,
  now: Date,
  onlyFor?: string,
): Promise<boolean> {
  const { count } = await prisma(tx).oneTimeLink.updateMany({
    where: {
      tokenHash,
      purpose,
      usedAt: null,
      expiresAt: { gt: now },
      ...(onlyFor !== undefined && { userId: onlyFor }),
    },
    data: { usedAt: now },
  })
  return count === 1
}

export async function saveLink(tx: Transaction, link: NewLink): Promise<void> {
  await prisma(tx).oneTimeLink.create({ data: link })
}

/** Returns the user of the link to exactly one caller; null if unknown, expired or used. */
export async function takeLink(
  tx: Transaction,
  tokenHash: string,
  purpose: LinkPurpose,
  now: Date,
  onlyFor?: string,
): Promise<LinkBearer | null> {
  if (!(await consumeLink(tx, tokenHash, purpose, now, onlyFor))) return null
  return toBearer(await prisma(tx).oneTimeLink.findUnique({ where: { tokenHash } }))
}

/** Other links for these purposes no longer work. */
export async function closeLinks(
  tx: Transaction,
  userId: string,
  purposes: LinkPurpose | readonly LinkPurpose[],
  now: Date,
): Promise<void> {
  await prisma(tx).oneTimeLink.updateMany({
    where: { userId, purpose: { in: [purposes].flat() }, usedAt: null },
    data: { usedAt: now },
  })
}

/** How many were made for a user since then, whether or not they still work. */
export function countLinks(
  tx: Transaction,
  userId: string,
  purpose: LinkPurpose,
  since: Date,
): Promise<number> {
  return prisma(tx).oneTimeLink.count({ where: { userId, purpose, createdAt: { gt: since } } })
}

type Row = { userId: string | null; email: string | null; invitedBy: string | null }

function toBearer(row: Row | null): LinkBearer | null {
  if (!row?.userId || !row.email) return null
  const { userId, email, invitedBy } = row
  return { userId, email, ...(invitedBy !== null && { invitedBy }) }
}
