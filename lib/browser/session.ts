import { cookies, headers } from 'next/headers'
import { forbidden, redirect } from 'next/navigation'
import { cache } from 'react'
import type { Impersonation } from '../access/impersonation'
import { lacksAdminFactor, SET_UP_FACTOR, wayToFactor } from '../accounts/admin-factor'
import type { Origin } from '../accounts/audit-event'
import { isImpersonation } from '../accounts/browser-sessions'
import { hasProvenFactors, isConfirmed } from '../accounts/confirm'
import type { FirstFactorResult } from '../accounts/first-factor'
import { endImpersonation } from '../accounts/impersonation'
import type { SignInFrom, StartedSession } from '../accounts/new-session'
import { cookieOptions, sessionCookieName } from '../accounts/session-cookie'
import { mayGoOn } from '../api/users/impersonations'
import { callerAddress } from '../base/caller'
import { METHOD_HEADER } from '../base/page-headers'
import { requestContext } from '../base/request-context'
import { isSafe } from '../base/same-origin'
import type { HeldSession, Op } from '../context/op'
import { op } from '../op'
import type { LeavingSession, Session } from '../store/accounts/sessions'
import {
  afterFirstFactor,
  beginSessionAt,
  heldSessionsOf,
  hold,
  MAX_OTHERS,
  originOf,
  secretsOf,
} from './after-sign-in'
import type { Browser } from './browser'
import { currentPath, readerLocale } from './locale'

export type { Session } from '../store/accounts/sessions'

/**
 * The portal's own session: a row in the database whose secret next-auth carries in its encrypted
 * cookie. Every page, handler and action asks only here who is signed in.
 */

/** Read once for a page; an action reads it anew each time, because it may have changed it. */
const openSession = cache(async (): Promise<Session | null> => {
  const portal = await op()
  const session = await portal.sessionOf(await carrying(portal))
  const impersonation = session?.impersonation
  if (!impersonation || (await mayGoOn(portal, { ...session, impersonation }))) return session
  await endImpersonated(session.id, impersonation.admin.id)
  return null
})

export async function currentSession(): Promise<Session | null> {
  const session = await openSession()
  if (session?.impersonation) await refuseChange()
  return session
}

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
  return { headers: { get: (name: string) => (name === 'cookie' ? pair : sent.get(name)) } }
}

/** The browser that Next.js answers. Its cookies can be set in an action or a route handler only. */
export async function thisBrowser(): Promise<Browser> {
  const portal = await op()
  const jar = await cookies()
  return {
    ...(await carrying(portal)),
    ip: await callerIp(portal),
    cookie: (name) => jar.get(name)?.value || null,
    setCookie: (name, value, maxAge) => jar.set(name, value, { ...cookieOptions(portal), maxAge }),
  }
}

async function callerIp({ config }: Op): Promise<string | null> {
  const context = requestContext().getStore()
  if (context) return context.ip
  return callerAddress((await headers()).get('x-forwarded-for'), null, config.trustedProxies)
}

/** For pages and actions of a signed-in user: a visitor is asked to sign in first. */
export async function requireUser(): Promise<Session> {
  const session = await currentSession()
  if (!session) redirect(`/login?returnTo=${encodeURIComponent(await currentPath())}`)
  return session
}

// ---------------------------------------------------------------- an admin in the account of a user

/** Who is in the account of somebody else at this browser; null for most. */
export async function impersonationHere(): Promise<(Impersonation & Pick<Session, 'user'>) | null> {
  const portal = await op()
  const { active: secret } = await portal.heldBy(await carrying(portal))
  if (secret === null || !isImpersonation(secret)) return null
  const session = await openSession()
  return session?.impersonation ? { ...session.impersonation, user: session.user } : null
}

/** Requests whose action an admin may take in the account of a user. */
const allowed = new WeakSet<object>()

/**
 * For the few actions that an admin may take in the account of somebody else, if the settings and
 * the admin say so. Everything else in there is refused when it asks who is signed in.
 */
export async function requireUserOrImpersonator(): Promise<Session> {
  const session = await openSession()
  if (session?.impersonation?.mode === 'full') allowed.add(await headers())
  return requireUser()
}

/** An action of Next.js is sent by POST; what it renders afterwards belongs to the same request. */
async function refuseChange(): Promise<void> {
  const sent = await headers()
  if (isChange(sent) && !allowed.has(sent)) refuse(sent)
}

/** What proves who somebody is, nobody proves for them. */
async function refuseImpersonated(): Promise<void> {
  if (await impersonationHere()) refuse(await headers())
}

type Sent = { get(name: string): string | null; has(name: string): boolean }

