import { deviceOf } from '../base/device'
import type { Op, Transaction } from '../context/op'
import { orderNotice } from '../delivery/mail/notices'
import { hasSignedInBefore, listSeenFrom, type SeenFrom } from '../store/sessions'
import type { Origin } from './audit-event'

/** A browser in a network that a person was not seen with lately: they hear of it. */

const REMEMBERED_MS = 90 * 24 * 60 * 60 * 1000

type SignedIn = Origin & { userId: string; userAgent: string }

/** Before the new session is stored; whoever signs in for the first time knows that they do. */
export async function tellOfNewDevice(op: Op, tx: Transaction, login: SignedIn): Promise<void> {
  if (!(await hasSignedInBefore(tx, login.userId))) return
  const since = new Date(op.now().getTime() - REMEMBERED_MS)
  const seen = await listSeenFrom(tx, login.userId, since)
  const place = placeOf(op, login)
  if (seen.some((from) => placeOf(op, from) === place)) return
  await orderNotice(op, tx, login.userId, { notice: 'new_device' }, login)
}

/** Versions change every few weeks and an IPv6 address every day: neither makes a new device. */
function placeOf(op: Op, { ip, userAgent }: SeenFrom): string {
  const network = ip === null ? 'unknown' : op.limits.networkOf(ip)
  return `${deviceOf(userAgent).browser} ${network}`
}
