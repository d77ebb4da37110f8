import type { Privilege } from '../../access/authority'
import { letsMoreIn } from '../../access/impersonation'
import type { PortalScope } from '../../access/portal-api'
import type { Security } from '../../settings/model'

/**
 * Settings that give somebody something: whoever may only change settings lets no strangers in,
 * takes no protection from admins, and opens nobody's account.
 */
export function privilegesOfSecurity(before: Security, after: Security): Privilege[] {
  const scopes: PortalScope[] = []
  if (before.registration !== 'open' && after.registration === 'open') scopes.push('users:write')
  if (before.adminSecondFactor && !after.adminSecondFactor) scopes.push('admin-roles:write')
  if (letsMoreIn(before, after)) scopes.push('users:impersonate')
  return scopes.length === 0 ? [] : [{ gives: 'scopes', scopes }]
}
