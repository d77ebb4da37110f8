import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { Origin } from './accounts/audit-event'
import { isConfirmed } from './accounts/confirm'
import type { StartedSession } from './accounts/new-session'
import { callerAddress } from './host/caller'
import { requestContext } from './host/request-context'
import { currentLocale, currentPath } from './locale'
import { type Op, op } from './op'
import { cookieOptions, sealSession, sessionCookieName } from './session-cookie'
import type { LeavingSession, Session } from './store/sessions'

export type { StartedSession } from './accounts/new-session'
export type { LeavingSession, Session } from './store/sessions'

/**
 * The portal's own session: a row of ours, whose secret next-auth carries in its encrypted cookie.
 * Every page, handler and action asks here and nowhere else who is signed in.
 */

export async function currentSession(): Promise<Session | null> {
  const house = await op()
  const sent = await headers()
  const cookie = (await cookies()).get(sessionCookieName(house))?.value
  // A page drawn in answer to an action that set a new cookie: the request still shows the old one.
  if (cookie && !sent.get('cookie')?.includes(cookie)) return sessionWith(house, cookie)
  return house.sessionOf({ headers: sent })
}

function sessionWith(house: Op, cookie: string): Promise<Session | null> {
  const pair = `${sessionCookieName(house)}=${cookie}`
  return house.sessionOf({ headers: { get: (name) => (name === 'cookie' ? pair : null) } })
}

/** For pages and actions that are somebody's: everybody else is asked to sign in first. */
export async function requireUser(): Promise<Session> {
  const session = await currentSession()
  if (!session) redirect(`/login?returnTo=${encodeURIComponent(await currentPath())}`)
  return session
}

/** Somebody who signed in to an account that waits for its deletion: they may keep it. */
export async function leavingSession(): Promise<LeavingSession | null> {
  return (await op()).leavingSessionOf({ headers: await headers() })
}

/** Before anything that could lock somebody out: who are you, if not asked in the last minutes? */
export async function requireConfirmed(): Promise<Session> {
  const session = await requireUser()
  const { now } = await op()
  if (!isConfirmed(session, now())) {
    redirect(`/account/confirm?returnTo=${encodeURIComponent(await currentPath())}`)
  }
  return session
}

/** Only in a server action or route handler, where cookies can be set. */
export async function beginSession(started: StartedSession): Promise<void> {
  const house = await op()
  const maxAge = Math.floor((started.expiresAt.getTime() - house.now().getTime()) / 1000)
  const value = await sealSession(house, started.secret, maxAge)
  const jar = await cookies()
  jar.set(sessionCookieName(house), value, { ...cookieOptions(house), expires: started.expiresAt })
}

export async function endCurrentSession(): Promise<void> {
  const house = await op()
  const session = (await currentSession()) ?? (await leavingSession())
  if (session) await house.endSession(session, await requestOrigin())
  const jar = await cookies()
  jar.set(sessionCookieName(house), '', { ...cookieOptions(house), maxAge: 0 })
}

/** Where the request came from, as far as that can be trusted. */
export async function requestOrigin(): Promise<Required<Origin>> {
  const house = await op()
  const sent = await headers()
  const context = requestContext().getStore()
  const forwardedFor = sent.get('x-forwarded-for')
  const ip = context ? context.ip : callerAddress(forwardedFor, null, house.config.trustedProxies)
  return { ip, userAgent: sent.get('user-agent') ?? '', locale: await currentLocale() }
}
