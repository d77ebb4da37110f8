import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'
import { type Page, type PageAsk, pageOf } from '../database/page'

/**
 * Several secrets can be valid at the same time, so that one can be replaced without interruption.
 */

/** The only fields that leave the database: the hash stays. */
const SECRET_FIELDS = {
  id: true,
  applicationId: true,
  name: true,
  hint: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  lastUsedAt: true,
  lastUsedIp: true,
} as const

export type NewSecret = {
  id: string
  applicationId: string
  name: string
  secretHash: string
  hint: string
  createdAt: Date
  expiresAt: Date | null
}

export type SecretRow = Omit<NewSecret, 'secretHash'> & {
  revokedAt: Date | null
  lastUsedAt: Date | null
  lastUsedIp: string | null
}

export function addSecret(tx: Transaction, secret: NewSecret): Promise<SecretRow> {
  return prisma(tx).applicationSecret.create({ data: secret, select: SECRET_FIELDS })
}

export function countLiveSecrets(
  tx: Transaction,
  applicationId: string,
  now: Date,
): Promise<number> {
  return prisma(tx).applicationSecret.count({
    where: {
      applicationId,
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
    },
  })
}

export function findSecret(
  db: Reader,
  applicationId: string,
  id: string,
): Promise<SecretRow | null> {
  return prisma(db).applicationSecret.findFirst({
    where: { id, applicationId },
    select: SECRET_FIELDS,
  })
}

export function listSecretPage(
  db: Reader,
  { applicationId }: { applicationId: string },
  ask: PageAsk<'createdAt' | 'name'>,
): Promise<Page<SecretRow>> {
  return pageOf(ask, {
    filter: { applicationId },
    sorts: { createdAt: 'date', name: 'text' },
    searched: ['name', 'hint'],
    find: (asked) => prisma(db).applicationSecret.findMany({ ...asked, select: SECRET_FIELDS }),
    count: (asked) => prisma(db).applicationSecret.count(asked),
  })
}

/** A second revocation does not change the time of the first. */
export async function revokeSecret(tx: Transaction, id: string, now: Date): Promise<void> {
  await prisma(tx).applicationSecret.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: now },
  })
}

export async function endSecret(tx: Transaction, id: string, expiresAt: Date): Promise<void> {
  await prisma(tx).applicationSecret.updateMany({
    where: { id, revokedAt: null },
    data: { expiresAt },
  })
}

/** With their hashes, to find out whether a chosen secret exists already. */
export function findLiveSecrets(db: Reader, applicationId: string, now: Date) {
  return prisma(db).applicationSecret.findMany({
    where: {
      applicationId,
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
    },
    select: { id: true, name: true, secretHash: true },
  })
}
