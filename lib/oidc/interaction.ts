import { type Acr, satisfies } from '../access/acr'
import type { Ask } from './ask'

/**
 * What has to happen next? Pure, and the only place where prompt, max_age and hints are weighed.
 */

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
  /** When they proved who they are; null: nobody says, so it was never recently enough. */
  provenAt: number | null
  acr: string
  /** They have a second factor that they did not use yet. */
  canStepUp: boolean
}

export type AtBrowser = {
  session: SignedIn | null
  /** Who else is signed in there. */
  others: readonly string[]
  /** When the person said which of the accounts it is; null: not asked yet. */
  chosenAt: number | null
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
  if (isAnotherThanHinted(ask, session)) return true
  const notBefore = provenSince(ask)
  return notBefore !== null && (session.provenAt === null || session.provenAt < notBefore)
}

/** Since when somebody has to have proved who they are; null: whenever it was. */
export function provenSince({ prompt, maxAge, askedAt }: Ask): number | null {
  if (prompt.includes('login')) return askedAt
  return maxAge === null ? null : askedAt - maxAge * 1000
}

/** Who is it, and how well do we know? Null: well enough. */
export function signInStep(ask: Ask, browser: AtBrowser): Step | null {
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
  // A wish that cannot be met is dropped, a demand is not (OpenID Connect Core §5.5.1.1).
  if (ask.essentialAcr === null) return null
  return { do: 'refuse', word: 'unmet_authentication_requirements' }
}

export function wantsStepUp(ask: Ask, { acr }: Pick<SignedIn, 'acr'>): boolean {
  const wanted = ask.essentialAcr ?? ask.acrValues
  return wanted.length > 0 && !wanted.some((one) => satisfies(acr, one))
}

/** Where the most that somebody could prove is not enough, it is not asked of them. */
export function stepUpHelps(ask: Ask, reachable: Acr | null): boolean {
  const wanted = ask.essentialAcr ?? ask.acrValues
  return reachable !== null && wanted.some((one) => satisfies(reachable, one))
}

/**
 * Several accounts, and nobody has said which one: told apart by a hint, asked for by
 * `select_account`, and never guessed in silence (OpenID Connect Core §3.1.2.6).
 */
function needsChoice(ask: Ask, { session, others, chosenAt }: AtBrowser): boolean {
  if (others.length === 0 && !session) return false
  if (ask.prompt.includes('none')) {
    return others.length > 0 && ask.hintedUserId === null && ask.loginHint === null
  }
  if (chosenAt !== null || (session && session.signedInAt >= ask.askedAt)) return false
  if (ask.prompt.includes('select_account')) return true
  return isAnotherThanHinted(ask, session) && others.some((id) => id === ask.hintedUserId)
}

function isAnotherThanHinted({ hintedUserId }: Ask, session: SignedIn | null): boolean {
  return hintedUserId !== null && hintedUserId !== session?.userId
}

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
