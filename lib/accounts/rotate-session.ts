import type { Op, Transaction } from '../context/op'
import { newSecret } from '../crypto/secrets'
import { raiseSession, type Session } from '../store/accounts/sessions'
import type { StartedSession } from './new-session'

/**
 * The same session with a new secret: the previous cookie no longer works (attack M9). `proven`: a
 * factor was added, and whoever did so changes the others without using it first.
 */
export async function rotateSession(
  op: Op,
  tx: Transaction,
  { id, user }: Session,
  proven: { factorsProvenAt?: Date } = {},
): Promise<StartedSession> {
  const secret = newSecret('ghss')
  const expiresAt = await raiseSession(tx, id, { secretHash: op.hashSecret(secret), ...proven })
  if (!expiresAt) throw new Error('the session has ended meanwhile')
  return { id, userId: user.id, secret, expiresAt }
}
