import { cleanText } from '../base/plain-text'
import type { Op } from '../context/op'
import { unseal } from '../crypto/seal'
import { orderNotice } from '../delivery/mail/notices'
import { countTry, type SlowDown, takeBackTry, tries } from '../limits/tries'
import { replaceRecoveryCodes } from '../store/accounts/recovery-codes'
import type { Session } from '../store/accounts/sessions'
import {
  dropOpenEnrolments,
  findOpenEnrolment,
  type ListedTotp,
  listTotpsOf,
  removeTotp,
  renameTotp,
} from '../store/accounts/totp'
import { distrustAllOf } from '../store/accounts/trusted-devices'
import { type Origin, ownEvent } from './audit-event'
import type { StartedSession } from './new-session'
import { rotateSession } from './rotate-session'
import { confirmEnrolment, type Enrolment, enrolmentUri, enrolTotp } from './totp'

/** A user's own authenticator apps: begin, confirm with a code, remove. */

const ENROLMENT_MS = 15 * 60 * 1000
const MAX = 10
const MAX_NAME_LENGTH = 60

export type Authenticator = ListedTotp

export function listAuthenticators(op: Op, { user }: Session): Promise<Authenticator[]> {
  return op.read((db) => listTotpsOf(db, user.id))
}

/** Null if there are too many. An earlier attempt that was not finished is deleted. */
export async function beginEnrolment(op: Op, { user }: Session): Promise<string | null> {
  return op.write(async (tx) => {
    await dropOpenEnrolments(tx, user.id)
    if ((await listTotpsOf(tx, user.id)).length >= MAX) return null
    return (await enrolTotp(op, tx, user, '')).id
  })
}

/** What the page shows until the app is confirmed, for a quarter of an hour. */
export async function openEnrolment(
  op: Op,
  { user }: Session,
  id: string,
): Promise<Enrolment | null> {
  const begunAfter = new Date(op.now().getTime() - ENROLMENT_MS)
  const found = await op.read((db) => findOpenEnrolment(db, user.id, id, begunAfter))
  if (!found) return null
  const secret = unseal(op.factorKey, found.id, found.secretEncrypted)
  return { id: found.id, secret, uri: enrolmentUri(user, secret) }
}

type EnrolmentResult =
  | { ok: true; started: StartedSession; first: boolean }
  | { ok: false; problem: 'expired' | 'wrong' }
  | SlowDown

export async function finishEnrolment(
  op: Op,
  session: Session,
  typed: { id: string; name: string; code: string },
  origin: Origin,
): Promise<EnrolmentResult> {
  const { user } = session
  const enrolment = await openEnrolment(op, session, typed.id)
  if (!enrolment) return { ok: false, problem: 'expired' }
  const slowDown = await countTry(op, tries.enrolment, user.id)
  if (slowDown) return slowDown
  const code = typed.code.replaceAll(/\s/g, '')
  const done = await op.write(async (tx, audit) => {
    const before = await listTotpsOf(tx, user.id)
    if (!(await confirmEnrolment(op, tx, enrolment, code))) return null
    const name = cleanText(typed.name).slice(0, MAX_NAME_LENGTH)
    await renameTotp(tx, user.id, enrolment.id, name)
    audit(ownEvent('factor.added', session, origin, { detail: { method: 'totp', name } }))
    await orderNotice(op, tx, user.id, { notice: 'factor_added', factor: 'totp' }, origin)
    const started = await rotateSession(op, tx, session, { factorsProvenAt: op.now() })
    return { started, first: before.length === 0 }
  })
  if (!done) return { ok: false, problem: 'wrong' }
  await takeBackTry(op, tries.enrolment, user.id)
  return { ok: true, ...done }
}

/** Null if the user has no such app. Recovery codes are deleted with the last one. */
export async function removeAuthenticator(
  op: Op,
  session: Session,
  id: string,
  origin: Origin,
): Promise<StartedSession | null> {
  const userId = session.user.id
  return op.write(async (tx, audit) => {
    if (!(await removeTotp(tx, userId, id))) return null
    const last = (await listTotpsOf(tx, userId)).length === 0
    if (last) await replaceRecoveryCodes(tx, userId, [], op.now())
    if (last) await distrustAllOf(tx, userId)
    audit(ownEvent('factor.removed', session, origin, { detail: { method: 'totp', last } }))
    await orderNotice(op, tx, userId, { notice: 'factor_removed', factor: 'totp' }, origin)
    return rotateSession(op, tx, session)
  })
}
