import { newId, newSecret } from '../crypto/secrets'
import type { Locale } from '../i18n'
import type { Op } from '../op'
import type { Transaction } from '../store/database'
import { createSession } from '../store/sessions'
import { tellOfNewDevice } from './new-device'
import { SESSION_IDLE_MS, SESSION_MS } from './session-times'

const LONGEST_USER_AGENT = 300

export type StartedSession = { id: string; secret: string; expiresAt: Date }
export type Login = {
  userId: string
  acr: string
  amr: string[]
  ip: string | null
  userAgent: string
  locale?: Locale
}

/** A new id and a new secret at every sign-in, whatever the browser held before (M9). */
export async function startSession(
  op: Op,
  tx: Transaction,
  { locale, ...login }: Login,
): Promise<StartedSession> {
  const now = op.now()
  const secret = newSecret('ghss')
  const id = newId('ses')
  const expiresAt = new Date(now.getTime() + SESSION_MS)
  await tellOfNewDevice(op, tx, { ...login, ...(locale && { locale }) })
  await createSession(tx, {
    ...login,
    id,
    userAgent: login.userAgent.slice(0, LONGEST_USER_AGENT),
    secretHash: op.hashSecret(secret),
    now,
    idleExpiresAt: new Date(now.getTime() + SESSION_IDLE_MS),
    expiresAt,
  })
  return { id, secret, expiresAt }
}
