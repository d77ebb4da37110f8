import { type Acr, satisfies } from '../access/acr'
import type { AuthorizationRequest } from './authorization-request'

/** Which step comes next? Pure; the only place that evaluates prompt, max_age and hints. */

export type Step =
  | { do: 'login' }
  | { do: 'choose_account' }
  | { do: 'second_factor' }
  | { do: 'consent' }
  | { do: 'issue' }
  | {
      do: 'refuse'
      word:
        | 'login_required'
        | 'account_selection_required'
        | 'consent_required'
        | 'unmet_authentication_requirements'
    }

export type SignedIn = {
  userId: string
  signedInAt: number
  /** When the user proved who they are; null if unknown, which never counts as recent. */
  provenAt: number | null
  acr: string
  /** The user has a second factor that was not used yet. */
  canStepUp: boolean
}

export type AtBrowser = {
  session: SignedIn | null
  /** The other users who are signed in at the browser. */
  others: readonly string[]
  /** When the user chose one of their accounts; null if not asked yet. */
  chosenAt: number | null
}

export type PendingConsent = {
  /** Granted by the decision, but the user has not answered yet. */
  undecided: readonly string[]
  /** When the user last answered within this interaction. */
  answeredAt: number | null
  /** An earlier answer does not count: see `asksEveryTime`. */
  everyTime: boolean
}

export function needsLogin(ask: AuthorizationRequest, session: SignedIn | null): boolean {
  if (!session) return true
  if (isAnotherThanHinted(ask, session)) return true
  const notBefore = provenSince(ask)
  return notBefore !== null && (session.provenAt === null || session.provenAt < notBefore)
}

/** The time since when the user must have proved who they are; null for any time. */
export function provenSince({ prompt, maxAge, askedAt }: AuthorizationRequest): number | null {
  if (prompt.includes('login')) return askedAt
  return maxAge === null ? null : askedAt - maxAge * 1000
}

/** Which sign-in step is needed? Null if none. */
export function signInStep(ask: AuthorizationRequest, browser: AtBrowser): Step | null {
  const { session } = browser
  const silent = ask.prompt.includes('none')
  if (needsChoice(ask, browser)) {
    return silent ? { do: 'refuse', word: 'account_selection_required' } : { do: 'choose_account' }
  }
  if (!session || needsLogin(ask, session)) {
    return silent ? { do: 'refuse', word: 'login_required' } : { do: 'login' }
  }
  if (!wantsStepUp(ask, session)) return null
  if (session.canStepUp && !silent) return { do: 'second_factor' }
  // A preference that cannot be met is ignored; an essential request is not (OpenID Connect Core
  // §5.5.1.1).
  if (ask.essentialAcr === null) return null
  return { do: 'refuse', word: 'unmet_authentication_requirements' }
}

export function wantsStepUp(ask: AuthorizationRequest, { acr }: Pick<SignedIn, 'acr'>): boolean {
  const wanted = ask.essentialAcr ?? ask.acrValues
  return wanted.length > 0 && !wanted.some((one) => satisfies(acr, one))
}

/**
 * Whether a step-up can meet the request. If even the strongest factor of the user is too weak,
 * they are not asked.
 */
export function stepUpHelps(ask: AuthorizationRequest, reachable: Acr | null): boolean {
  const wanted = ask.essentialAcr ?? ask.acrValues
  return reachable !== null && wanted.some((one) => satisfies(reachable, one))
}

/**
 * With several accounts the user has to choose, unless a hint names one. `select_account` always
 * asks, and no account is chosen silently (OpenID Connect Core §3.1.2.6).
 */
function needsChoice(ask: AuthorizationRequest, { session, others, chosenAt }: AtBrowser): boolean {
  if (others.length === 0 && !session) return false
  if (ask.prompt.includes('none')) {
    return others.length > 0 && ask.hintedUserId === null && ask.loginHint === null
  }
  if (chosenAt !== null || (session && session.signedInAt >= ask.askedAt)) return false
  if (ask.prompt.includes('select_account')) return true
  return isAnotherThanHinted(ask, session) && others.some((id) => id === ask.hintedUserId)
}

function isAnotherThanHinted(
  { hintedUserId }: AuthorizationRequest,
  session: SignedIn | null,
): boolean {
  return hintedUserId !== null && hintedUserId !== session?.userId
}

/** Is consent needed? */
export function consentStep(ask: AuthorizationRequest, consenting: PendingConsent): Step {
  const silent = ask.prompt.includes('none')
  if (needsConsent(ask, consenting)) {
    return silent ? { do: 'refuse', word: 'consent_required' } : { do: 'consent' }
  }
  return { do: 'issue' }
}

function needsConsent(
  ask: AuthorizationRequest,
  { undecided, answeredAt, everyTime }: PendingConsent,
): boolean {
  if ((ask.prompt.includes('consent') || everyTime) && answeredAt === null) return true
  return undecided.length > 0
}
