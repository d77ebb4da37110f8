import type { Reader, Transaction } from '../database/connection'
import { type Database, prisma } from '../database/database'

/** Authenticator apps. A time step is used once: one conditional statement (attack M6). */

export type StoredTotp = { id: string; secretEncrypted: string }

export function totpStore(db: Database) {
  return {
    async listConfirmed(userId: string): Promise<StoredTotp[]> {
      return db.totpCredential.findMany({
        where: { userId, confirmedAt: { not: null } },
        select: { id: true, secretEncrypted: true },
      })
    },

    anyConfirmed: (userId: string) => hasTotp(db, userId),
  }
}

/** An app that the user has not confirmed yet counts for nothing. */
export async function hasTotp(db: Reader, userId: string): Promise<boolean> {
  const where = { userId, confirmedAt: { not: null } }
  return (await prisma(db).totpCredential.count({ where })) > 0
}

export type TotpStore = ReturnType<typeof totpStore>

/** True for exactly one caller with this time step or a later one. */
export async function spendStep(
  tx: Transaction,
  id: string,
  step: number,
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).totpCredential.updateMany({
    where: { id, lastStep: { lt: step } },
    data: { lastStep: step, lastUsedAt: now },
  })
  return count === 1
}

type NewTotp = { id: string; userId: string; name: string; secretEncrypted: string }

export async function createTotp(tx: Transaction, totp: NewTotp, now: Date): Promise<void> {
  await prisma(tx).totpCredential.create({ data: { ...totp, createdAt: now } })
}

/** The first code proves that the app has the secret; from then on the app counts. */
export async function confirmTotp(
  tx: Transaction,
  id: string,
  step: number,
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).totpCredential.updateMany({
    where: { id, confirmedAt: null },
    data: { confirmedAt: now, lastStep: step },
  })
  return count === 1
}

export type ListedTotp = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null }

/** The confirmed authenticator apps of a user, the oldest first. */
export function listTotpsOf(db: Reader, userId: string): Promise<ListedTotp[]> {
  return prisma(db).totpCredential.findMany({
    where: { userId, confirmedAt: { not: null } },
    select: { id: true, name: true, createdAt: true, lastUsedAt: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
}

/** An enrolment that is not confirmed yet. */
export function findOpenEnrolment(
  db: Reader,
  userId: string,
  id: string,
  begunAfter: Date,
): Promise<StoredTotp | null> {
  return prisma(db).totpCredential.findFirst({
    where: { id, userId, confirmedAt: null, createdAt: { gt: begunAfter } },
    select: { id: true, secretEncrypted: true },
  })
}

export async function dropOpenEnrolments(tx: Transaction, userId: string): Promise<void> {
  await prisma(tx).totpCredential.deleteMany({ where: { userId, confirmedAt: null } })
}

export async function renameTotp(
  tx: Transaction,
  userId: string,
  id: string,
  name: string,
): Promise<void> {
  await prisma(tx).totpCredential.updateMany({ where: { id, userId }, data: { name } })
}

/** True for the one call that removed it; an app of another user is not found. */
export async function removeTotp(tx: Transaction, userId: string, id: string): Promise<boolean> {
  return (await prisma(tx).totpCredential.deleteMany({ where: { id, userId } })).count === 1
}
