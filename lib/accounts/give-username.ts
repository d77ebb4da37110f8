import { randomInt } from 'node:crypto'
import { usernameFrom } from '../base/username'
import type { Op } from '../context/op'
import { listIdentitiesOf } from '../store/accounts/identities'
import { findUser, setFirstUsername } from '../store/accounts/users'
import { isUniqueViolation } from '../store/database/unique'

/**
 * Applications know users by `preferred_username`, so everybody has one from their first sign-in on.
 * Admins can change it. In a transaction of its own: if somebody else takes the name in the same
 * instant, the next try has a number.
 */

const TRIES = 5

export async function giveUsername(op: Op, userId: string): Promise<void> {
  const user = await op.read((db) => findUser(db, userId))
  if (!user || user.username !== null || user.email === null) return
  const { name, isFree } = usernameFrom(user.email)
  const isPlain = isFree && user.emailVerified && (await isInvited(op, userId))
  const candidates = Array.from({ length: TRIES }, () => `${name}-${randomInt(1_000, 1_000_000)}`)
  for (const candidate of isPlain ? [name, ...candidates] : candidates) {
    if (await tryName(op, userId, candidate)) return
  }
}

/**
 * Whether an admin made the account. Whoever makes their own, here or at a provider, chooses the
 * address: they would get the name of somebody else.
 */
async function isInvited(op: Op, userId: string): Promise<boolean> {
  const { registration } = (await op.settings.current()).security
  if (registration === 'open') return false
  return op.read(async (db) => (await listIdentitiesOf(db, userId)).length === 0)
}

async function tryName(op: Op, userId: string, username: string): Promise<boolean> {
  try {
    await op.write((tx) => setFirstUsername(tx, userId, username, op.now()))
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}
