/** What the protocol knows about an application and its credentials. */

export const AUTH_METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
] as const
export const APPLICATION_KINDS = ['web', 'spa', 'native', 'device', 'machine'] as const
/** RFC 8628 §3.4 */
export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
export const TOKEN_ALGORITHMS = ['ES256', 'RS256'] as const
export const ASSERTION_ALGORITHMS = ['ES256', 'PS256', 'EdDSA', 'RS256'] as const
type AssertionAlgorithm = (typeof ASSERTION_ALGORITHMS)[number]
export const ACCESS_TOKEN_TYPES = ['at+jwt', 'JWT'] as const
/**
 * `endpoint`: also the URL of the endpoint that is called. `compatible` is one answer to all that
 * older libraries do, see `assertionRules`.
 */
export const ASSERTION_AUDIENCES = ['issuer', 'token_endpoint', 'endpoint', 'compatible'] as const
export const ASSERTION_SECONDS = { usual: 300, longest: 3600 } as const

/** Who made it: an admin, the client itself (RFC 7591), or a document at its client ID. */
export const REGISTRATIONS = ['admin', 'dynamic', 'metadata_document'] as const

/**
 * `learned`: not required until the application has used PKCE once, and required from then on.
 * RFC 9700 §2.1.1 requires PKCE of public clients and recommends it to all others.
 */
export const PKCE_SETTINGS = ['required', 'learned', 'not_required'] as const
export type PkceSetting = (typeof PKCE_SETTINGS)[number]

export const CLAIM_PLACES = ['id_token', 'userinfo', 'access_token'] as const
export type ClaimPlace = (typeof CLAIM_PLACES)[number]

/** An attribute of users that an application gets, under the name of a claim. */
export type ClaimMapping = { attribute: string; claim: string; in: readonly ClaimPlace[] }

export type AuthMethod = (typeof AUTH_METHODS)[number]

/**
 * The boolean columns of an application: what a new application starts with, and the part of the
 * settings page that shows it. The store, the API, configuration as code and the page read this.
 */
const FLAGS = {
  // The portal always sends `auth_time`; this is what the client was promised.
  requireAuthTime: { initial: false, section: 'security' },
  assertionAudienceList: { initial: false, section: 'compatibility' },
  audienceParameter: { initial: false, section: 'compatibility' },
  profileInIdToken: { initial: false, section: 'claims' },
  strictScopes: { initial: false, section: 'scopes' },
  mayImpersonate: { initial: false, section: 'scopes' },
  firstParty: { initial: false, section: 'first_party' },
} as const satisfies Record<string, Flag>

type Flag = { initial: boolean; section: FlagSection }
export type FlagSection =
  | 'general'
  | 'security'
  | 'compatibility'
  | 'claims'
  | 'scopes'
  | 'first_party'
export type ApplicationFlag = keyof typeof FLAGS
/** `Object.keys` types the keys of a table as `string`. */
export const FLAG_NAMES = Object.keys(FLAGS) as readonly ApplicationFlag[]

export function mapFlags<Value>(
  toValue: (name: ApplicationFlag) => Value,
): Record<ApplicationFlag, Value> {
  const entries = FLAG_NAMES.map((name) => [name, toValue(name)])
  // `fromEntries` types the keys of its answer as `string`.
  return Object.fromEntries(entries) as Record<ApplicationFlag, Value>
}

export const INITIAL_FLAGS = mapFlags((name): boolean => FLAGS[name].initial)

export function flagsOf(section: FlagSection): ApplicationFlag[] {
  return FLAG_NAMES.filter((name) => FLAGS[name].section === section)
}

