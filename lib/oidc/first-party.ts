import { OPENID_SCOPES } from '../access/decide-scopes'
import type { AuthorizationRequest } from './authorization-request'
import type { Application } from './client'
import { consentStep, type PendingConsent, type Step } from './interaction'

/**
 * An application of whoever runs the portal: its users are not asked about signing in, nor about
 * the permissions that an admin named. What they said no to stays a no.
 */

export function isUnasked(
  { preapprovedScopes }: Pick<Application, 'preapprovedScopes'>,
  scope: string,
): boolean {
  return OPENID_SCOPES.has(scope) || preapprovedScopes.includes(scope)
}

/** The scopes whose consent would be assumed; null if the user has to be asked. */
export function assumable(
  ask: AuthorizationRequest,
  application: Pick<Application, 'firstParty' | 'registration' | 'preapprovedScopes'>,
  consenting: PendingConsent,
): readonly string[] | null {
  if (!application.firstParty || application.registration !== 'admin') return null
  if (consentStep(ask, { ...consenting, undecided: [] }).do !== 'issue') return null
  const { undecided } = consenting
  return undecided.every((scope) => isUnasked(application, scope)) ? undecided : null
}

export async function settledStep(
  ask: AuthorizationRequest,
  application: Parameters<typeof assumable>[1],
  consenting: PendingConsent,
  assume: (scopes: readonly string[]) => Promise<boolean>,
): Promise<Step> {
  const step = consentStep(ask, consenting)
  if (step.do === 'issue') return step
  const scopes = assumable(ask, application, consenting)
  return scopes && (await assume(scopes)) ? { do: 'issue' } : step
}
