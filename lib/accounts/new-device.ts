import { deviceOf } from '../base/device'
import type { Op, Transaction } from '../context/op'
import { orderNotice } from '../delivery/mail/notices'
import { hasSignedInBefore, listSeenFrom, type SeenFrom } from '../store/accounts/sessions'
import type { Origin } from './audit-event'

/**
 * A sign-in from a browser or network that was not seen for this user lately: the user gets a
 * notice.
 */

const REMEMBERED_MS = 90 * 24 * 60 * 60 * 1000

type SignedIn = Origin & { userId: string; userAgent: string }

/** Called before the new session is stored; a first sign-in causes no notice. True if it is one. */
export async function tellOfNewDevice(op: Op, tx: Transaction, login: SignedIn): Promise<boolean> {
  if (!(await hasSignedInBefore(tx, login.userId))) return false
  const since = new Date(op.now().getTime() - REMEMBERED_MS)
  const seen = await listSeenFrom(tx, login.userId, since)
  const place = placeOf(op, login)
  if (seen.some((from) => placeOf(op, from) === place)) return false
  await orderNotice(op, tx, login.userId, { notice: 'new_device' }, login)
  return true
}

/**
 * Browser versions change every few weeks and IPv6 addresses every day: neither counts as a new
 * device.
 */
function placeOf(op: Op, { ip, userAgent }: SeenFrom): string {
  const network = ip === null ? 'unknown' : op.limits.networkOf(ip)
  return `${deviceOf(userAgent).browser} ${network}`
}
