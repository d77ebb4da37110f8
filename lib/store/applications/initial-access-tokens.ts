import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'
import { type Page, type PageAsk, pageOf } from '../database/page'

/** Initial access tokens (RFC 7591 §1.2): each registers so many clients until it ends. */

const FIELDS = {
  id: true,
  name: true,
  hint: true,
  mostUses: true,
  uses: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
} as const

export type InitialAccessTokenRow = {
  id: string
  name: string
  hint: string
  mostUses: number
  uses: number
  createdAt: Date
  expiresAt: Date
  revokedAt: Date | null
}

export function listInitialTokenPage(
  db: Reader,
  _filters: object,
  ask: PageAsk<'createdAt' | 'name'>,
): Promise<Page<InitialAccessTokenRow>> {
  return pageOf(ask, {
    filter: {},
    sorts: { createdAt: 'date', name: 'text' },
    searched: ['id', 'name'],
    find: (asked) => prisma(db).initialAccessToken.findMany({ ...asked, select: FIELDS }),
    count: (asked) => prisma(db).initialAccessToken.count(asked),
  })
}

export function findInitialToken(db: Reader, id: string): Promise<InitialAccessTokenRow | null> {
  return prisma(db).initialAccessToken.findUnique({ where: { id }, select: FIELDS })
}

export function countInitialTokens(db: Reader): Promise<number> {
  return prisma(db).initialAccessToken.count()
}

export function insertInitialToken(
  tx: Transaction,
  token: Omit<InitialAccessTokenRow, 'uses' | 'revokedAt'> & { tokenHash: string },
): Promise<InitialAccessTokenRow> {
  return prisma(tx).initialAccessToken.create({ data: token, select: FIELDS })
}

/** Whether it could register a client now; `spendInitialToken` decides. */
export async function isLiveToken(db: Reader, tokenHash: string, now: Date): Promise<boolean> {
  const row = await prisma(db).initialAccessToken.findUnique({ where: { tokenHash } })
  return row !== null && row.revokedAt === null && row.expiresAt > now && row.uses < row.mostUses
}

/** One statement: so many callers as it has uses left get its ID, all others null. */
export async function spendInitialToken(
  tx: Transaction,
  tokenHash: string,
  now: Date,
): Promise<string | null> {
  const rows = await prisma(tx).$queryRaw<{ id: string }[]>`
    UPDATE "InitialAccessToken" SET "uses" = "uses" + 1
    WHERE "tokenHash" = ${tokenHash} AND "uses" < "mostUses"
      AND "expiresAt" > ${now} AND "revokedAt" IS NULL
    RETURNING "id"`
  return rows[0]?.id ?? null
}

/** Returns the number of changed rows: 0 if it was revoked already. */
export async function revokeInitialToken(tx: Transaction, id: string, now: Date): Promise<number> {
  const { count } = await prisma(tx).initialAccessToken.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: now },
  })
  return count
}
