import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { lacksAdminFactor, SET_UP_FACTOR, wayToFactor } from '../accounts/admin-factor'
import type { Origin } from '../accounts/audit-event'
import { hasProvenFactors, isConfirmed } from '../accounts/confirm'
import { giveUsername } from '../accounts/give-username'
import type { SignInFrom, StartedSession } from '../accounts/new-session'
import { cookieOptions, sealSession, sessionCookieName } from '../accounts/session-cookie'
import { callerAddress } from '../base/caller'
import { requestContext } from '../base/request-context'
import type { HeldSecrets, HeldSession, Op } from '../context/op'
import { op } from '../op'
import { sessionTimes } from '../settings/session-times'
import type { LeavingSession, Session } from '../store/accounts/sessions'
import { deviceTokens, keepKnownUser, knownUsers } from './browser-memory'
import { currentPath, readerLocale } from './locale'

export type { Session } from '../store/accounts/sessions'

/**
 * The portal's own session: a row in the database whose secret next-auth carries in its encrypted
 * cookie. Every page, handler and action asks only here who is signed in.
 */

/** Read once for a page; an action reads it anew each time, because it may have changed it. */
export const currentSession = cache(async (): Promise<Session | null> => {
  const portal = await op()
  return portal.sessionOf(await carrying(portal))
})

/** Other accounts that are signed in at this browser. */
export async function otherSessions(): Promise<HeldSession[]> {
  const portal = await op()
  return portal.otherSessionsOf(await carrying(portal))
}

/** While an action that set a new cookie is answered, the request still shows the old one. */
async function carrying(portal: Op) {
  const sent = await headers()
  const cookie = (await cookies()).get(sessionCookieName(portal))?.value
  if (!cookie || sent.get('cookie')?.includes(cookie)) return { headers: sent }
  const pair = `${sessionCookieName(portal)}=${cookie}`
  return { headers: { get: (name: string) => (name === 'cookie' ? pair : null) } }
}

/** For pages and actions of a signed-in user: a visitor is asked to sign in first. */
export async function requireUser(): Promise<Session> {
  const session = await currentSession()
  if (!session) redirect(`/login?returnTo=${encodeURIComponent(await currentPath())}`)
  return session
}

/** A user whose account is about to be deleted: they may keep it. */
export async function leavingSession(): Promise<LeavingSession | null> {
  const portal = await op()
  return portal.leavingSessionOf(await carrying(portal))
}

/** Before sensitive changes: the user must have confirmed their identity in the last minutes. */
export async function requireConfirmed(): Promise<Session> {
  const session = await requireUser()
  await requireOwnFactor(session)
  if (!(await isConfirmedNow(session))) redirect(await wayToConfirm())
  return session
}

export async function isConfirmedNow(session: Session): Promise<boolean> {
  const { now, settings } = await op()
  const { confirmMinutes } = (await settings.current()).security
  return isConfirmed(session, now(), confirmMinutes)
}

/** The page that asks for confirmation and returns here. */
export async function wayToConfirm(): Promise<string> {
  return `/account/confirm?returnTo=${encodeURIComponent(await currentPath())}`
}

/**
 * If admins need a second factor, an admin who has one must prove it before they change how their
 * account is protected. Otherwise somebody who knows the password could add a factor of their own.
 */
export async function requireOwnFactor({ user, acr }: Session): Promise<void> {
  const portal = await op()
  if (!(await lacksAdminFactor(portal, user, acr))) return
  const way = await wayToFactor(portal, user, await currentPath())
  if (!way.startsWith(SET_UP_FACTOR)) redirect(way)
}

/**
 * Before a factor is added or removed. Whoever has one proves it: a password could add a factor
 * that counts at once. A recovery code is enough, for those who lost their phone.
 */
export async function requireConfirmedByFactor(): Promise<Session> {
  await requireProvenFactors(await requireUser())
  return requireConfirmed()
}

export async function requireProvenFactors(session: Session): Promise<void> {
  if (await mayChangeFactors(session)) return
  redirect(await wayToFactor(await op(), session.user, await currentPath()))
}

