import type { ClaimMapping, ClaimPlace } from './client'
import { isWanted, type NamedClaims } from './requested-claims'
import type { Person } from './stores'

/** Which claims about a user a scope gives (OpenID Connect Core §5.4), and where they go. */

export type Claims = Record<string, unknown>

/** What tokens can say about a user. Groups and roles are read only if their scope was granted. */
export type AboutUser = {
  person: Person
  groups: readonly string[] | null
  roles: readonly string[] | null
  /** Those that admins defined. */
  attributes: Attributes
  /** Of these, the ones that only admins ever wrote. */
  trusted: Attributes
}

type Attributes = Readonly<Record<string, unknown>>

const PROFILE_MEMBERS = [
  'family_name',
  'given_name',
  'middle_name',
  'nickname',
  'profile',
  'picture',
  'website',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
]

const scopeClaims: Record<string, (about: AboutUser) => Claims> = {
  profile: ({ person }) => ({
    name: person.name,
    preferred_username: person.username,
    updated_at: Math.floor(person.updatedAt.getTime() / 1000),
    ...pick(person.profile, PROFILE_MEMBERS),
  }),
  email: ({ person }) => ({
    email: person.email,
    email_verified: person.email && person.emailVerified,
  }),
  address: ({ person }) => pick(person.profile, ['address']),
  phone: ({ person }) => pick(person.profile, ['phone_number', 'phone_number_verified']),
  groups: ({ groups }) => ({ groups }),
  roles: ({ roles }) => ({ roles }),
}

/** The claims of the scope `profile`. */
export const PROFILE_CLAIMS = ['name', 'preferred_username', 'updated_at', ...PROFILE_MEMBERS]

const ABOUT_USERS = [
  ...PROFILE_CLAIMS,
  'email',
  'email_verified',
  'address',
  'phone_number',
  'phone_number_verified',
  'groups',
  'roles',
]

const OF_ID_TOKENS = ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr', 'sid']

export const CLAIMS_SUPPORTED = [...OF_ID_TOKENS, ...ABOUT_USERS]

/** Names that no attribute can be mapped to: the protocol or a scope gives them their meaning. */
export const RESERVED_CLAIMS: ReadonlySet<string> = new Set([
  ...CLAIMS_SUPPORTED,
  ...[
    'nbf',
    'jti',
    'azp',
    'at_hash',
    'c_hash',
    's_hash',
    'sub_jwk',
    'typ',
    'scope',
    'client_id',
    'grant_id',
  ],
  ...[
    'act',
    'may_act',
    'exchanged',
    'cnf',
    'events',
    'entitlements',
    'active',
    'token_type',
    'decision_id',
  ],
  ...['scope_rejected', '_claim_names', '_claim_sources', '__proto__'],
])

/** Userinfo: the claims of the granted scopes, those requested by name, and mapped attributes. */
export function userinfoClaims(about: AboutUser, wanted: Wanted): Claims {
  return {
    sub: about.person.id,
    ...mapped(about, wanted.mappings, 'userinfo'),
    ...requestedByName(about, wanted),
    ...claimsOfScopes(about, wanted.scopes),
  }
}

type Wanted = {
  scopes: readonly string[]
  named: NamedClaims
  /** Scopes that give what is asked for by name and nothing else: see `agreedForNames`. */
  namedScopes?: readonly string[]
  mappings: readonly ClaimMapping[]
}

/** The ID token: what was requested for it, and all of it if the application is set to that. */
export function idTokenClaims(
  about: AboutUser,
  { withProfile, ...wanted }: Wanted & { withProfile: boolean },
): Claims {
  return fitting({
    ...mapped(about, wanted.mappings, 'id_token'),
    ...requestedByName(about, wanted),
    ...(withProfile && claimsOfScopes(about, wanted.scopes)),
  })
}

/** An API could take what a user wrote for what an admin decided: that never gets here. */
export function accessTokenAttributes(
  { trusted }: Pick<AboutUser, 'trusted'>,
  mappings: readonly ClaimMapping[],
): Claims {
  return fitting(mapped({ attributes: trusted }, mappings, 'access_token'))
}

/** Whether an ID token of this application says more about its user than the protocol requires. */
export function saysMore(
  { profileInIdToken, claimMappings }: Mapping,
  named: NamedClaims,
): boolean {
  const maps = claimMappings.some((mapping) => mapping.in.includes('id_token'))
  return profileInIdToken || maps || Object.keys(named).length > 0
}

type Mapping = { profileInIdToken: boolean; claimMappings: readonly ClaimMapping[] }

function claimsOfScopes(about: AboutUser, scopes: readonly string[]): Claims {
  const known = scopes.filter((scope) => Object.hasOwn(scopeClaims, scope))
  return withoutNull(Object.assign({}, ...known.map((scope) => scopeClaims[scope]?.(about))))
}

/** A claim requested by name is given if the user agreed to the scope that it belongs to. */
function requestedByName(
  about: AboutUser,
  { scopes, named, namedScopes = [] }: Omit<Wanted, 'mappings'>,
): Claims {
  if (Object.keys(named).length === 0 || !scopes.includes('openid')) return {}
  return Object.fromEntries(
    Object.entries(claimsOfScopes(about, [...scopes, ...namedScopes])).filter(
      ([name, value]) => Object.hasOwn(named, name) && isWanted(named[name] ?? null, value),
    ),
  )
}

function mapped(
  { attributes }: Pick<AboutUser, 'attributes'>,
  mappings: readonly ClaimMapping[],
  place: ClaimPlace,
): Claims {
  const here = mappings.filter((mapping) => mapping.in.includes(place))
  return withoutNull(
    Object.fromEntries(here.map(({ claim, attribute }) => [claim, own(attributes, attribute)])),
  )
}

function own(of: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(of, name) ? of[name] : null
}

const MAX_IN_TOKEN_LENGTH = 4 * 1024

/**
 * A token travels in headers and URLs, so it has a limit. What does not fit is left out as a whole,
 * the longest first; userinfo has it.
 */
function fitting(claims: Claims): Claims {
  const entries = Object.entries(claims)
  const sizeOf = (entry: [string, unknown]) => Buffer.byteLength(JSON.stringify(entry))
  const byLength = [...entries].sort((a, b) => sizeOf(b) - sizeOf(a))
  let size = entries.reduce((sum, entry) => sum + sizeOf(entry), 0)
  const left = new Set<string>()
  for (const entry of byLength) {
    if (size <= MAX_IN_TOKEN_LENGTH) break
    size -= sizeOf(entry)
    left.add(entry[0])
  }
  return left.size === 0 ? claims : Object.fromEntries(entries.filter(([name]) => !left.has(name)))
}

function pick(from: Claims, names: readonly string[]): Claims {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name]]),
  )
}

function withoutNull(claims: Claims): Claims {
  return Object.fromEntries(
    Object.entries(claims).filter(([, value]) => value !== null && value !== undefined),
  )
}
