import { satisfies } from '../access/acr'
import type { Op, Transaction } from '../context/op'
import { newId, newSecret } from '../crypto/secrets'
import type { Locale } from '../i18n'
import { sessionTimes } from '../settings/session-times'
import { createSession, renewSession, type Session } from '../store/accounts/sessions'
import { tellOfNewDevice } from './new-device'

const MAX_USER_AGENT_LENGTH = 300

export type StartedSession = { id: string; userId: string; secret: string; expiresAt: Date }

/** Where a user signs in, and the sessions that the browser holds already. */
export type SignInFrom = {
  ip: string | null
  userAgent: string
  /** The language of the user. */
  locale?: Locale
  held?: readonly Session[]
  /** Tokens that prove that the browser is a trusted device. */
  deviceTokens?: readonly string[]
  /** Users who were signed in at this browser before, as its cookie proves. */
  knownUsers?: readonly string[]
}

type Login = SignInFrom & {
  userId: string
  acr: string
  amr: string[]
  /** When they proved who they are, if not just now; null if unknown. */
  provenAt?: Date | null
  /** When they used a second factor or a passkey, if not with this proof. */
  factorAt?: Date | null
  /** When they used a recovery code. */
  factorsProvenAt?: Date | null
}

/**
 * Every sign-in creates a new secret, whatever the browser held before (attack M9). A user who
 * signs in again keeps the session ID that applications know, with the new secret.
 */
export async function startSession(
  op: Op,
  tx: Transaction,
  { held = [], deviceTokens: _, knownUsers: __, locale, ...login }: Login,
): Promise<StartedSession> {
  const now = op.now()
  const secret = newSecret('ghss')
  const { idleMs, longestMs } = sessionTimes(op.settings.known())
  const expiresAt = new Date(now.getTime() + longestMs)
  const newDevice = await tellOfNewDevice(op, tx, { ...login, ...(locale && { locale }) })
  const provenAt = login.provenAt === undefined ? now : login.provenAt
  const factorAt = satisfies(login.acr, 'mfa') ? provenAt : null
  const session = {
    ...login,
    provenAt,
    factorAt: login.factorAt === undefined ? factorAt : login.factorAt,
    factorsProvenAt: login.factorsProvenAt ?? null,
    userAgent: login.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    secretHash: op.hashSecret(secret),
    newDevice,
    now,
    idleExpiresAt: new Date(now.getTime() + idleMs),
    expiresAt,
  }
  const own = held.find(({ user }) => user.id === login.userId)
  if (own && (await renewSession(tx, { ...session, id: own.id }))) {
    return { id: own.id, userId: login.userId, secret, expiresAt }
  }
  const id = newId('ses')
  await createSession(tx, { ...session, id })
  return { id, userId: login.userId, secret, expiresAt }
}
