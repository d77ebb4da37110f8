import { z } from 'zod'
import { WAITING_MS, type WaitingSignIn } from '../accounts/first-factor'
import { trustedMs } from '../accounts/own-devices'
import { ownCookieName } from '../accounts/session-cookie'
import type { Op } from '../context/op'
import { seal, unseal } from '../crypto/seal'
import type { Browser } from './browser'

/**
 * What a browser remembers besides its session. Only actions, route handlers and endpoints can set
 * it.
 */

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const MONTH_MS = 30 * 24 * 60 * 60 * 1000
const MAX_DEVICE_TOKENS = 5

function read(op: Op, browser: Browser, name: string): string | null {
  return browser.cookie(ownCookieName(op, name))
}

function keep(op: Op, browser: Browser, name: string, value: string, lifeMs: number): void {
  browser.setCookie(ownCookieName(op, name), value, lifeMs / 1000)
}

// ---------------------------------------------------------------- a sign-in between its two factors

const WAITING = 'waiting'
const waitingSchema = z.object({
  token: z.string(),
  method: z.enum(['password', 'passkey', 'upstream']),
})

export function keepWaiting(op: Op, browser: Browser, waiting: WaitingSignIn): void {
  keep(op, browser, WAITING, seal(op.cookieKey, WAITING, JSON.stringify(waiting)), WAITING_MS)
}

export function waitingSignIn(op: Op, browser: Browser): WaitingSignIn | null {
  const cookie = read(op, browser, WAITING)
  if (cookie === null) return null
  try {
    return waitingSchema.parse(JSON.parse(unseal(op.cookieKey, WAITING, cookie)))
  } catch {
    return null // a modified cookie is ignored (attack M11)
  }
}

export function forgetWaiting(op: Op, browser: Browser): void {
  keep(op, browser, WAITING, '', 0)
}

// ---------------------------------------------------------------- devices that are trusted

const DEVICE = 'device'

/** One for each account that trusts this browser. */
export function deviceTokens(op: Op, browser: Browser): string[] {
  const cookie = read(op, browser, DEVICE)
  return cookie?.split('.').slice(0, MAX_DEVICE_TOKENS) ?? []
}

export function keepDeviceToken(op: Op, browser: Browser, token: string): void {
  const tokens = [token, ...deviceTokens(op, browser)].slice(0, MAX_DEVICE_TOKENS)
  keep(op, browser, DEVICE, tokens.join('.'), trustedMs(op.settings.known()))
}

// ---------------------------------------------------------------- who has been in here before

const KNOWN = 'known'
const MAX_KNOWN = 5
const knownSchema = z.array(z.string())

/** Encrypted: otherwise any browser could claim to be a known one. */
export function knownUsers(op: Op, browser: Browser): string[] {
  const cookie = read(op, browser, KNOWN)
  if (cookie === null) return []
  try {
    return knownSchema.parse(JSON.parse(unseal(op.cookieKey, KNOWN, cookie)))
  } catch {
    return []
  }
}

export function keepKnownUser(op: Op, browser: Browser, userId: string): void {
  const users = [...new Set([userId, ...knownUsers(op, browser)])].slice(0, MAX_KNOWN)
  keep(op, browser, KNOWN, seal(op.cookieKey, KNOWN, JSON.stringify(users)), YEAR_MS)
}

// ---------------------------------------------------------------- how they signed in last time

const METHOD = 'method'

/** `password`, `passkey` or the ID of a provider. */
export function lastMethod(op: Op, browser: Browser): string | null {
  return read(op, browser, METHOD)
}

export function keepMethod(op: Op, browser: Browser, method: string): void {
  keep(op, browser, METHOD, method, YEAR_MS)
}

// ---------------------------------------------------------------- no passkey, thank you

const NO_OFFER = 'no-passkey'

export function wantsNoPasskeyOffer(op: Op, browser: Browser): boolean {
  return read(op, browser, NO_OFFER) !== null
}

export function offerNoPasskey(op: Op, browser: Browser, until: 'later' | 'never'): void {
  keep(op, browser, NO_OFFER, until, until === 'later' ? MONTH_MS : YEAR_MS)
}