function isChange(sent: Sent): boolean {
  return sent.has('next-action') || !isSafe(sent.get(METHOD_HEADER) ?? 'POST')
}

/** 403. To a form without scripts Next.js would answer 404, so it is led to the page that says it. */
function refuse(sent: Sent): never {
  if (isChange(sent) && !sent.has('next-action')) redirect('/impersonated?refused=yes')
  forbidden()
}

/** The admin stays signed in behind it, and comes back to their own account with its end. */
export async function beginImpersonation(secret: string): Promise<void> {
  const held = await heldSessions()
  const others = secretsOf(held).slice(0, 1 + MAX_OTHERS)
  await hold(await op(), await thisBrowser(), { active: secret, others })
}

/** Where the admin goes on; null if nobody is in the account of somebody else here. */
export async function leaveImpersonation(): Promise<string | null> {
  const portal = await op()
  const { active, others } = await portal.heldBy(await carrying(portal))
  if (active === null || !isImpersonation(active)) return null
  const session = await portal.sessionOf(await carrying(portal))
  if (session?.impersonation) await endImpersonated(session.id, session.impersonation.admin.id)
  const [own = null, ...rest] = others
  await hold(portal, await thisBrowser(), { active: own, others: rest })
  const user = encodeURIComponent(session?.user.id ?? '')
  return session ? `/admin/users/${user}/impersonation?done=impersonationLeft` : '/'
}

async function endImpersonated(id: string, adminId: string): Promise<void> {
  const portal = await op()
  const { ip } = await requestOrigin()
  const by = { actorKind: 'user', actorId: adminId, ip } as const
  await portal.write((tx, audit) => endImpersonation(portal, tx, audit, { id }, by))
}

// ---------------------------------------------------------------- what needs more than a session

/** A user whose account is about to be deleted: they may keep it. */
export async function leavingSession(): Promise<LeavingSession | null> {
  const portal = await op()
  return portal.leavingSessionOf(await carrying(portal))
}

/** Before sensitive changes: the user must have confirmed their identity in the last minutes. */
export async function requireConfirmed(): Promise<Session> {
  await refuseImpersonated()
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
  await refuseImpersonated()
  if (await mayChangeFactors(session)) return
  redirect(await wayToFactor(await op(), session.user, await currentPath()))
}

export async function mayChangeFactors(session: Session): Promise<boolean> {
  const portal = await op()
  if ((await portal.strongestFactor(session.user.id)) === null) return true
  const { confirmMinutes } = (await portal.settings.current()).security
  return hasProvenFactors(session, portal.now(), confirmMinutes)
}

/**
 * Makes this session the active one; the previous account stays signed in. Only in a server action
 * or route handler, where cookies can be set.
 */
export async function beginSession(started: StartedSession): Promise<void> {
  await refuseImpersonated()
  return beginSessionAt(await op(), await thisBrowser(), started)
}

/** What follows the first factor: the next URL, or the page for the second factor. */
export async function afterSignIn(
  admission: FirstFactorResult,
  method: string,
  returnTo: string,
): Promise<string> {
  await refuseImpersonated()
  return afterFirstFactor(await op(), await thisBrowser(), admission, method, returnTo)
}

/** False if this browser has no such session. */
export async function switchTo(sessionId: string): Promise<boolean> {
  const held = await heldSessions()
  const chosen = held.find(({ id }) => id === sessionId)
  if (!chosen) return false
  const others = secretsOf(held.filter((one) => one !== chosen))
  await hold(await op(), await thisBrowser(), { active: chosen.secret, others })
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
  await hold(portal, await thisBrowser(), { active: acting ?? null, others })
}

/** Signs out every account of this browser. */
export async function endAllSessionsHere(): Promise<void> {
  const portal = await op()
  const origin = { ...(await requestOrigin()), headers: await headers() }
  for (const session of await heldSessions()) await portal.endSession(session, origin)
  await hold(portal, await thisBrowser(), { active: null, others: [] })
}

/** The active one first. */
export async function heldSessions(): Promise<HeldSession[]> {
  if (await impersonationHere()) await refuseChange()
  return heldSessionsOf(await op(), await thisBrowser())
}

/** The origin of a sign-in. */
export async function signInFrom(): Promise<SignInFrom> {
  if (await impersonationHere()) await refuseChange()
  return originOf(await op(), await thisBrowser(), await readerLocale())
}

/** Where the request came from, as far as it can be trusted. */
export async function requestOrigin(): Promise<Required<Origin>> {
  const userAgent = (await headers()).get('user-agent') ?? ''
  return { ip: await callerIp(await op()), userAgent, locale: await readerLocale() }
}
