import { cookies } from 'next/headers'
import { z } from 'zod'
import { TRUSTED_MS } from '../accounts/finish-sign-in'
import { WAITING_MS, type WaitingSignIn } from '../accounts/first-factor'
import { cookieOptions, ownCookieName } from '../accounts/session-cookie'
import { seal, unseal } from '../crypto/seal'
import { op } from '../op'

/** What a browser remembers besides its session. Only actions and route handlers can set it. */

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const MONTH_MS = 30 * 24 * 60 * 60 * 1000
const MAX_DEVICE_TOKENS = 5

async function read(name: string): Promise<string | null> {
  const portal = await op()
  return (await cookies()).get(ownCookieName(portal, name))?.value || null
}

async function keep(name: string, value: string, lifeMs: number): Promise<void> {
  const portal = await op()
  const options = { ...cookieOptions(portal), maxAge: lifeMs / 1000 }
  ;(await cookies()).set(ownCookieName(portal, name), value, options)
}

// ---------------------------------------------------------------- a sign-in between its two factors

const WAITING = 'waiting'
const waitingSchema = z.object({
  token: z.string(),
  method: z.enum(['password', 'passkey', 'upstream']),
})

export async function keepWaiting(waiting: WaitingSignIn): Promise<void> {
  const { cookieKey } = await op()
  await keep(WAITING, seal(cookieKey, WAITING, JSON.stringify(waiting)), WAITING_MS)
}

export async function waitingSignIn(): Promise<WaitingSignIn | null> {
  const cookie = await read(WAITING)
  const { cookieKey } = await op()
  if (cookie === null) return null
  try {
    return waitingSchema.parse(JSON.parse(unseal(cookieKey, WAITING, cookie)))
  } catch {
    return null // a modified cookie is ignored (attack M11)
  }
}

export async function forgetWaiting(): Promise<void> {
  await keep(WAITING, '', 0)
}

// ---------------------------------------------------------------- devices that are trusted

const DEVICE = 'device'

/** One for each account that trusts this browser. */
export async function deviceTokens(): Promise<string[]> {
  const cookie = await read(DEVICE)
  return cookie?.split('.').slice(0, MAX_DEVICE_TOKENS) ?? []
}

export async function keepDeviceToken(token: string): Promise<void> {
  const tokens = [token, ...(await deviceTokens())].slice(0, MAX_DEVICE_TOKENS)
  await keep(DEVICE, tokens.join('.'), TRUSTED_MS)
}

// ---------------------------------------------------------------- who has been in here before

const KNOWN = 'known'
const MAX_KNOWN = 5
const knownSchema = z.array(z.string())

/** Encrypted: otherwise any browser could claim to be a known one. */
export async function knownUsers(): Promise<string[]> {
  const cookie = await read(KNOWN)
  const { cookieKey } = await op()
  if (cookie === null) return []
  try {
    return knownSchema.parse(JSON.parse(unseal(cookieKey, KNOWN, cookie)))
  } catch {
    return []
  }
}

export async function keepKnownUser(userId: string): Promise<void> {
  const { cookieKey } = await op()
  const users = [...new Set([userId, ...(await knownUsers())])].slice(0, MAX_KNOWN)
  await keep(KNOWN, seal(cookieKey, KNOWN, JSON.stringify(users)), YEAR_MS)
}

// ---------------------------------------------------------------- how they signed in last time

const METHOD = 'method'

/** `password`, `passkey` or the ID of a provider. */
export function lastMethod(): Promise<string | null> {
  return read(METHOD)
}

export async function keepMethod(method: string): Promise<void> {
  await keep(METHOD, method, YEAR_MS)
}

// ---------------------------------------------------------------- no passkey, thank you

const NO_OFFER = 'no-passkey'

export async function wantsNoPasskeyOffer(): Promise<boolean> {
  return (await read(NO_OFFER)) !== null
}

export async function offerNoPasskey(until: 'later' | 'never'): Promise<void> {
  await keep(NO_OFFER, until, until === 'later' ? MONTH_MS : YEAR_MS)
}
