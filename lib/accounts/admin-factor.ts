import { satisfies } from '../access/acr'
import type { Op } from '../context/op'
import type { User } from '../store/accounts/users'

/** Where a session gets a second factor, and where a first one is set up. */
export const PROVE_FACTOR = '/second-factor?raise=yes'
export const SET_UP_FACTOR = '/account/security/factor'

/** Must this admin prove a second factor in this session before they can use the portal? */
export async function lacksAdminFactor(
  op: Op,
  { adminRole }: Pick<User, 'adminRole'>,
  acr: string,
): Promise<boolean> {
  if (adminRole === null || satisfies(acr, 'mfa')) return false
  return (await op.settings.current()).security.adminSecondFactor
}

/** What a second factor is needed for; the page that sets one up says so. */
export const FACTOR_REASONS = ['admin', 'approve', 'sensitive'] as const
export type FactorReason = (typeof FACTOR_REASONS)[number]

/** The page where they can do so, and which leads back. */
export async function wayToFactor(
  op: Op,
  { id }: Pick<User, 'id'>,
  back: string,
  reason: FactorReason = 'admin',
): Promise<string> {
  const hasFactor = (await op.strongestFactor(id)) !== null
  return hasFactor
    ? `${PROVE_FACTOR}&${new URLSearchParams({ returnTo: back })}`
    : `${SET_UP_FACTOR}?${new URLSearchParams({ for: reason, returnTo: back })}`
}
