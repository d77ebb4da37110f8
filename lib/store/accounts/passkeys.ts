import type { Reader, Transaction } from '../database/connection'
import { type Database, prisma } from '../database/database'
import { stringList } from '../database/json'
import { toUser, type User } from './users'

/** Passkeys: public keys only. A signature counter increases or stays zero, and never decreases. */

export type StoredPasskey = {
  id: string
  publicKey: Uint8Array<ArrayBuffer>
  counter: number
  deviceBound: boolean
  user: User
}

export type ListedPasskey = {
  id: string
  name: string
  deviceBound: boolean
  transports: string[]
  createdAt: Date
  lastUsedAt: Date | null
}

export function passkeyStore(db: Database) {
  return {
    async find(id: string): Promise<StoredPasskey | null> {
      const row = await db.passkeyCredential.findUnique({ where: { id }, include: { user: true } })
      if (!row) return null
      const { publicKey, deviceBound } = row
      return {
        id,
        publicKey: new Uint8Array(publicKey),
        counter: Number(row.counter),
        deviceBound,
        user: toUser(row.user),
      }
    },

    async any(userId: string): Promise<boolean> {
      return (await db.passkeyCredential.count({ where: { userId } })) > 0
    },
  }
}

export type PasskeyStore = ReturnType<typeof passkeyStore>

/** Of one user, the oldest first. */
export async function listPasskeysOf(db: Reader, userId: string): Promise<ListedPasskey[]> {
  const rows = await prisma(db).passkeyCredential.findMany({
    where: { userId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return rows.map(({ id, name, deviceBound, transports, createdAt, lastUsedAt }) => ({
    id,
    name,
    deviceBound,
    createdAt,
    lastUsedAt,
    transports: stringList(transports),
  }))
}

type NewPasskey = {
  id: string
  userId: string
  name: string
  publicKey: Uint8Array<ArrayBuffer>
  counter: number
  transports: string[]
  deviceBound: boolean
  aaguid: string
}

export async function createPasskey(
  tx: Transaction,
  { counter, ...passkey }: NewPasskey,
  now: Date,
): Promise<void> {
  const data = { ...passkey, counter: BigInt(counter), createdAt: now }
  await prisma(tx).passkeyCredential.create({ data })
}

/**
 * False for a copy that is behind the original, or a passkey that was removed (WebAuthn §6.1.1).
 */
export async function countPasskeyUse(
  tx: Transaction,
  id: string,
  counter: number,
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).passkeyCredential.updateMany({
    where: { id, counter: counter === 0 ? 0n : { lt: BigInt(counter) } },
    data: { counter: BigInt(counter), lastUsedAt: now },
  })
  return count === 1
}

export async function renamePasskey(
  tx: Transaction,
  userId: string,
  id: string,
  name: string,
): Promise<boolean> {
  const { count } = await prisma(tx).passkeyCredential.updateMany({
    where: { id, userId },
    data: { name },
  })
  return count === 1
}

/** True for the one call that removed it; a passkey of another user is not found. */
export async function removePasskey(tx: Transaction, userId: string, id: string): Promise<boolean> {
  return (await prisma(tx).passkeyCredential.deleteMany({ where: { id, userId } })).count === 1
}
