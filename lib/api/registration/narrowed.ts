import type { ApplicationRecord } from '../../store/applications/applications'

/**
 * What an admin took away from a client stays away, whatever it says of itself next. Taken away is
 * what it said before and does not have any more.
 */

/** What is stored of the metadata that the client sent last. */
type Said = Record<string, unknown>

const LISTS = {
  redirect_uris: 'redirectUris',
  post_logout_redirect_uris: 'postLogoutRedirectUris',
  grant_types: 'grantTypes',
} as const

type Member = keyof typeof LISTS

const SINGLES = {
  initiate_login_uri: 'initiateLoginUri',
  default_max_age: 'defaultMaxAge',
  token_endpoint_auth_signing_alg: 'assertionAlg',
  userinfo_signed_response_alg: 'userinfoAlg',
} as const

type Single = keyof typeof SINGLES
/** `Object.keys` types the keys of a table as `string`. */
const SINGLE_NAMES = Object.keys(SINGLES) as readonly Single[]

/** Those that an admin set to something else than the client said. */
function chosenByAdmin(before: ApplicationRecord, said: Said): readonly Single[] {
  return SINGLE_NAMES.filter((name) => before[SINGLES[name]] !== (said[name] ?? null))
}

function takenFrom(before: ApplicationRecord, said: Said, member: Member): unknown[] {
  const had: readonly unknown[] = before[LISTS[member]]
  return listIn(said[member]).filter((one) => !had.includes(one))
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Whether an admin chose another way to authenticate. */
function isOwnProof({ authMethods }: ApplicationRecord, said: Said): boolean {
  const method = said.token_endpoint_auth_method
  return method !== undefined && !authMethods.some((one) => one === method)
}

type Described = Pick<
  ApplicationRecord,
  | 'redirectUris'
  | 'postLogoutRedirectUris'
  | 'grantTypes'
  | 'authMethods'
  | 'jwks'
  | 'jwksUri'
  | (typeof SINGLES)[Single]
>

export function withoutTaken<D extends Described>(
  before: ApplicationRecord,
  said: Said,
  described: D,
): D {
  const left = (member: Member) => {
    const taken = takenFrom(before, said, member)
    return described[LISTS[member]].filter((one) => !taken.includes(one))
  }
  const { authMethods, jwks, jwksUri } = before
  return {
    ...described,
    redirectUris: left('redirect_uris'),
    postLogoutRedirectUris: left('post_logout_redirect_uris'),
    grantTypes: left('grant_types'),
    ...(isOwnProof(before, said) && { authMethods: [...authMethods], jwks, jwksUri }),
    ...Object.fromEntries(
      chosenByAdmin(before, said).map((name) => [SINGLES[name], before[SINGLES[name]]]),
    ),
  }
}

/** To be stored after a change, so that what was taken away is known next time too. */
export function saidAfter(before: ApplicationRecord, said: Said, sent: Said): Said {
  const joined = (member: Member) => [
    ...new Set([...listIn(sent[member]), ...takenFrom(before, said, member)]),
  ]
  const { token_endpoint_auth_method } = said
  return {
    ...sent,
    redirect_uris: joined('redirect_uris'),
    post_logout_redirect_uris: joined('post_logout_redirect_uris'),
    grant_types: joined('grant_types'),
    ...(isOwnProof(before, said) && { token_endpoint_auth_method }),
    ...Object.fromEntries(chosenByAdmin(before, said).map((name) => [name, said[name]])),
  }
}
