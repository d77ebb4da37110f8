import type { Gift } from '../../access/authority'
import { OPENID_SCOPES } from '../../access/decide-scopes'
import type { Policy } from '../../access/policy'
import { isPortalScope } from '../../access/portal-api'
import { mistake } from '../../i18n/mistake'
import type { ClientRegistration } from '../../settings/client-registration'
import { grantsGift } from '../gifts'
import { invalidField } from '../problem'

/** Whoever lets strangers register gives them the permissions that the settings list. */

const ALWAYS = { effect: 'allow', condition: null, validFrom: null, validUntil: null } as const

export function registrationGift(
  policy: Policy,
  before: ClientRegistration | null,
  after: ClientRegistration,
): Gift[] {
  const given = (settings: ClientRegistration | null) =>
    settings === null || !isOpen(settings) ? [] : settings.scopes.map(asGrant)
  const asked = given(after).map((grant) => ({ ...grant, at: null }))
  return grantsGift(policy, given(before), asked)
}

function asGrant(pattern: string) {
  return { pattern, ...ALWAYS }
}

function isOpen({ mode, documents }: ClientRegistration): boolean {
  return mode !== 'off' || documents
}

/** Scopes that exist, and none of the portal's own API: a stranger never manages the portal. */
export function requireKnownScopes(policy: Policy, scopes: readonly string[] = []): void {
  for (const [index, scope] of scopes.entries()) {
    const pointer = `/clientRegistration/scopes/${index}`
    if (isPortalScope(scope)) throw invalidField(pointer, mistake('scope_of_portal'))
    if (OPENID_SCOPES.has(scope) || policy.items.has(scope)) continue
    throw invalidField(pointer, mistake('scope_not_known'))
  }
}
