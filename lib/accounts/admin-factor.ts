import { satisfies } from '../access/acr'
import type { Op } from '../context/op'
import type { User } from '../store/accounts/users'

/** Where a session gets a second factor, and where a first one is set up. */
export const PROVE_FACTOR = '/second-factor?raise=yes'
export const SET_UP_FACTOR = '/account/security?done=factorNeeded'

/** Must this admin prove a second factor in this session before they can use the portal? */
export async function lacksAdminFactor(
  op: Op,
  { adminRole }: Pick<User, 'adminRole'>,
  acr: string,
): Promise<boolean> {
  if (adminRole === null || satisfies(acr, 'mfa')) return false
  return (await op.settings.current()).security.adminSecondFactor
}

/** The page where they can do so. */
export async function wayToFactor(op: Op, { id }: Pick<User, 'id'>, back: string): Promise<string> {
  if ((await op.strongestFactor(id)) === null) return SET_UP_FACTOR
  return `${PROVE_FACTOR}&returnTo=${encodeURIComponent(back)}`
}
