import { type Acr, satisfies } from '../access/acr'
import type { Ask } from './ask'

/**
 * What has to happen next? Pure, and the only place where prompt, max_age and hints are weighed.
 */

export type Step =
  | { do: 'login' }
  | { do: 'second_factor' }
  | { do: 'consent' }
  | { do: 'issue' }
  | {
      do: 'refuse'
      word: 'login_required' | 'consent_required' | 'unmet_authentication_requirements'
    }

export type SignedIn = {
  userId: string
  authTime: number
  acr: string
  /** They have a second factor that they did not use yet. */
  canStepUp: boolean
}

export type Consenting = {
  /** Granted by the decision, and nobody has said yes or no to them yet. */
  undecided: readonly string[]
  /** When the person last answered within this very interaction. */
  answeredAt: number | null
  /** Any program on the machine could pose as this application (RFC 8252 §8.6). */
  unassured: boolean
}

export function needsLogin(ask: Ask, session: SignedIn | null): boolean {
  if (!session) return true
  if (ask.hintedUserId !== null && ask.hintedUserId !== session.userId) return true
  const asksAgain = ask.prompt.includes('login') || ask.prompt.includes('select_account')
  if ((asksAgain || ask.maxAge === 0) && session.authTime < ask.askedAt) return true
  return ask.maxAge !== null && ask.maxAge > 0 && ask.askedAt - session.authTime > ask.maxAge * 1000
}

/** Who is it, and how well do we know? Null: well enough. */
export function signInStep(ask: Ask, session: SignedIn | null): Step | null {
  const silent = ask.prompt.includes('none')
  if (!session || needsLogin(ask, session)) {
    return silent ? { do: 'refuse', word: 'login_required' } : { do: 'login' }
  }
  if (!wantsStepUp(ask, session)) return null
  if (session.canStepUp && !silent) return { do: 'second_factor' }
  // A wish that cannot be met is dropped, a demand is not (OpenID Connect Core §5.5.1.1).
  if (ask.essentialAcr === null) return null
  return { do: 'refuse', word: 'unmet_authentication_requirements' }
}

export function wantsStepUp(ask: Ask, { acr }: Pick<SignedIn, 'acr'>): boolean {
  const wanted = ask.essentialAcr ?? ask.acrValues
  return wanted.length > 0 && !wanted.some((one) => satisfies(acr, one))
}

/** A second factor is the most that can be asked for here; where it is not enough, it is not asked. */
export function stepUpHelps(ask: Ask, { acr }: Pick<SignedIn, 'acr'>): boolean {
  const wanted = ask.essentialAcr ?? ask.acrValues
  return !satisfies(acr, REACHABLE) && wanted.some((one) => satisfies(REACHABLE, one))
}

const REACHABLE: Acr = 'mfa'

/** Have they agreed? */
export function consentStep(ask: Ask, consenting: Consenting): Step {
  const silent = ask.prompt.includes('none')
  if (needsConsent(ask, consenting)) {
    return silent ? { do: 'refuse', word: 'consent_required' } : { do: 'consent' }
  }
  return { do: 'issue' }
}

function needsConsent(ask: Ask, { undecided, answeredAt, unassured }: Consenting): boolean {
  if ((ask.prompt.includes('consent') || unassured) && answeredAt === null) return true
  return undecided.length > 0
}
