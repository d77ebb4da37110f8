import { DbNull } from '@prisma/client/runtime/client'
import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'
import { stringListOrNull } from '../database/json'
import { type Page, type PageAsk, pageOf } from '../database/page'

/** Access keys of an application: AK and SK. */

/** The only fields that leave the database: the hash stays. */
const KEY_FIELDS = {
  id: true,
  applicationId: true,
  name: true,
  hint: true,
  scopes: true,
  tokenSeconds: true,
  createdAt: true,
  expiresAt: true,
  disabledAt: true,
  lastUsedAt: true,
  lastUsedIp: true,
  version: true,
} as const

export type AccessKeyFields = {
  name: string
  /** Null for all scopes of its application. */
  scopes: string[] | null
  tokenSeconds: number | null
  expiresAt: Date | null
  disabledAt: Date | null
}

export type AccessKeyRecord = AccessKeyFields & {
  id: string
  applicationId: string
  hint: string
  createdAt: Date
  lastUsedAt: Date | null
  lastUsedIp: string | null
  version: number
}

type Row = Omit<AccessKeyRecord, 'scopes'> & { scopes: unknown }

function toAccessKeyRecord(row: Row): AccessKeyRecord {
  return { ...row, scopes: stringListOrNull(row.scopes) }
}

export async function findAccessKey(
  db: Reader,
  applicationId: string,
  id: string,
): Promise<AccessKeyRecord | null> {
  const row = await prisma(db).accessKey.findFirst({
    where: { id, applicationId },
    select: KEY_FIELDS,
  })
  return row && toAccessKeyRecord(row)
}

export function listAccessKeyPage(
  db: Reader,
  { applicationId }: { applicationId: string },
  ask: PageAsk<'createdAt' | 'name'>,
): Promise<Page<AccessKeyRecord>> {
  return pageOf(ask, {
    filter: { applicationId },
    sorts: { createdAt: 'date', name: 'text' },
    searched: ['id', 'name', 'hint'],
    find: async (asked) =>
      (await prisma(db).accessKey.findMany({ ...asked, select: KEY_FIELDS })).map(
        toAccessKeyRecord,
      ),
    count: (asked) => prisma(db).accessKey.count(asked),
  })
}

export type KeyScopes = Pick<AccessKeyRecord, 'id' | 'applicationId' | 'scopes'>

/** The access keys of these applications, and what each is limited to. */
export async function keyScopesOf(
  db: Reader,
  applicationIds: readonly string[],
): Promise<KeyScopes[]> {
  const rows = await prisma(db).accessKey.findMany({
    where: { applicationId: { in: [...applicationIds] } },
    orderBy: { id: 'asc' },
    select: { id: true, applicationId: true, scopes: true },
  })
  return rows.map((row) => ({ ...row, scopes: stringListOrNull(row.scopes) }))
}

/** IDs of access keys after `after`, in the order of the database. */
export async function keyIdsAfter(db: Reader, after: string, most: number): Promise<string[]> {
  const rows = await prisma(db).accessKey.findMany({
    where: { id: { gt: after } },
    orderBy: { id: 'asc' },
    take: most,
    select: { id: true },
  })
  return rows.map(({ id }) => id)
}

type NewAccessKey = Omit<AccessKeyRecord, 'lastUsedAt' | 'lastUsedIp' | 'version'> & {
  secretHash: string
}

export async function insertAccessKey(
  tx: Transaction,
  { scopes, ...key }: NewAccessKey,
): Promise<AccessKeyRecord> {
  const data = { ...key, scopes: scopes ?? DbNull }
  return toAccessKeyRecord(await prisma(tx).accessKey.create({ data, select: KEY_FIELDS }))
}

/** The number of changed rows: 0 if somebody else changed it first. */
export async function updateAccessKey(
  tx: Transaction,
  { id, version }: { id: string; version: number },
  { scopes, ...fields }: Partial<AccessKeyFields>,
): Promise<number> {
  const { count } = await prisma(tx).accessKey.updateMany({
    where: { id, version },
    data: {
      ...fields,
      ...(scopes !== undefined && { scopes: scopes ?? DbNull }),
      version: version + 1,
    },
  })
  return count
}

export async function removeAccessKey(
  tx: Transaction,
  { id, version }: { id: string; version: number },
): Promise<number> {
  return (await prisma(tx).accessKey.deleteMany({ where: { id, version } })).count
}

/** Null if the key does not exist. */
export async function findKeyHash(
  db: Reader,
  applicationId: string,
  id: string,
): Promise<string | null> {
  const row = await prisma(db).accessKey.findFirst({
    where: { id, applicationId },
    select: { secretHash: true },
  })
  return row?.secretHash ?? null
}