export async function mayChangeFactors(session: Session): Promise<boolean> {
  const portal = await op()
  if ((await portal.strongestFactor(session.user.id)) === null) return true
  const { confirmMinutes } = (await portal.settings.current()).security
  return hasProvenFactors(session, portal.now(), confirmMinutes)
}

const MAX_OTHERS = 4

/**
 * Makes this session the active one; the previous account stays signed in. Only in a server action
 * or route handler, where cookies can be set.
 */
export async function beginSession(started: StartedSession): Promise<void> {
  const others = (await heldSessions()).filter(({ user }) => user.id !== started.userId)
  await hold({ active: started.secret, others: secretsOf(others).slice(0, MAX_OTHERS) })
  await giveUsername(await op(), started.userId)
  // Known users matter only where callers cannot be distinguished by their address.
  if ((await requestOrigin()).ip === null) await keepKnownUser(started.userId)
}

/** False if this browser has no such session. */
export async function switchTo(sessionId: string): Promise<boolean> {
  const held = await heldSessions()
  const chosen = held.find(({ id }) => id === sessionId)
  if (!chosen) return false
  await hold({ active: chosen.secret, others: secretsOf(held.filter((one) => one !== chosen)) })
  return true
}

/** Signs one account out of this browser; by default the active one. */
export async function endSessionHere(sessionId?: string): Promise<void> {
  const portal = await op()
  const active = await currentSession()
  const name = sessionId ?? active?.id
  const held = await heldSessions()
  const ended = held.find(({ id }) => id === name)
  const over = ended ?? (await leavingSession())
  if (over) await portal.endSession(over, { ...(await requestOrigin()), headers: await headers() })
  const kept = held.filter((one) => one !== ended)
  const [acting] = secretsOf(kept.filter(({ id }) => id === active?.id))
  const others = secretsOf(kept.filter(({ id }) => id !== active?.id))
  await hold({ active: acting ?? null, others })
}

/** Signs out every account of this browser. */
export async function endAllSessionsHere(): Promise<void> {
  const portal = await op()
  const origin = { ...(await requestOrigin()), headers: await headers() }
  for (const session of await heldSessions()) await portal.endSession(session, origin)
  await hold({ active: null, others: [] })
}

/** The active one first. */
export async function heldSessions(): Promise<HeldSession[]> {
  const active = await currentSession()
  const secret = await activeSecret()
  const first = active && secret !== null ? [{ ...active, secret }] : []
  return [...first, ...(await otherSessions())]
}

async function activeSecret(): Promise<string | null> {
  const portal = await op()
  return (await portal.heldBy(await carrying(portal))).active
}

function secretsOf(sessions: readonly HeldSession[]): string[] {
  return sessions.map(({ secret }) => secret)
}

async function hold(held: HeldSecrets): Promise<void> {
  const portal = await op()
  const jar = await cookies()
  const nobody = held.active === null && held.others.length === 0
  const { longestMs } = sessionTimes(await portal.settings.current())
  const maxAge = nobody ? 0 : longestMs / 1000
  const value = nobody ? '' : await sealSession(portal, held, maxAge)
  jar.set(sessionCookieName(portal), value, { ...cookieOptions(portal), maxAge })
}

/** The origin of a sign-in. */
export async function signInFrom(): Promise<SignInFrom> {
  return {
    ...(await requestOrigin()),
    held: await heldSessions(),
    deviceTokens: await deviceTokens(),
    knownUsers: await knownUsers(),
  }
}

/** Where the request came from, as far as it can be trusted. */
export async function requestOrigin(): Promise<Required<Origin>> {
  const portal = await op()
  const sent = await headers()
  const context = requestContext().getStore()
  const forwardedFor = sent.get('x-forwarded-for')
  const ip = context ? context.ip : callerAddress(forwardedFor, null, portal.config.trustedProxies)
  return { ip, userAgent: sent.get('user-agent') ?? '', locale: await readerLocale() }
}
