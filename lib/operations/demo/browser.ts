import { agree, findConsent } from '../../accounts/consent'
import { giveUsername } from '../../accounts/give-username'
import { heldSessions } from '../../accounts/session-cookie'
import { signInWithPassword } from '../../accounts/sign-in'
import type { Reply } from '../../base/http'
import type { Op } from '../../context/op'
import type { Endpoint } from '../../oidc/endpoint'
import { sessionTimes } from '../../settings/session-times'
import { ask } from './ask'

/**
 * A browser of this process. It has no pages: what their forms would do, the functions behind the
 * forms do.
 */

export type Browser = {
  ip: string
  userAgent: string
  /** By name. */
  cookies: Map<string, string>
}

export type Login = { email: string; password: string }

function cookieHeader({ cookies }: Browser): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

/** What the functions behind the forms see of a browser. */
function formIn(browser: Browser) {
  const cookie = cookieHeader(browser)
  return {
    headers: { get: (name: string) => (name === 'cookie' ? cookie : null) },
    ip: browser.ip,
  }
}

/** For calls of the API, as the portal's own pages make them. */
export function pageHeaders(browser: Browser): Record<string, string> {
  const own = { 'sec-fetch-site': 'same-origin', 'x-gatehouse-request': '1' }
  return { cookie: cookieHeader(browser), 'user-agent': browser.userAgent, ...own }
}

/** One request, whose redirect is not followed. */
export async function open(
  op: Op,
  endpoint: Endpoint<Op>,
  browser: Browser,
  url: string,
): Promise<Reply> {
  const headers = { cookie: cookieHeader(browser), 'user-agent': browser.userAgent }
  const reply = await ask(op, endpoint, { url, ip: browser.ip, headers })
  for (const line of reply.cookies ?? []) keepCookie(browser, line)
  return reply
}

function keepCookie({ cookies }: Browser, line: string): void {
  const [pair = '', ...attributes] = line.split(';')
  const equals = pair.indexOf('=')
  const name = pair.slice(0, equals)
  const isGone = attributes.some((attribute) => attribute.trim().toLowerCase() === 'max-age=0')
  if (isGone) cookies.delete(name)
  else cookies.set(name, pair.slice(equals + 1))
}

export async function isSignedIn(op: Op, browser: Browser): Promise<boolean> {
  return (await op.sessionOf(formIn(browser))) !== null
}

/** As the login form does; false for a wrong password. */
export async function signIn(
  op: Op,
  browser: Browser,
  { email, password }: Login,
): Promise<boolean> {
  const { ip, userAgent } = browser
  const result = await signInWithPassword(op, { identifier: email, password }, { ip, userAgent })
  if (!result.ok) return false
  if (result.step !== 'session') throw new Error('a second factor is asked for on a page')
  const { userId, secret } = result.started
  await giveUsername(op, userId)
  const { longestMs } = sessionTimes(await op.settings.current())
  keepCookie(browser, await heldSessions(op, { active: secret, others: [] }, longestMs / 1000))
  return true
}

/** As the consent form does. Gives the next URL. */
export async function consentTo(
  op: Op,
  browser: Browser,
  interaction: string,
  scopes: readonly string[],
): Promise<string> {
  const form = formIn(browser)
  const found = await findConsent(op, form, await op.sessionOf(form), interaction)
  if (!found || found === 'signed_out') throw new Error('there is no consent to give')
  return agree(op, found, scopes)
}
