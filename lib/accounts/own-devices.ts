import { DAY_MS } from '../base/time'
import type { Op } from '../context/op'
import type { Settings } from '../settings/effective'
import type { Session } from '../store/accounts/sessions'
import {
  distrustDevice,
  isTrusted,
  listTrustedDevicesOf,
  type TrustedDevice,
} from '../store/accounts/trusted-devices'
import { type Origin, ownEvent } from './audit-event'

/**
 * The trusted devices of a user. They are trusted for as long as the setting says now: if admins
 * shorten it, those that are older are not trusted any more.
 */

export function trustedMs({ security }: Pick<Settings, 'security'>): number {
  return security.trustedDeviceDays * DAY_MS
}

export async function listOwnDevices(
  op: Op,
  { user }: { user: Pick<Session['user'], 'id'> },
): Promise<TrustedDevice[]> {
  const lifeMs = trustedMs(await op.settings.current())
  const devices = await op.read((db) => listTrustedDevicesOf(db, user.id, op.now()))
  return devices
    .map((device) => ({ ...device, expiresAt: endOf(device, lifeMs) }))
    .filter(({ expiresAt }) => expiresAt > op.now())
}

function endOf({ createdAt, expiresAt }: TrustedDevice, lifeMs: number): Date {
  return new Date(Math.min(expiresAt.getTime(), createdAt.getTime() + lifeMs))
}

/** Does one of the tokens of a browser say that this user trusts it? */
export async function isTrustedDevice(
  op: Op,
  userId: string,
  deviceTokens: readonly string[],
): Promise<boolean> {
  const lifeMs = trustedMs(await op.settings.current())
  const since = new Date(op.now().getTime() - lifeMs)
  const hashes = deviceTokens.map(op.hashSecret)
  return op.read((db) => isTrusted(db, userId, hashes, { now: op.now(), since }))
}

/** False if it was not trusted any more, or belongs to another user. */
export async function distrustOwnDevice(
  op: Op,
  session: Session,
  id: string,
  origin: Origin,
): Promise<boolean> {
  return op.write(async (tx, audit) => {
    if (!(await distrustDevice(tx, session.user.id, id))) return false
    audit(ownEvent('device.distrusted', session, origin))
    return true
  })
}
