import type { Privilege } from '../../access/authority'
import type { Policy } from '../../access/policy'
import { isPortalScope } from '../../access/portal-api'
import { errorMessage } from '../../i18n/error-message'
import type { ApplicationFields, ApplicationRecord } from '../../store/applications/applications'
import { ABOUT_USERS } from '../authority/privileges'
import type { Caller } from '../http/caller'
import { fieldProblem, invalidField, requireNone } from '../http/problem'
import { changesChecked } from './publisher'
import { opensIt } from './rules'

/**
 * Applications of whoever runs the portal. Their users are not asked, so whoever holds such an
 * application gets what users would otherwise have had to agree to: what it may know about every
 * user who signs in, and the preapproved permissions.
 */

type Belonging = Pick<ApplicationFields, 'firstParty' | 'preapprovedScopes' | 'registration'>

/** Without the mark there is nothing to preapprove. */
export function belongingAfter(
  { ownOnly }: Pick<Caller, 'ownOnly'>,
  before: ApplicationRecord,
  asked: Partial<ApplicationFields>,
): Partial<Belonging> {
  const after = { ...before, ...asked }
  const isLost =
    before.firstParty && ownOnly && (changesChecked(before, asked) || opensIt(before, after))
  if (isLost) return { firstParty: false, preapprovedScopes: [] }
  const isTakenOff = before.firstParty && asked.firstParty === false
  return isTakenOff && asked.preapprovedScopes === undefined ? { preapprovedScopes: [] } : {}
}

export function requireMayBelong(
  policy: Policy,
  after: Belonging,
  before: Pick<Belonging, 'preapprovedScopes'> = { preapprovedScopes: [] },
): void {
  const { firstParty, preapprovedScopes, registration } = after
  if (firstParty && registration !== 'admin') {
    throw invalidField('/firstParty', errorMessage('first_party_registered'))
  }
  if (!firstParty && preapprovedScopes.length > 0) {
    throw invalidField('/preapprovedScopes', errorMessage('preapproved_without_mark'))
  }
  requireNone(
    preapprovedScopes.flatMap((scope, at) => {
      if (before.preapprovedScopes.includes(scope)) return []
      const pointer = `/preapprovedScopes/${at}`
      if (isPortalScope(scope)) return [fieldProblem(pointer, errorMessage('preapproved_portal'))]
      if (policy.items.has(scope)) return []
      return [fieldProblem(pointer, errorMessage('scope_not_known'))]
    }),
  )
}

/** What the change lets the application have unasked. */
export function privilegesOfBelonging(
  policy: Policy,
  after: Belonging,
  before: Belonging | null = null,
): Privilege[] {
  if (!after.firstParty) return []
  const known = before?.firstParty ? before.preapprovedScopes : []
  const apis = after.preapprovedScopes
    .filter((scope) => !known.includes(scope))
    .flatMap((scope) => policy.items.get(scope)?.api ?? [])
  return [
    ...(before?.firstParty ? [] : [{ gives: 'scopes', scopes: ABOUT_USERS } as const]),
    ...(apis.length > 0 ? [{ gives: 'apis', apis } as const] : []),
  ]
}
