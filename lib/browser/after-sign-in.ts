import type { FirstFactorResult } from '../accounts/first-factor'
import { giveUsername } from '../accounts/give-username'
import type { SignInFrom, StartedSession } from '../accounts/new-session'
import { sealSession, sessionCookieName } from '../accounts/session-cookie'
import type { HeldSecrets, HeldSession, Op } from '../context/op'
import type { Locale } from '../i18n'
import { sessionTimes } from '../settings/session-times'
import type { Browser } from './browser'
import { deviceTokens, keepKnownUser, keepMethod, keepWaiting, knownUsers } from './browser-memory'
import { returningTo } from './return-to'

/** What a browser holds when somebody signs in, and what it gets. */

/** The active one first. */
export async function heldSessionsOf(op: Op, browser: Browser): Promise<HeldSession[]> {
  const active = await op.sessionOf(browser)
  const { active: secret } = await op.heldBy(browser)
  const first = active && secret !== null ? [{ ...active, secret }] : []
  return [...first, ...(await op.otherSessionsOf(browser))]
}

export function secretsOf(sessions: readonly HeldSession[]): string[] {
  return sessions.map(({ secret }) => secret)
}

/** The origin of a sign-in. */
export async function originOf(
  op: Op,
  browser: Browser,
  locale: Locale,
): Promise<SignInFrom & Pick<Required<SignInFrom>, 'held'>> {
  return {
    ip: browser.ip,
    userAgent: browser.headers.get('user-agent') ?? '',
    locale,
    held: await heldSessionsOf(op, browser),
    deviceTokens: deviceTokens(op, browser),
    knownUsers: knownUsers(op, browser),
  }
}

/** What follows the first factor: the next URL, or the page for the second factor. */
export async function afterFirstFactor(
  op: Op,
  browser: Browser,
  admission: FirstFactorResult,
  method: string,
  returnTo: string,
): Promise<string> {
  keepMethod(op, browser, method)
  if (admission.step === 'second_factor') {
    keepWaiting(op, browser, admission.waiting)
    return returningTo('/second-factor', returnTo)
  }
  await beginSessionAt(op, browser, admission.started)
  return returnTo
}

export const MAX_OTHERS = 4

/** Makes this session the active one; the previous account stays signed in. */
export async function beginSessionAt(
  op: Op,
  browser: Browser,
  started: StartedSession,
): Promise<void> {
  const held = await heldSessionsOf(op, browser)
  const others = held.filter(({ user }) => user.id !== started.userId)
  const kept = secretsOf(others).slice(0, MAX_OTHERS)
  await hold(op, browser, { active: started.secret, others: kept })
  await giveUsername(op, started.userId)
  // Known users matter only where callers cannot be distinguished by their address.
  if (browser.ip === null) keepKnownUser(op, browser, started.userId)
}

export async function hold(op: Op, browser: Browser, held: HeldSecrets): Promise<void> {
  const nobody = held.active === null && held.others.length === 0
  const { longestMs } = sessionTimes(await op.settings.current())
  const seconds = nobody ? 0 : longestMs / 1000
  const value = nobody ? '' : await sealSession(op, held, seconds)
  browser.setCookie(sessionCookieName(op), value, seconds)
}
