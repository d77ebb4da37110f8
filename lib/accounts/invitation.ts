import type { Op, Transaction } from '../context/op'
import { LINK_MS } from '../delivery/mail/link-times'
import { mailMode } from '../delivery/mail/mode'
import { orderMail } from '../delivery/mail/order'
import { newLink } from '../delivery/mail/write'
import type { Locale } from '../i18n'
import { closeLinks, type LinkBearer, takeLink } from '../store/accounts/links'
import { createPassword, hasWayIn } from '../store/accounts/sign-in-methods'
import { confirmEmail } from '../store/accounts/users'
import { isUniqueViolation } from '../store/database/unique'
import { type Origin, ownEvent } from './audit-event'
import { hashPassword, newPasswordProblem, type PasswordProblem, passwordOwner } from './passwords'

/**
 * The link to an account that somebody else created: by mail, valid once and for a week, and only
 * while the user cannot sign in otherwise (attack M25).
 */

type Invitation = { expiresAt: Date; mailed: boolean; link: string | null }
type Wanted = { bearer: LinkBearer; locale: Locale; returnLink: boolean }

/** In the caller's transaction. An earlier invitation no longer works. */
export async function invite(
  op: Op,
  tx: Transaction,
  { bearer, locale, returnLink }: Wanted,
): Promise<Invitation> {
  const now = op.now()
  await closeLinks(tx, bearer.userId, 'invite', now)
  await orderMail(op, tx, { letter: 'invitation', userId: bearer.userId, locale })
  const link = { purpose: 'invite', path: '/invite' } as const
  return {
    expiresAt: new Date(now.getTime() + LINK_MS.invite),
    mailed: mailMode(op) !== 'off',
    link: returnLink ? await newLink(op, tx, bearer, link) : null,
  }
}

/** Only looks; null if the invitation no longer works. */
export async function openInvitation(op: Op, token: string): Promise<LinkBearer | null> {
  const bearer = await op.links.findBearer(op.hashSecret(token), 'invite', op.now())
  if (!bearer || (await op.read((db) => hasWayIn(db, bearer.userId)))) return null
  return bearer
}

type InvitationAnswer = Origin & { token: string; password: string }
type InvitationResult = { ok: true } | { ok: false; problem: 'link' | PasswordProblem }

/** Only holders of a link cause hashing; if several send it at the same time, one succeeds. */
export async function acceptInvitation(op: Op, input: InvitationAnswer): Promise<InvitationResult> {
  const holder = await openInvitation(op, input.token)
  if (!holder) return { ok: false, problem: 'link' }
  const owner = await passwordOwner(op, holder.userId)
  const problem = await newPasswordProblem(op, input.password, owner)
  if (problem) return { ok: false, problem }
  const hash = await hashPassword(input.password)
  return (await moveIn(op, input, hash)) ? { ok: true } : { ok: false, problem: 'link' }
}

async function moveIn(op: Op, { token, ip }: InvitationAnswer, hash: string): Promise<boolean> {
  try {
    return await op.write(async (tx, audit) => {
      const bearer = await takeLink(tx, op.hashSecret(token), 'invite', op.now())
      if (!bearer || (await hasWayIn(tx, bearer.userId))) return false
      // The reader of the mail owns the address; if the user has another address meanwhile, the
      // link is void.
      if (!(await confirmEmail(tx, bearer, op.now()))) return false
      await createPassword(tx, bearer.userId, hash, op.now())
      audit(ownEvent('invitation.accepted', { user: { id: bearer.userId } }, { ip }))
      return true
    })
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}
