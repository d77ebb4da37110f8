import { randomInt } from 'node:crypto'
import type { Op, Transaction } from '../context/op'
import { orderNotice } from '../delivery/mail/notices'
import {
  countRecoveryCodes,
  replaceRecoveryCodes,
  spendRecoveryCode,
} from '../store/accounts/recovery-codes'
import type { Session } from '../store/accounts/sessions'
import { listTotpsOf } from '../store/accounts/totp'
import { type Origin, ownEvent } from './audit-event'
import type { StartedSession } from './new-session'
import { rotateSession } from './rotate-session'

/** Ten codes for users who lost their phone: shown once, stored as hashes, each valid once. */

export const RECOVERY_CODES = 10
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789' // none that looks like another
const GROUPS = 3
const GROUP_LENGTH = 4

export function recoveryCodesLeft(op: Op, { user }: Session): Promise<number> {
  return op.read((db) => countRecoveryCodes(db, user.id))
}

type NewCodes = { codes: string[]; started: StartedSession }

/** Null without an authenticator app: there would be nothing to recover. */
export async function newRecoveryCodes(
  op: Op,
  session: Session,
  origin: Origin,
): Promise<NewCodes | null> {
  const userId = session.user.id
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  const hashes = codes.map((code) => hashOf(op, userId, code))
  return op.write(async (tx, audit) => {
    if ((await listTotpsOf(tx, userId)).length === 0) return null
    await replaceRecoveryCodes(tx, userId, hashes, op.now())
    audit(ownEvent('recovery_codes.replaced', session, origin))
    await orderNotice(op, tx, userId, { notice: 'recovery_codes_made' }, origin)
    return { codes, started: await rotateSession(op, tx, session) }
  })
}

/** Uses the code: true for exactly one caller; the user gets a notice. */
export async function spendRecovery(
  op: Op,
  tx: Transaction,
  userId: string,
  typed: string,
  origin: Origin,
): Promise<boolean> {
  if (!(await spendRecoveryCode(tx, userId, hashOf(op, userId, typed), op.now()))) return false
  await orderNotice(op, tx, userId, { notice: 'recovery_code_used' }, origin)
  return true
}

function newCode(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, newLetter).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

function newLetter(): string {
  return LETTERS.charAt(randomInt(LETTERS.length))
}

/** Hyphens, spaces and capitals do not matter. The hash is bound to the user. */
function hashOf(op: Op, userId: string, code: string): string {
  const plain = code
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
  return op.hashSecret(`recovery ${userId} ${plain}`)
}
