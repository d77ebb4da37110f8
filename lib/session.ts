import { cookies, headers } from 'next/headers'
import { decode, encode, type JWT } from 'next-auth/jwt'
import { SESSION_IDLE_MS, type StartedSession } from './accounts/new-session'
import { callerAddress } from './host/caller'
import { requestContext } from './host/request-context'
import { type Op, op } from './op'
import { endSession, type Session } from './store/sessions'

export type { StartedSession } from './accounts/new-session'
export type { Session } from './store/sessions'

/**
 * The portal's own session: a row of ours, whose secret next-auth carries in its encrypted cookie.
 * Every page, handler and action asks here and nowhere else who is signed in.
 */

export async function currentSession(): Promise<Session | null> {
  const house = await op()
  const secret = await readCookie(house)
  if (!secret) return null
  const now = house.now()
  const session = await house.sessions.find(house.hashSecret(secret), now)
  if (session)
    await house.sessions.touch(session.id, now, new Date(now.getTime() + SESSION_IDLE_MS))
  return session
}

/** Only in a server action or route handler, where cookies can be set. */
export async function beginSession(started: StartedSession): Promise<void> {
  const house = await op()
  const maxAge = Math.floor((started.expiresAt.getTime() - house.now().getTime()) / 1000)
  const token = await encode({ token: { secret: started.secret }, secret: keyOf(house), maxAge })
  const jar = await cookies()
  jar.set(sessionCookieName(house), token, { ...cookieOptions(house), expires: started.expiresAt })
}

export async function endCurrentSession(): Promise<void> {
  const house = await op()
  const session = await currentSession()
  if (session) {
    await house.write(async (tx, audit) => {
      await endSession(tx, session.id, house.now())
      audit({
        event: 'logout',
        result: 'success',
        actorKind: 'user',
        actorId: session.user.id,
        detail: {},
      })
    })
  }
  const jar = await cookies()
  jar.set(sessionCookieName(house), '', { ...cookieOptions(house), maxAge: 0 })
}

/** Where the request came from, as far as that can be trusted. */
export async function requestOrigin(): Promise<{ ip: string | null; userAgent: string }> {
  const house = await op()
  const sent = await headers()
  const context = requestContext().getStore()
  const forwardedFor = sent.get('x-forwarded-for')
  const ip = context ? context.ip : callerAddress(forwardedFor, null, house.config.trustedProxies)
  return { ip, userAgent: sent.get('user-agent') ?? '' }
}

/** `__Host-` pins the cookie to this host and to https; browsers refuse it on plain http. */
export function sessionCookieName({ config }: Op): string {
  return isSecure(config) ? '__Host-gatehouse.session' : 'gatehouse.session'
}

export function cookieOptions({ config }: Op) {
  return { httpOnly: true, secure: isSecure(config), sameSite: 'lax', path: '/' } as const
}

function isSecure({ origin }: Op['config']): boolean {
  return origin.startsWith('https:')
}

/** Tampered, foreign or malformed is nobody, never an error (M11). */
async function readCookie(house: Op): Promise<string | null> {
  const jar = await cookies()
  const token = jar.get(sessionCookieName(house))?.value
  if (!token) return null
  const decoded: JWT | null = await decode({ token, secret: keyOf(house) }).catch(() => null)
  return typeof decoded?.secret === 'string' ? decoded.secret : null
}

function keyOf({ cookieKey }: Op): string {
  return cookieKey.toString('base64url')
}
