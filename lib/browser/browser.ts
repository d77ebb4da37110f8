import { cookieLine } from '../accounts/session-cookie'
import type { Incoming } from '../base/http'
import type { Op } from '../context/op'
import { readCookie } from '../oidc/cookies'

/** A browser that is being answered: what it sent, and the cookies that its answer sets. */
export type Browser = Pick<Incoming, 'headers' | 'ip'> & {
  /** Null if it has none of that name, or an empty one. */
  cookie(name: string): string | null
  setCookie(name: string, value: string, seconds: number): void
}

/** `lines`: gets a Set-Cookie header for each cookie. */
export function browserOf(
  op: Op,
  incoming: Pick<Incoming, 'headers' | 'ip'>,
  lines: string[],
): Browser {
  return {
    headers: incoming.headers,
    ip: incoming.ip,
    cookie: (name) => readCookie(incoming, name) || null,
    setCookie: (name, value, seconds) => lines.push(cookieLine(op, name, value, seconds)),
  }
}
