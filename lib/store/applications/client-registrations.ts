import type { Reader, Transaction } from '../database/connection'
import { type InputJsonObject, type Prisma, prisma } from '../database/database'
import { membersOf } from '../database/json'
import { type ApplicationRecord, toApplicationRecord } from './applications'

/** Applications that registered themselves, with what RFC 7591 and 7592 need beside the row. */

type NewRegistration = {
  applicationId: string
  tokenHash: string | null
  initialTokenId: string | null
  metadata: Record<string, unknown>
  freshUntil: Date | null
  createdAt: Date
  lastUsedAt: Date
}

export type RegisteredClient = { application: ApplicationRecord; metadata: Record<string, unknown> }

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
): Promise<RegisteredClient | null> {
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

/** How a client came: with an initial access token, without one, or by a metadata document. */
export type RegistrationMethod = 'token' | 'open' | 'document'

const CAME: Record<RegistrationMethod, Prisma.ClientRegistrationWhereInput> = {
  token: { initialTokenId: { not: null }, application: { disabledAt: null } },
  open: { initialTokenId: null, application: { registration: 'dynamic', disabledAt: null } },
  document: { application: { registration: 'metadata_document', disabledAt: null } },
}

/** Without those that an admin disabled. */
export function countRegistered(db: Reader, way: RegistrationMethod): Promise<number> {
  return prisma(db).clientRegistration.count({ where: CAME[way] })
}

export type UnusedClient = { id: string; name: string; version: number }

const UNUSED = { application: { select: { id: true, name: true, version: true } } } as const

/** When the last use of a client must have been, and when it must have come if it has none. */
type UnusedBefore = { used: Date; came: Record<Exclude<RegistrationMethod, 'token'>, Date> }

/**
 * Some of those that nobody has used since, the oldest first. What an admin disabled stays, because
 * a client that is not known could come anew.
 */
export async function listUnused(
  db: Reader,
  { used, came }: UnusedBefore,
  most: number,
): Promise<UnusedClient[]> {
  const early = (way: 'open' | 'document') => ({
    ...CAME[way],
    lastUsedAt: { ...neverUsed(db), lt: came[way] },
  })
  const rows = await prisma(db).clientRegistration.findMany({
    where: {
      OR: [
        { lastUsedAt: { lt: used }, application: { disabledAt: null } },
        ...[early('open'), early('document')],
      ],
    },
    orderBy: { lastUsedAt: 'asc' },
    take: most,
    select: UNUSED,
  })
  return rows.map(({ application }) => application)
}

function neverUsed(db: Reader) {
  return { equals: prisma(db).clientRegistration.fields.createdAt }
}

/** The one that has waited longest without ever being used. */
export async function findNeverUsed(
  db: Reader,
  way: RegistrationMethod,
): Promise<UnusedClient | null> {
  const row = await prisma(db).clientRegistration.findFirst({
    where: { ...CAME[way], lastUsedAt: neverUsed(db) },
    orderBy: { lastUsedAt: 'asc' },
    select: UNUSED,
  })
  return row?.application ?? null
}

export type DocumentClient = RegisteredClient & { freshUntil: Date | null }

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
export type ReadDocument = { metadata: Record<string, unknown>; freshUntil: Date }

export async function saveRead(
  tx: Transaction,
  applicationId: string,
  { metadata, freshUntil }: ReadDocument,
): Promise<void> {
  const data = { metadata: metadata as InputJsonObject, freshUntil }
  await prisma(tx).clientRegistration.updateMany({ where: { applicationId }, data })
}
