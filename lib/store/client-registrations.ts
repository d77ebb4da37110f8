import { type ApplicationRecord, toApplicationRecord } from './applications'
import type { Reader, Transaction } from './connection'
import { type InputJsonObject, prisma } from './database'
import { membersOf } from './json'

/** Applications that registered themselves, with what RFC 7591 and 7592 need beside the row. */

export type NewRegistration = {
  applicationId: string
  tokenHash: string | null
  initialTokenId: string | null
  metadata: Record<string, unknown>
  freshUntil: Date | null
  createdAt: Date
  lastUsedAt: Date
}

export type Registered = { application: ApplicationRecord; metadata: Record<string, unknown> }

export async function insertRegistration(
  tx: Transaction,
  { metadata, ...row }: NewRegistration,
): Promise<void> {
  const data = { ...row, metadata: metadata as InputJsonObject }
  await prisma(tx).clientRegistration.create({ data })
}

/** Null if the token is not that of this application. */
export async function findRegistered(
  db: Reader,
  applicationId: string,
  tokenHash: string,
): Promise<Registered | null> {
  const row = await prisma(db).clientRegistration.findFirst({
    where: { applicationId, tokenHash },
    include: { application: true },
  })
  if (!row) return null
  return {
    application: toApplicationRecord(row.application),
    metadata: membersOf(row.metadata),
  }
}

export async function saveMetadata(
  tx: Transaction,
  applicationId: string,
  metadata: Record<string, unknown>,
): Promise<void> {
  const data = { metadata: metadata as InputJsonObject }
  await prisma(tx).clientRegistration.update({ where: { applicationId }, data })
}

export function countRegistered(
  db: Reader,
  registration: ApplicationRecord['registration'],
): Promise<number> {
  return prisma(db).application.count({ where: { registration } })
}

/**
 * Some of those that nobody has used since, the oldest first. What an admin disabled stays, because
 * a client that is not known could come anew.
 */
export async function listUnused(
  db: Reader,
  before: Date,
  most: number,
): Promise<{ id: string; name: string; version: number }[]> {
  const rows = await prisma(db).clientRegistration.findMany({
    where: { lastUsedAt: { lt: before }, application: { disabledAt: null } },
    orderBy: { lastUsedAt: 'asc' },
    take: most,
    select: { application: { select: { id: true, name: true, version: true } } },
  })
  return rows.map(({ application }) => application)
}

export type DocumentClient = Registered & { freshUntil: Date | null }

export async function findDocumentClient(
  db: Reader,
  applicationId: string,
): Promise<DocumentClient | null> {
  const row = await prisma(db).clientRegistration.findUnique({
    where: { applicationId },
    include: { application: true },
  })
  if (!row) return null
  return {
    application: toApplicationRecord(row.application),
    metadata: membersOf(row.metadata),
    freshUntil: row.freshUntil,
  }
}

/** What was read of a document, and until when it counts. */
export type Read = { metadata: Record<string, unknown>; freshUntil: Date }

export async function saveRead(
  tx: Transaction,
  applicationId: string,
  { metadata, freshUntil }: Read,
): Promise<void> {
  const data = { metadata: metadata as InputJsonObject, freshUntil }
  await prisma(tx).clientRegistration.updateMany({ where: { applicationId }, data })
}
