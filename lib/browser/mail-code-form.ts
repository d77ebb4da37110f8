import { requestSignInCode, signInWithCode } from '../accounts/sign-in-by-mail'
import type { Op } from '../context/op'
import type { Locale } from '../i18n'
import { afterFirstFactor, originOf } from './after-sign-in'
import type { Browser } from './browser'
import { askedCode, keepAskedCode } from './browser-memory'
import { returningTo } from './return-to'

/** The two forms of a sign-in by mail: to ask for a code, and to send it. */

type Refused<Problem> = { ok: false; problem: Problem; retryAfterSeconds?: number }
type Answered<Problem> = { ok: true; goTo: string } | Refused<Problem>

export async function askForCode(
  op: Op,
  browser: Browser,
  locale: Locale,
  { identifier, returnTo }: { identifier: string; returnTo: string },
): Promise<Answered<'off' | 'slow_down'>> {
  const from = { ip: browser.ip, userAgent: browser.headers.get('user-agent') ?? '' }
  const asked = await requestSignInCode(op, { identifier, returnTo, locale, ...from })
  if (!asked.ok) return asked
  keepAskedCode(op, browser, { browser: asked.browser, identifier })
  return { ok: true, goTo: returningTo('/login/code', returnTo) }
}

/** The browser keeps its secret: the code is spent, and its page may be drawn once more. */
export async function enterCode(
  op: Op,
  browser: Browser,
  locale: Locale,
  { code, returnTo }: { code: string; returnTo: string },
): Promise<Answered<'missing' | 'mismatch' | 'void' | 'slow_down'>> {
  if (code === '') return { ok: false, problem: 'missing' }
  const asked = askedCode(op, browser)
  if (!asked) return { ok: false, problem: 'void' }
  const from = await originOf(op, browser, locale)
  const result = await signInWithCode(op, { browser: asked.browser, code }, from)
  if (!result.ok) return result
  return { ok: true, goTo: await afterFirstFactor(op, browser, result, 'mail', returnTo) }
}
