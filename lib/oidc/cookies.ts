import type { Incoming } from '../base/http'
import { madeAt } from '../crypto/secrets'
import type { Provider } from './provider'

/** The cookie that binds an interaction to its browser; `__Host-` if the browser allows it. */
export function interactionCookie({ cookies }: Provider, id: string): string {
  return `${cookies.secure ? '__Host-' : ''}gatehouse.${id}`
}

export function clearedCookie(op: Provider, id: string): string {
  const secure = op.cookies.secure ? '; Secure' : ''
  return `${interactionCookie(op, id)}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${secure}`
}

/** A request with a hundred cookies is larger than servers accept. */
export const MAX_INTERACTIONS = 8

/** Deletes the cookies of the oldest interactions, beyond the latest `most`. */
export function forgetOldInteractions(
  op: Provider,
  { headers }: Pick<Incoming, 'headers'>,
  most: number,
): string[] {
  const prefix = interactionCookie(op, '')
  const ids = cookieNames(headers.get('cookie') ?? '')
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((id) => INTERACTION_ID.test(id))
  const latestFirst = [...new Set(ids)].sort((a, b) => madeAt(b) - madeAt(a))
  return latestFirst.slice(most).map((id) => clearedCookie(op, id))
}

const INTERACTION_ID = /^int_[\w-]{10,40}$/

function cookieNames(header: string): string[] {
  return header.split(';').map((pair) => pair.split('=', 1)[0]?.trim() ?? '')
}

/** The first cookie of that name; malformed pairs are skipped. */
export function readCookie({ headers }: Pick<Incoming, 'headers'>, name: string): string | null {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return null
}
