import type { Op } from '../context/op'
import { newSecret } from '../crypto/secrets'
import { mailMode } from '../delivery/mail/mode'
import { closeLinks, type LinkBearer, takeLink } from '../store/accounts/links'
import { findPasswordHash, findUser, setPassword } from '../store/accounts/users'
import type { Reader } from '../store/database/connection'
import { type Origin, ownEvent } from './audit-event'
import { hashPassword } from './passwords'
import { requestResetFor } from './reset-password'
import { signOutEverywhere } from './sign-out-everywhere'

/**
 * "It wasn't me", the link in a notice. Whoever reads the mail can use it, so it only takes access
 * away: it signs nobody in, sets no password, and removes no sign-in method. Otherwise somebody who
 * controls the mail server could undo the second factor that protects the account from them.
 */

export type NotMe = { email: string; newPasswordByMail: boolean }

/** Null if the link no longer works. Only looks: showing the page uses nothing up. */
export async function openNotMe(op: Op, token: string): Promise<NotMe | null> {
  const bearer = await op.links.findBearer(op.hashSecret(token), 'not_me', op.now())
  if (!bearer) return null
  const newPasswordByMail = await op.read((db) => hasReachablePassword(op, db, bearer))
  return { email: bearer.email, newPasswordByMail }
}

/** Works once: of several that send the link at the same time, one succeeds. */
export async function secureAccount(
  op: Op,
  token: string,
  origin: Origin,
): Promise<Pick<NotMe, 'newPasswordByMail'> | null> {
  if (!(await openNotMe(op, token))) return null
  const unknownPassword = await hashPassword(newSecret('ghlk'))
  return op.write(async (tx, audit) => {
    const bearer = await takeLink(tx, op.hashSecret(token), 'not_me', op.now())
    if (!bearer) return null
    // A new address and a new password that somebody else may have asked for.
    await closeLinks(tx, bearer.userId, ['not_me', 'email', 'reset'], op.now())
    await signOutEverywhere(op, tx, bearer.userId, 'not_me')
    const newPasswordByMail = await hasReachablePassword(op, tx, bearer)
    if (newPasswordByMail) {
      await setPassword(tx, bearer.userId, unknownPassword, op.now())
      await requestResetFor(op, tx, bearer.email, origin.locale ?? defaultLocale(op))
    }
    const detail = { passwordStopped: newPasswordByMail }
    audit(ownEvent('account.not_me', { user: { id: bearer.userId } }, origin, { detail }))
    return { newPasswordByMail }
  })
}

const defaultLocale = (op: Op) => op.settings.known().languages.default

/**
 * A password may stop working only if the same mailbox can set a new one: if the account has another
 * address meanwhile, the mail would reach whoever changed it.
 */
async function hasReachablePassword(
  op: Op,
  db: Reader,
  { userId, email }: LinkBearer,
): Promise<boolean> {
  if (mailMode(op) === 'off') return false
  if ((await findUser(db, userId))?.email !== email) return false
  return (await findPasswordHash(db, userId)) !== null
}
