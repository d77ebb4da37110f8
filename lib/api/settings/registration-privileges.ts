import { isDeepStrictEqual } from 'node:util'
import type { Privilege } from '../../access/authority'
import { OPENID_SCOPES } from '../../access/decide-scopes'
import type { Policy } from '../../access/policy'
import { isPortalScope } from '../../access/portal-api'
import { errorMessage } from '../../i18n/error-message'
import { type ClientRegistration, REGISTRATION_MODES } from '../../settings/client-registration'
import { privilegesOfGrants } from '../authority/privileges'
import { invalidField } from '../http/problem'

/** To let unknown clients register is to give them the permissions that the settings list. */

const ALWAYS = { effect: 'allow', condition: null, validFrom: null, validUntil: null } as const

/** What a change of the settings gives: new scopes, or all of them if more clients may register. */
export function privilegesOfRegistration(
  policy: Policy,
  before: ClientRegistration,
  after: ClientRegistration,
): Privilege[] {
  const known = isOpen(before) && !isWider(before, after) ? before.scopes : []
  return isOpen(after) ? privilegesOfScopes(policy, known, after.scopes) : []
}

/** Whoever holds an initial access token gets all that is listed, now or when registration is on. */
export function privilegesOfInitialToken(
  policy: Policy,
  { scopes }: ClientRegistration,
): Privilege[] {
  return privilegesOfScopes(policy, [], scopes)
}

function privilegesOfScopes(
  policy: Policy,
  before: readonly string[],
  after: readonly string[],
): Privilege[] {
  const asked = after.map((pattern) => ({ ...asGrant(pattern), at: null }))
  return privilegesOfGrants(policy, before.map(asGrant), asked)
}

function asGrant(pattern: string) {
  return { pattern, ...ALWAYS }
}

function isOpen({ mode, documents }: ClientRegistration): boolean {
  return mode !== 'off' || documents
}

/** Whether clients may come that could not before. */
function isWider(before: ClientRegistration, after: ClientRegistration): boolean {
  const rank = ({ mode }: ClientRegistration) => REGISTRATION_MODES.indexOf(mode)
  return (
    rank(after) > rank(before) ||
    (after.documents && !before.documents) ||
    (before.requireStatement && !after.requireStatement) ||
    after.grantTypes.some((grant) => !before.grantTypes.includes(grant)) ||
    isListWider(before.redirectHosts, after.redirectHosts) ||
    isListWider(before.documentHosts, after.documentHosts) ||
    before.documentDenied.some((host) => !after.documentDenied.includes(host)) ||
    !isDeepStrictEqual(before.softwareIssuers, after.softwareIssuers)
  )
}

/** An empty list accepts every host. */
function isListWider(before: readonly string[], after: readonly string[]): boolean {
  if (before.length === 0) return false
  return after.length === 0 || after.some((host) => !before.includes(host))
}

/** Scopes that exist, and none of the portal's own API: a registered client never manages the portal. */
export function requireKnownScopes(policy: Policy, scopes: readonly string[] = []): void {
  for (const [index, scope] of scopes.entries()) {
    const pointer = `/clientRegistration/scopes/${index}`
    if (isPortalScope(scope)) throw invalidField(pointer, errorMessage('scope_of_portal'))
    if (OPENID_SCOPES.has(scope) || policy.items.has(scope)) continue
    throw invalidField(pointer, errorMessage('scope_not_known'))
  }
}
