import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'

/** Pictures of users. Each has a random ID; a new picture gets a new one. */

type NewAvatar = { id: string; userId: string; webp: Uint8Array<ArrayBuffer> }

export async function replaceAvatar(tx: Transaction, avatar: NewAvatar, now: Date): Promise<void> {
  const { userId, ...picture } = { ...avatar, createdAt: now }
  await prisma(tx).avatar.upsert({
    where: { userId },
    create: { userId, ...picture },
    update: picture,
  })
  await touchUser(tx, userId, now)
}

/** False if there was none. */
export async function removeAvatar(tx: Transaction, userId: string, now: Date): Promise<boolean> {
  const { count } = await prisma(tx).avatar.deleteMany({ where: { userId } })
  if (count > 0) await touchUser(tx, userId, now)
  return count > 0
}

/** Only of users who are enabled. */
export async function findAvatar(db: Reader, id: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const row = await prisma(db).avatar.findFirst({ where: { id, user: { disabledAt: null } } })
  return row?.webp ?? null
}

export async function avatarIdOf(db: Reader, userId: string): Promise<string | null> {
  const row = await prisma(db).avatar.findUnique({ where: { userId }, select: { id: true } })
  return row?.id ?? null
}

/** Applications learn from `updated_at` that something has changed. */
async function touchUser(tx: Transaction, id: string, now: Date): Promise<void> {
  await prisma(tx).user.update({
    where: { id },
    data: { updatedAt: now, version: { increment: 1 } },
  })
}
