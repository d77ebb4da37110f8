import { hkdfSync } from 'node:crypto'
import { type JWTPayload, jwtDecrypt } from 'jose'
import { encode } from 'next-auth/jwt'
import type { HeldSecrets } from '../context/op'

/** next-auth's encrypted cookie, and the session secrets in it. */

type CookieSettings = { origin: string; cookieKey: Buffer }

export const NOBODY: HeldSecrets = { active: null, others: [] }

/** `__Host-` binds a cookie to this host and to https; browsers refuse it on plain http. */
export function ownCookieName({ origin }: Pick<CookieSettings, 'origin'>, name: string): string {
  return isSecure(origin) ? `__Host-gatehouse.${name}` : `gatehouse.${name}`
}

export function sessionCookieName(settings: Pick<CookieSettings, 'origin'>): string {
  return ownCookieName(settings, 'session')
}

export function cookieOptions({ origin }: Pick<CookieSettings, 'origin'>) {
  return { httpOnly: true, secure: isSecure(origin), sameSite: 'lax', path: '/' } as const
}

/** The Set-Cookie header that deletes a session cookie, with the same attributes (attack L9). */
function clearedSession(settings: CookieSettings): string {
  return cookieLine(settings, sessionCookieName(settings), '', 0)
}

/** The Set-Cookie header that stores these sessions in the browser. */
export async function heldSessions(
  settings: CookieSettings,
  held: HeldSecrets,
  maxAge: number,
): Promise<string> {
  if (held.active === null && held.others.length === 0) return clearedSession(settings)
  const sealed = await sealSession(settings, held, maxAge)
  return cookieLine(settings, sessionCookieName(settings), sealed, maxAge)
}

/** A Set-Cookie header. */
export function cookieLine(
  { origin }: Pick<CookieSettings, 'origin'>,
  name: string,
  value: string,
  maxAge: number,
): string {
  const secure = isSecure(origin) ? '; Secure' : ''
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}; Max-Age=${maxAge}`
}

export function isSecure(origin: string): boolean {
  return origin.startsWith('https:')
}

export function sealSession(
  settings: CookieSettings,
  { active, others }: HeldSecrets,
  maxAge: number,
): Promise<string> {
  const token = { ...(active !== null && { secret: active }), others: [...others] }
  return encode({ token, secret: keyOf(settings), maxAge })
}

/** A modified or malformed cookie means no session, never an error (attack M11). */
export async function openSession(settings: CookieSettings, cookie: string): Promise<HeldSecrets> {
  const decoded = await decrypted(settings, cookie).catch((): JWTPayload => ({}))
  const { secret, others } = decoded
  return {
    active: typeof secret === 'string' ? secret : null,
    others: Array.isArray(others) ? others.filter((one) => typeof one === 'string') : [],
  }
}

/** Like next-auth's own `decode`, but the key is derived once and not for every request. */
async function decrypted(settings: CookieSettings, cookie: string): Promise<JWTPayload> {
  const { payload } = await jwtDecrypt(cookie, await decryptionKey(settings), {
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
  })
  return payload
}

const CLOCK_TOLERANCE_SECONDS = 15
const KEY_BYTES = 32
const derived = new WeakMap<Buffer, Promise<CryptoKey>>()

function decryptionKey(settings: CookieSettings): Promise<CryptoKey> {
  const known = derived.get(settings.cookieKey)
  if (known) return known
  const info = 'NextAuth.js Generated Encryption Key'
  const bytes = hkdfSync('sha256', keyOf(settings), '', info, KEY_BYTES)
  const key = crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['decrypt'])
  derived.set(settings.cookieKey, key)
  return key
}

function keyOf({ cookieKey }: CookieSettings): string {
  return cookieKey.toString('base64url')
}
