import type { Incoming } from '../http'
import type { Op } from './provider'

/** The cookie that ties an interaction to its browser; `__Host-` where the browser allows it. */
export function interactionCookie({ cookies }: Op, id: string): string {
  return `${cookies.secure ? '__Host-' : ''}gatehouse.${id}`
}

export function clearedCookie(op: Op, id: string): string {
  const secure = op.cookies.secure ? '; Secure' : ''
  return `${interactionCookie(op, id)}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${secure}`
}

/** The first of that name; malformed pairs are passed over. */
export function readCookie({ headers }: Pick<Incoming, 'headers'>, name: string): string | null {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return null
}
