import { isPlainlyRefused } from '../../base/address-guard'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import { ASSERTION_SECONDS, DEVICE_CODE, INITIAL_FLAGS } from '../../oidc/client'
import { registrationProblems } from '../../oidc/registration'
import { outboundHostsFor } from '../../settings/outbound-hosts'
import type { ApplicationFields, ApplicationRecord } from '../../store/applications/applications'
import { fieldProblem, Problem, requireNone } from '../http/problem'

/** Rules for applications, and the fields whose change lets somebody act as the application. */

const CODE_FLOW = ['authorization_code', 'refresh_token']
const BY_SECRET = ['client_secret_basic', 'client_secret_post'] as const

/**
 * Many clients read the name and the email address of a user from the ID token and never call
 * userinfo, oidc-client-ts in the browser among them.
 */
export const BY_KIND = {
  web: {
    grantTypes: CODE_FLOW,
    authMethods: BY_SECRET,
    pkce: 'learned',
    profileInIdToken: true,
  },
  spa: { grantTypes: CODE_FLOW, authMethods: ['none'], origins: null, profileInIdToken: true },
  native: { grantTypes: CODE_FLOW, authMethods: ['none'], profileInIdToken: true },
  device: { grantTypes: [DEVICE_CODE, 'refresh_token'], authMethods: ['none'] },
  machine: { grantTypes: ['client_credentials'], authMethods: BY_SECRET },
} as const

export const DEFAULTS = {
  publisher: null,
  publisherVerified: false,
  logoUri: null,
  policyUri: null,
  tosUri: null,
  spaceId: null,
  redirectUris: [],
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  initiateLoginUri: null,
  origins: [],
  jwks: null,
  jwksUri: null,
  assertionAudience: 'issuer',
  assertionSeconds: ASSERTION_SECONDS.usual,
  pkce: 'required',
  pkceLearned: false,
  assertionAlg: null,
  defaultMaxAge: null,
  ...INITIAL_FLAGS,
  requiredScopes: [],
  defaultScopes: [],
  preapprovedScopes: [],
  idTokenAlg: 'RS256',
  userinfoAlg: null,
  accessTokenAlg: 'ES256',
  accessTokenType: 'at+jwt',
  claimMappings: [],
  registration: 'admin',
  scopeLimit: null,
  ownerId: null,
  disabledAt: null,
} as const satisfies Partial<ApplicationFields>

/** `before`: what it was, if it is changed. */
export function requireRegistrable(
  op: Op,
  application: ApplicationRecord,
  before: ApplicationRecord | null = null,
): void {
  requireNone([
    ...registrationProblems(application).map(({ pointer, reason }) =>
      fieldProblem(pointer, reason),
    ),
    ...addressProblems(op, application, before),
  ])
}

const CALLED = ['backchannelLogoutUri', 'jwksUri'] as const

/**
 * Refuses addresses that the portal would never call (attack N19, R40). One that stays as it was is
 * not asked about: the operator may have taken back its host, and the application must still be
 * possible to disable.
 */
function addressProblems(op: Op, after: ApplicationRecord, before: ApplicationRecord | null) {
  const hosts = outboundHostsFor(op.config, after.registration)
  return CALLED.flatMap((field) => {
    const uri = after[field]
    if (uri === null || uri === before?.[field] || !URL.canParse(uri)) return []
    if (!isPlainlyRefused(new URL(uri), hosts)) return []
    return [fieldProblem(`/${field}`, errorMessage('address_not_public'))]
  })
}

/** A public client cannot keep a secret, and a client that signs assertions needs none. */
export function takesSecrets({ authMethods }: Pick<ApplicationRecord, 'authMethods'>): boolean {
  return authMethods.some((method) => method.startsWith('client_secret'))
}

export function requireTakesSecrets(application: ApplicationRecord): void {
  if (takesSecrets(application)) return
  throw new Problem('conflict', errorMessage('secret_not_possible'))
}

/** Whoever sets one of these fields can act as the application, or let somebody else do so. */
const WAYS_IN = [
  'redirectUris',
  'origins',
  'grantTypes',
  'authMethods',
  'jwks',
  'jwksUri',
  'assertionAudience',
  'assertionAudienceList',
  'assertionSeconds',
  'accessTokenType',
  'pkce',
  'scopeLimit',
  'ownerId',
] as const satisfies readonly (keyof ApplicationRecord)[]

/** Every user finds a first-party application at their home, and is sent where it starts. */
export function opensIt(before: ApplicationRecord, after: ApplicationRecord): boolean {
  const enables = before.disabledAt !== null && after.disabledAt === null
  const differs = (field: (typeof WAYS_IN)[number]) =>
    JSON.stringify(before[field]) !== JSON.stringify(after[field])
  const leads = before.firstParty && before.initiateLoginUri !== after.initiateLoginUri
  return enables || leads || WAYS_IN.some(differs)
}
