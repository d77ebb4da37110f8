import type { Op, Transaction } from '../context/op'
import { LINK_MS } from '../delivery/mail/link-times'
import { sendsMail } from '../delivery/mail/mode'
import { orderMail } from '../delivery/mail/order'
import { newLink } from '../delivery/mail/write'
import type { Locale } from '../i18n'
import { closeLinks, type LinkBearer, takeLink } from '../store/accounts/links'
import { hasWayIn, lockUserRow } from '../store/accounts/sign-in-methods'
import { hasTotp } from '../store/accounts/totp'
import { confirmEmail } from '../store/accounts/users'
import { isUniqueViolation } from '../store/database/unique'
import { ownEvent } from './audit-event'
import { signedIn } from './first-factor'
import { type FirstProof, firstProofFrom, keepFirstProof, provenBy } from './first-way-in'
import { type SignInFrom, type StartedSession, startSession } from './new-session'
import { type PasswordProblem, passwordOwner } from './passwords'

/**
 * The link to an account that somebody else created: by mail, valid once and for a week, and only
 * while the user cannot sign in otherwise (attack M25).
 */

/** `owesFactor`: they have an authenticator app, which a link does not replace (attack M7). */
export type Invited = LinkBearer & { owesFactor: boolean }
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
  const { userId, invitedBy = null } = bearer
  await orderMail(op, tx, { letter: 'invitation', userId, locale, invitedBy })
  const link = { purpose: 'invite', path: '/invite' } as const
  return {
    expiresAt: new Date(now.getTime() + LINK_MS.invite),
    mailed: sendsMail(op),
    link: returnLink ? await newLink(op, tx, bearer, link) : null,
  }
}

/** Only looks; null if the invitation no longer works. */
export async function openInvitation(op: Op, token: string): Promise<Invited | null> {
  const bearer = await op.links.findBearer(op.hashSecret(token), 'invite', op.now())
  if (!bearer || (await op.read((db) => hasWayIn(db, bearer.userId)))) return null
  return { ...bearer, owesFactor: await op.totps.anyConfirmed(bearer.userId) }
}

type InvitationAnswer = { token: string } & ({ password: string } | { passkey: string })
type InvitationResult =
  /** `started` is null for somebody who has to sign in with their second factor. */
  | { ok: true; method: FirstProof['method']; started: StartedSession | null }
  | { ok: false; problem: 'link' | 'passkey' | PasswordProblem }

/** Only holders of a link cause hashing; if several send it at the same time, one succeeds. */
export async function acceptInvitation(
  op: Op,
  input: InvitationAnswer,
  from: SignInFrom,
): Promise<InvitationResult> {
  const holder = await openInvitation(op, input.token)
  if (!holder) return { ok: false, problem: 'link' }
  const { userId, owesFactor } = holder
  if (owesFactor && 'passkey' in input) return { ok: false, problem: 'passkey' }
  const owner = await passwordOwner(op, userId)
  const wayIn = 'passkey' in input ? { passkey: { userId, response: input.passkey } } : input
  const proof = await firstProofFrom(op, wayIn, owner)
  if ('problem' in proof) return { ok: false, problem: proof.problem }
  const moved = await moveIn(op, input.token, proof, from)
  if (!moved) return { ok: false, problem: 'link' }
  if (moved.started) op.meter.login('success')
  return { ok: true, method: proof.method, ...moved }
}

/** Whoever has just chosen how to sign in has signed in with it, unless they owe a second factor. */
async function moveIn(
  op: Op,
  token: string,
  proof: FirstProof,
  from: SignInFrom,
): Promise<{ started: StartedSession | null } | null> {
  try {
    return await op.write(async (tx, audit) => {
      if (proof.method === 'passkey' && !(await proof.key.use(tx))) return null
      const bearer = await takeLink(tx, op.hashSecret(token), 'invite', op.now())
      if (!bearer) return null
      // The mail and the answer of the API have a link each: of two at once, the second waits here.
      await lockUserRow(tx, bearer.userId)
      if (await hasWayIn(tx, bearer.userId)) return null
      // The reader of the mail owns the address; if the user has another address meanwhile, the
      // link is void.
      if (!(await confirmEmail(tx, bearer, op.now()))) return null
      const { userId } = bearer
      await keepFirstProof(op, tx, userId, proof)
      const { method } = proof
      const user = { user: { id: userId } }
      audit(ownEvent('invitation.accepted', user, from, { detail: { method } }))
      if (await hasTotp(tx, userId)) return { started: null }
      audit(signedIn(userId, { method }, from))
      return { started: await startSession(op, tx, { ...from, userId, ...provenBy(proof) }) }
    })
  } catch (error) {
    if (isUniqueViolation(error)) return null
    throw error
  }
}