export type Application = Record<ApplicationFlag, boolean> & {
  id: string
  kind: (typeof APPLICATION_KINDS)[number]
  enabled: boolean
  authMethods: readonly AuthMethod[]
  pkce: PkceSetting
  /** The setting is `learned`, and the application has used PKCE. */
  pkceLearned: boolean
  grantTypes: readonly string[]
  /** Browser origins that may call the token endpoint; null for those of its redirect URIs. */
  origins: readonly string[] | null
  name: string
  spaceId: string | null
  redirectUris: readonly string[]
  postLogoutRedirectUris: readonly string[]
  requiredScopes: readonly string[]
  defaultScopes: readonly string[]
  /** Permissions that users of a first-party application are not asked about. */
  preapprovedScopes: readonly string[]
  /** The public keys for its client assertions; null if it has none. */
  jwks: { keys: { kty: string; [member: string]: unknown }[] } | null
  /** Where its keys are published instead. */
  jwksUri: string | null
  /** RFC 7523bis requires the issuer; older clients send the token endpoint. */
  assertionAudience: (typeof ASSERTION_AUDIENCES)[number]
  /** The longest life of its client assertions. */
  assertionSeconds: number
  /** The only algorithm of its client assertions; null for every one that the portal knows. */
  assertionAlg: AssertionAlgorithm | null
  /** RFC 9068 §2.1 requires `at+jwt`; some libraries know only `JWT`. */
  accessTokenType: (typeof ACCESS_TOKEN_TYPES)[number]
  accessTokenAlg: (typeof TOKEN_ALGORITHMS)[number]
  idTokenAlg: (typeof TOKEN_ALGORITHMS)[number]
  /** Signs userinfo (OpenID Connect Core §5.3.2); null for plain JSON. */
  userinfoAlg: (typeof TOKEN_ALGORITHMS)[number] | null
  /** Seconds since the sign-in, where a request has no `max_age`; null for any. */
  defaultMaxAge: number | null
  claimMappings: readonly ClaimMapping[]
  registration: (typeof REGISTRATIONS)[number]
  /** The only scopes that it can get, whatever it holds; null if there is no limit. */
  scopeLimit: readonly string[] | null
}

export type AccessKey = {
  id: string
  enabled: boolean
  scopes: readonly string[] | null
  tokenSeconds: number | null
  expiresAt: number | null
}

export type Secret = { id: string; hash: string; expiresAt: number | null }

/** One client_id: an application or one of its access keys, with its secrets. */
export type Credential = {
  clientId: string
  application: Application
  accessKey: AccessKey | null
  secrets: readonly Secret[]
}

/** A credential that has authenticated, or is public and does not need to. */
export type Client = {
  id: string
  application: Application
  accessKey: AccessKey | null
  confidential: boolean
}

/**
 * Can it be used now? Neither the application nor the access key is disabled, and the key has not
 * expired. Tokens issued to it end with it.
 */
export function isUsable(credential: Parts, now: Date): boolean {
  return whyUnusable(credential, now) === null
}

type Parts = Pick<Credential, 'application' | 'accessKey'>

/** The reason for a refusal; null if it can be used. */
export function whyUnusable(
  { application, accessKey }: Parts,
  now: Date,
): 'application_disabled' | 'access_key_unusable' | null {
  if (!application.enabled) return 'application_disabled'
  if (accessKey === null) return null
  const isOpen = accessKey.enabled && isUnexpired(accessKey.expiresAt, now)
  return isOpen ? null : 'access_key_unusable'
}

export function isUnexpired(expiresAt: number | null, now: Date): boolean {
  return expiresAt === null || now.getTime() < expiresAt
}

type OfAssertions = Pick<
  Application,
  'assertionAudience' | 'assertionAudienceList' | 'assertionSeconds'
>

/** Which assertions are accepted: the three settings, or `compatible` in place of all three. */
export function assertionRules(application: OfAssertions) {
  const { assertionAudience, assertionAudienceList, assertionSeconds } = application
  if (assertionAudience === 'compatible') {
    return { audience: 'token_endpoint', list: true, seconds: ASSERTION_SECONDS.longest } as const
  }
  return { audience: assertionAudience, list: assertionAudienceList, seconds: assertionSeconds }
}

/** Settings with which an application is less safe than with those that it starts with. */
const WEAKENINGS = [
  'no_pkce',
  'plain_jwt',
  'assertion_compatible',
  'assertion_audience',
  'assertion_list',
  'assertion_life',
] as const
type Weakening = (typeof WEAKENINGS)[number]

export type Weakenable = Pick<
  Application,
  'pkce' | 'accessTokenType' | 'assertionAudience' | 'assertionAudienceList' | 'assertionSeconds'
>

const IS_WEAKENED: Record<Weakening, (application: Weakenable) => boolean> = {
  no_pkce: ({ pkce }) => pkce === 'not_required',
  plain_jwt: ({ accessTokenType }) => accessTokenType !== 'at+jwt',
  assertion_compatible: isCompatible,
  assertion_audience: (one) => !isCompatible(one) && one.assertionAudience !== 'issuer',
  assertion_list: (one) => !isCompatible(one) && one.assertionAudienceList,
  assertion_life: (one) => !isCompatible(one) && one.assertionSeconds > ASSERTION_SECONDS.usual,
}

function isCompatible({ assertionAudience }: Pick<Application, 'assertionAudience'>): boolean {
  return assertionAudience === 'compatible'
}

export function weakeningsOf(application: Weakenable): Weakening[] {
  return WEAKENINGS.filter((weakening) => IS_WEAKENED[weakening](application))
}
