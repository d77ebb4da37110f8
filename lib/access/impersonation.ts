import { type AdminRole, roleHolds } from './authority'

/**
 * "May this admin be in the account of this user?" is decided here: at the start, and at every
 * request as long as it lasts. Pure: what the portal knows of both reaches it as data. What the
 * admin lacks of all that the user holds and decides about is found by the rule of authority.
 */

export const IMPERSONATION_MODES = ['off', 'read_only', 'full'] as const
type ImpersonationMode = (typeof IMPERSONATION_MODES)[number]

/** How an admin can be in an account. */
export const IMPERSONATION_KINDS = ['read_only', 'full'] as const
export type ImpersonationKind = (typeof IMPERSONATION_KINDS)[number]

/** Who is in the account of somebody else, and until when. */
export type Impersonation = {
  mode: ImpersonationKind
  expiresAt: Date
  admin: { id: string; name: string | null; email: string | null; adminRole: AdminRole | null }
  /** The session of the admin, which it ends with. */
  through: { id: string; lastSeenAt: Date }
}

export const IMPERSONATORS = ['owners', 'admins'] as const
type Impersonators = (typeof IMPERSONATORS)[number]

export type ImpersonationSettings = {
  impersonation: ImpersonationMode
  impersonators: Impersonators
}

export type ImpersonationFacts = {
  settings: ImpersonationSettings
  /** What the admin asks for, or was given at the start. */
  mode: string
  admin: { id: string; adminRole: AdminRole | null }
  user: { id: string; adminRole: AdminRole | null; disabled: boolean; leaving: boolean }
  /** Whether access that the user opened in an emergency is still open. */
  inEmergency: boolean
  /** Whether the rule of authority lets the admin act as this user. */
  mayActAs: boolean
}

/** Why not; the most general reason first, and null if nothing is against it. */
type ImpersonationObstacle =
  | 'impersonation_off'
  | 'impersonation_not_yours'
  | 'impersonation_mode'
  | 'own_account'
  | 'impersonation_owner'
  | 'impersonation_inactive'
  | 'impersonation_emergency'
  | 'impersonation_above'

export function obstacleTo(facts: ImpersonationFacts): ImpersonationObstacle | null {
  const { settings, mode, admin, user, inEmergency, mayActAs } = facts
  if (settings.impersonation === 'off') return 'impersonation_off'
  if (!mayImpersonate(settings, admin.adminRole)) return 'impersonation_not_yours'
  if (mode !== 'read_only' && mode !== settings.impersonation) return 'impersonation_mode'
  if (admin.id === user.id) return 'own_account'
  if (user.adminRole === 'owner' && admin.adminRole !== 'owner') return 'impersonation_owner'
  if (user.disabled || user.leaving) return 'impersonation_inactive'
  if (inEmergency) return 'impersonation_emergency'
  return mayActAs ? null : 'impersonation_above'
}

/** Owners hold the scope; they decide whether admins may do it too. */
export function mayImpersonate(
  { impersonators }: Pick<ImpersonationSettings, 'impersonators'>,
  role: AdminRole | null,
): boolean {
  if (role === null) return false
  return roleHolds(role, 'users:impersonate') || (impersonators === 'admins' && role === 'admin')
}

/** Whether settings let more people or more changes in than others. */
export function letsMoreIn(before: ImpersonationSettings, after: ImpersonationSettings): boolean {
  const rank = ({ impersonation }: ImpersonationSettings) =>
    IMPERSONATION_MODES.indexOf(impersonation)
  const widened = after.impersonators === 'admins' && before.impersonators === 'owners'
  return rank(after) > rank(before) || widened
}
