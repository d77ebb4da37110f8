import type { Op } from '../op'
import type { User } from '../store/users'

/** Must this admin set up a second factor before the portal does anything for them? */
export async function lacksAdminFactor(
  op: Op,
  { id, adminRole }: Pick<User, 'id' | 'adminRole'>,
): Promise<boolean> {
  if (adminRole === null) return false
  const { adminSecondFactor } = (await op.settings.current()).security
  return adminSecondFactor && (await op.strongestFactor(id)) === null
}
