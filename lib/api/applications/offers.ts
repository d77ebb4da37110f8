import { ASSERTION_SECONDS, assertionRules } from '../../oidc/client'
import { paths } from '../../oidc/paths'
import { originFault, originsOf } from '../../oidc/redirect-uri'
import {
  type ApplicationFields,
  type ApplicationRecord,
  allowedOrigins,
} from '../../store/applications/applications'

/**
 * The setting of an application with which a refused request would have been accepted. It is only
 * offered: a person decides, with what it costs in front of them.
 */

type Offer = Partial<
  Pick<
    ApplicationFields,
    'pkce' | 'assertionAudience' | 'assertionAudienceList' | 'assertionSeconds' | 'origins'
  >
>

type Facts = Readonly<Record<string, unknown>>
type Portal = { origin: string; issuer: string }

/** Null if no setting helps, or if it was set meanwhile. */
export function offerFor(
  portal: Portal,
  application: ApplicationRecord,
  reason: string,
  facts: Facts,
): Offer | null {
  const offer = OFFERS[reason]?.(portal, application, facts) ?? {}
  const missing = Object.entries(offer).filter(
    ([field, value]) => application[field as keyof Offer] !== value,
  )
  return missing.length > 0 ? Object.fromEntries(missing) : null
}

const withoutPkce = (_portal: Portal, { authMethods }: ApplicationRecord): Offer =>
  authMethods.includes('none') ? {} : { pkce: 'not_required' }

const OFFERS: Record<string, (portal: Portal, of: ApplicationRecord, facts: Facts) => Offer> = {
  pkce_missing: withoutPkce,
  pkce_learned: withoutPkce,
  assertion_audience: audienceOffer,
  assertion_life: lifeOffer,
  origin_refused: (_portal, application, { origin }) => originOffer(application, origin),
}

/** Those of the redirect URIs if they are enough, so that a new redirect URI brings its own. */
function originOffer(application: ApplicationRecord, origin: unknown): Offer {
  const now = allowedOrigins(application)
  if (typeof origin !== 'string' || originFault(origin) !== null || now.includes(origin)) return {}
  const wanted = [...now, origin]
  const derived = originsOf(application.redirectUris)
  return { origins: wanted.every((one) => derived.includes(one)) ? null : wanted }
}

type Audience = ReturnType<typeof assertionRules>['audience']
const WIDTH: readonly Audience[] = ['issuer', 'token_endpoint', 'endpoint']

/** One step: a library that sends another audience usually also makes assertions that live longer. */
const COMPATIBLE: Offer = { assertionAudience: 'compatible' }

function audienceOffer(portal: Portal, application: ApplicationRecord, facts: Facts): Offer {
  const { given, endpoint } = facts
  const [only, ...others] = [given].flat()
  const wanted = audienceFor(portal, only, endpoint)
  if (!wanted || others.length > 0) return {}
  const { audience, list, seconds } = assertionRules(application)
  const isWide = WIDTH.indexOf(audience) >= WIDTH.indexOf(wanted)
  const isList = Array.isArray(given)
  if (isWide && (list || !isList)) return {}
  if (wanted !== 'endpoint' && audience !== 'endpoint') return COMPATIBLE
  const takesList = list || isList
  return {
    assertionAudience: 'endpoint',
    assertionAudienceList: takesList,
    // What it has by being compatible, it keeps.
    assertionSeconds: seconds,
  }
}

function lifeOffer(_portal: Portal, application: ApplicationRecord, { seconds }: Facts): Offer {
  const { audience, seconds: longest } = assertionRules(application)
  const isWithin = Number(seconds) > longest && Number(seconds) <= ASSERTION_SECONDS.longest
  if (!isWithin) return {}
  return audience === 'endpoint' ? { assertionSeconds: ASSERTION_SECONDS.longest } : COMPATIBLE
}

function audienceFor(
  { issuer, origin }: Portal,
  given: unknown,
  endpoint: unknown,
): Audience | null {
  if (given === issuer) return 'issuer'
  if (given === origin + paths.token) return 'token_endpoint'
  return given === endpoint ? 'endpoint' : null
}
