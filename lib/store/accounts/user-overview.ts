import type { DatabaseKind, Reader } from '../database/connection'
import { prisma, readPlain } from '../database/database'
import { textIn, timeOrNull } from '../database/sql'

/** What an admin sees first of a user, in few statements. */

const counted = (name: string, from: string) => `(SELECT COUNT(*) FROM ${from}) AS "${name}"`

// The last session stays when others are cleaned up, so it says when the user signed in.
const FACTS = `
  SELECT u."deleteAfter",
    ${counted('password', '"PasswordCredential" WHERE "userId" = u."id"')},
    ${counted('passkeys', '"PasskeyCredential" WHERE "userId" = u."id"')},
    ${counted('authenticators', '"TotpCredential" WHERE "userId" = u."id" AND "confirmedAt" IS NOT NULL')},
    ${counted('identities', '"Identity" WHERE "userId" = u."id"')},
    ${counted(
      'orders',
      `"OutboxMessage" WHERE "targetId" = u."id" AND "about" = 'invitation'
      AND "deliveredAt" IS NULL AND "failedAt" IS NULL`,
    )},
    (SELECT MAX("authTime") FROM "Session" WHERE "userId" = u."id") AS "lastSignInAt",
    (SELECT MAX("expiresAt") FROM "OneTimeLink" WHERE "userId" = u."id" AND "purpose" = 'invite'
      AND "usedAt" IS NULL AND "expiresAt" > ?) AS "invitedUntil"
  FROM "User" u WHERE u."id" = ?`

export type UserFacts = {
  deleteAfter: Date | null
  password: boolean
  passkeys: number
  authenticators: number
  identities: number
  lastSignInAt: Date | null
  /** The invitation is on its way, or its link still works. */
  isInvited: boolean
  invitedUntil: Date | null
}

export async function findUserFacts(
  db: Reader,
  kind: DatabaseKind,
  userId: string,
  now: Date,
): Promise<UserFacts> {
  const [row = {}] = await readPlain(db, kind, FACTS, [now, userId])
  const invitedUntil = timeOrNull(row.invitedUntil ?? null)
  return {
    deleteAfter: timeOrNull(row.deleteAfter ?? null),
    password: Number(row.password) > 0,
    passkeys: Number(row.passkeys),
    authenticators: Number(row.authenticators),
    identities: Number(row.identities),
    lastSignInAt: timeOrNull(row.lastSignInAt ?? null),
    isInvited: invitedUntil !== null || Number(row.orders) > 0,
    invitedUntil,
  }
}

const APPLICATIONS = `
  SELECT a."id", a."name" FROM "Application" a
  WHERE a."id" IN (SELECT "applicationId" FROM "Consent" WHERE "userId" = ?)
  ORDER BY a."name" LIMIT ?`

export async function listApplicationsOf(
  db: Reader,
  kind: DatabaseKind,
  userId: string,
  most: number,
) {
  const rows = await readPlain(db, kind, APPLICATIONS, [userId, most])
  return rows.map(({ id, name }) => ({ id: textIn(id), name: textIn(name) }))
}

/** What access requests gave them that is in force. */
export function listApprovedOf(db: Reader, userId: string, now: Date, most: number) {
  return prisma(db).grant.findMany({
    where: { userId, requestId: { not: null }, validUntil: { gt: now } },
    select: { id: true, pattern: true, requestId: true, validUntil: true },
    orderBy: [{ validUntil: 'asc' }, { id: 'asc' }],
    take: most,
  })
}
