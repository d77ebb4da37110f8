import { z } from 'zod'
import { WAITING_MS, type WaitingSignIn } from '../accounts/first-factor'
import { trustedMs } from '../accounts/own-devices'
import { ownCookieName } from '../accounts/session-cookie'
import type { Op } from '../context/op'
import { seal, unseal } from '../crypto/seal'
import { LINK_MS } from '../delivery/mail/link-times'
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

function keepSealed(op: Op, browser: Browser, name: string, value: unknown, lifeMs: number): void {
  keep(op, browser, name, seal(op.cookieKey, name, JSON.stringify(value)), lifeMs)
}

/** A modified cookie is ignored (attack M11). */
function readSealed<T>(op: Op, browser: Browser, name: string, schema: z.ZodType<T>): T | null {
  const cookie = read(op, browser, name)
  if (cookie === null) return null
  try {
    return schema.parse(JSON.parse(unseal(op.cookieKey, name, cookie)))
  } catch {
    return null
  }
}

// ---------------------------------------------------------------- a sign-in between its two factors

const WAITING = 'waiting'
const waitingSchema = z.object({
  token: z.string(),
  method: z.enum(['password', 'passkey', 'upstream', 'mail']),
})

export function keepWaiting(op: Op, browser: Browser, waiting: WaitingSignIn): void {
  keepSealed(op, browser, WAITING, waiting, WAITING_MS)
}

export function waitingSignIn(op: Op, browser: Browser): WaitingSignIn | null {
  return readSealed(op, browser, WAITING, waitingSchema)
}

export function forgetWaiting(op: Op, browser: Browser): void {
  keep(op, browser, WAITING, '', 0)
}

// ---------------------------------------------------------------- a sign-in that waits for a code in a mail

const CODE = 'code'
const codeSchema = z.object({ browser: z.string(), identifier: z.string() })

/** The secret of the browser without which the code is worth nothing, and for whom it was asked. */
export type AskedCode = z.infer<typeof codeSchema>

export function keepAskedCode(op: Op, browser: Browser, asked: AskedCode): void {
  keepSealed(op, browser, CODE, asked, LINK_MS.sign_in)
}

export function askedCode(op: Op, browser: Browser): AskedCode | null {
  return readSealed(op, browser, CODE, codeSchema)
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
  return readSealed(op, browser, KNOWN, knownSchema) ?? []
}

export function keepKnownUser(op: Op, browser: Browser, userId: string): void {
  const users = [...new Set([userId, ...knownUsers(op, browser)])].slice(0, MAX_KNOWN)
  keepSealed(op, browser, KNOWN, users, YEAR_MS)
}

// ---------------------------------------------------------------- how they signed in last time

const METHOD = 'method'

/** `password`, `passkey`, `mail` or the ID of a provider. */
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
