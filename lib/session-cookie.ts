import { decode, encode, type JWT } from 'next-auth/jwt'

/** next-auth's encrypted cookie, and the secret of a session inside it. */

export type CookieSettings = { origin: string; cookieKey: Buffer }

/** `__Host-` pins the cookie to this host and to https; browsers refuse it on plain http. */
export function sessionCookieName({ origin }: CookieSettings): string {
  return isSecure(origin) ? '__Host-gatehouse.session' : 'gatehouse.session'
}

export function cookieOptions({ origin }: CookieSettings) {
  return { httpOnly: true, secure: isSecure(origin), sameSite: 'lax', path: '/' } as const
}

/** The Set-Cookie that makes a browser forget it, with the attributes it was set with (L9). */
export function clearedSession(settings: CookieSettings): string {
  const secure = isSecure(settings.origin) ? '; Secure' : ''
  return `${sessionCookieName(settings)}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${secure}`
}

export function isSecure(origin: string): boolean {
  return origin.startsWith('https:')
}

export function sealSession(
  settings: CookieSettings,
  secret: string,
  maxAge: number,
): Promise<string> {
  return encode({ token: { secret }, secret: keyOf(settings), maxAge })
}

/** Tampered, foreign or malformed is nobody, never an error (M11). */
export async function openSession(
  settings: CookieSettings,
  cookie: string,
): Promise<string | null> {
  const decoded: JWT | null = await decode({ token: cookie, secret: keyOf(settings) }).catch(
    () => null,
  )
  return typeof decoded?.secret === 'string' ? decoded.secret : null
}

function keyOf({ cookieKey }: CookieSettings): string {
  return cookieKey.toString('base64url')
}
