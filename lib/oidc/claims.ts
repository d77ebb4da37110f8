import type { Person } from './provider'

/** Which claims a scope gives (OpenID Connect Core §5.4); they come from userinfo. */

type Claims = Record<string, unknown>

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

const scopeClaims: Record<string, (person: Person) => Claims> = {
  profile: (person) => ({
    name: person.name,
    preferred_username: person.username,
    updated_at: Math.floor(person.updatedAt.getTime() / 1000),
    ...pick(person.profile, PROFILE_MEMBERS),
  }),
  email: (person) => ({
    email: person.email,
    email_verified: person.email && person.emailVerified,
  }),
  address: (person) => pick(person.profile, ['address']),
  phone: (person) => pick(person.profile, ['phone_number', 'phone_number_verified']),
}

export const CLAIMS_SUPPORTED = [
  'sub',
  'name',
  'preferred_username',
  'updated_at',
  ...PROFILE_MEMBERS,
  'email',
  'email_verified',
  'address',
  'phone_number',
  'phone_number_verified',
]

/**
 * The claims of the granted scopes, and claims requested by name if their scope was granted too.
 */
export function claimsFor(
  person: Person,
  scopes: readonly string[],
  named: readonly string[],
): Claims {
  const given = scopes.map((scope) => scopeClaims[scope]?.(person) ?? {})
  const all = Object.assign({}, ...Object.values(scopeClaims).map((claims) => claims(person)))
  // `claims` requests single claims; a name is part of the profile that the user agreed to share.
  const byName = scopes.includes('openid') ? pick(all, named.filter(isHarmless)) : {}
  return { sub: person.id, ...withoutNull({ ...byName, ...Object.assign({}, ...given) }) }
}

/** Contact data need their own scope, and so the consent of the user. */
function isHarmless(claim: string): boolean {
  return ['name', 'preferred_username', 'updated_at', 'locale', 'zoneinfo', 'nickname'].includes(
    claim,
  )
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
