import { cleanText } from '../base/plain-text'
import type { Op, Transaction } from '../context/op'
import { orderNotice } from '../delivery/mail/notices'
import {
  createPasskey,
  type ListedPasskey,
  listPasskeysOf,
  removePasskey,
  renamePasskey,
} from '../store/accounts/passkeys'
import type { Session } from '../store/accounts/sessions'
import { hasWayIn, lockUserRow } from '../store/accounts/sign-in-methods'
import { isUniqueViolation } from '../store/database/unique'
import { type Origin, ownEvent } from './audit-event'
import type { StartedSession } from './new-session'
import { type NewKey, readNewKey } from './passkeys'
import { rotateSession } from './rotate-session'

/** A user's own passkeys: add, name, remove. */

const MAX = 20
const MAX_NAME_LENGTH = 60
const PASSKEY = { factor: 'passkey' } as const

export type OwnPasskey = ListedPasskey

export function listOwnPasskeys(op: Op, { user }: Session): Promise<OwnPasskey[]> {
  return op.read((db) => listPasskeysOf(db, user.id))
}

type PasskeyResult =
  | { ok: true; started: StartedSession }
  | { ok: false; problem: 'unreadable' | 'known' | 'too_many' }

export async function addPasskey(
  op: Op,
  session: Session,
  sent: { response: string; name: string },
  origin: Origin,
): Promise<PasskeyResult> {
  const key = await readNewKey(op, session.user.id, sent.response)
  if (!key) return { ok: false, problem: 'unreadable' }
  try {
    return await op.write(async (tx, audit) => {
      if ((await listPasskeysOf(tx, session.user.id)).length >= MAX) return refused('too_many')
      if (!(await key.use(tx))) return refused('unreadable')
      const name = cleanText(sent.name).slice(0, MAX_NAME_LENGTH) || keeperOf(key)
      await keep(op, tx, session, key, name)
      audit(ownEvent('factor.added', session, origin, { detail: { method: 'passkey', name } }))
      await orderNotice(op, tx, session.user.id, { notice: 'factor_added', ...PASSKEY }, origin)
      const started = await rotateSession(op, tx, session, { factorsProvenAt: op.now() })
      return { ok: true, started }
    })
  } catch (error) {
    if (isUniqueViolation(error)) return refused('known')
    throw error
  }
}

function refused(problem: 'unreadable' | 'known' | 'too_many'): PasskeyResult {
  return { ok: false, problem }
}

function keep(op: Op, tx: Transaction, { user }: Session, key: NewKey, name: string) {
  const { use: _, ...passkey } = key
  return createPasskey(tx, { ...passkey, userId: user.id, name }, op.now())
}

/** False if the user has no such passkey. */
export async function nameOwnPasskey(
  op: Op,
  session: Session,
  id: string,
  name: string,
): Promise<boolean> {
  const clean = cleanText(name).slice(0, MAX_NAME_LENGTH)
  return op.write((tx) => renamePasskey(tx, session.user.id, id, clean))
}

type Removed =
  | { ok: true; started: StartedSession }
  | { ok: false; problem: 'gone' | 'last_way_in' }

export async function removeOwnPasskey(
  op: Op,
  session: Session,
  id: string,
  origin: Origin,
): Promise<Removed> {
  const userId = session.user.id
  return op.write(async (tx, audit) => {
    await lockUserRow(tx, userId)
    if (!(await hasWayIn(tx, userId, { passkey: id }))) {
      return { ok: false, problem: 'last_way_in' }
    }
    if (!(await removePasskey(tx, userId, id))) return { ok: false, problem: 'gone' }
    audit(ownEvent('factor.removed', session, origin, { detail: { method: 'passkey' } }))
    await orderNotice(op, tx, userId, { notice: 'factor_removed', ...PASSKEY }, origin)
    return { ok: true, started: await rotateSession(op, tx, session) }
  })
}

/**
 * The names of password managers and devices, by the identifier that their makers publish (AAGUID).
 */
const KEEPERS: Record<string, string> = {
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'Apple Passwords',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
}

export function keeperOf({ aaguid }: Pick<NewKey, 'aaguid'>): string {
  return KEEPERS[aaguid] ?? ''
}
