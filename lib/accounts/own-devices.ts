import type { Op } from '../context/op'
import type { Session } from '../store/accounts/sessions'
import {
  distrustDevice,
  listTrustedDevicesOf,
  type TrustedDevice,
} from '../store/accounts/trusted-devices'
import { type Origin, ownEvent } from './audit-event'

/** The trusted devices of a user. */

export function listOwnDevices(op: Op, { user }: Session): Promise<TrustedDevice[]> {
  return op.read((db) => listTrustedDevicesOf(db, user.id, op.now()))
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
