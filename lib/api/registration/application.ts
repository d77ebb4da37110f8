import { OPENID_SCOPES } from '../../access/decide-scopes'
import type { Policy } from '../../access/policy'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import { type Application, DEVICE_CODE } from '../../oidc/client'
import { isPlainLoopback, originsOf, placeOf } from '../../oidc/redirect-uri'
import type { ClientRegistration } from '../../settings/client-registration'
import type { ApplicationRecord } from '../../store/applications/applications'
import { DEFAULTS, requireRegistrable } from '../applications/rules'
import { isProblem } from '../http/problem'
import { imitationIn, resembles } from '../settings/brand-text'
import { badMetadata, type ClientMetadata } from './metadata'
import { redirectHostMistake } from './redirect-hosts'

/** From client metadata to an application, as far as the settings allow it, and back. */

/** `ownHost`: where the metadata itself was read, which the client may always lead back to. */
export type RegistrationPolicy = ClientRegistration & { ownHost?: string }

/** What the metadata says of the application; everything else is for the settings and for admins. */
export function describedBy(op: Op, policy: RegistrationPolicy, sent: ClientMetadata) {
  requireAllowed(policy, sent)
  const kind = kindOf(sent)
  requireRedirects(policy, sent.redirect_uris, kind)
  requireRedirects(policy, sent.post_logout_redirect_uris, kind, 'post_logout_redirect_uris')
  requireRedirects(policy, [sent.initiate_login_uri ?? []].flat(), kind, 'initiate_login_uri')
  return {
    kind,
    name: nameOf(op, sent),
    logoUri: sent.logo_uri ?? null,
    policyUri: sent.policy_uri ?? null,
    tosUri: sent.tos_uri ?? null,
    redirectUris: sent.redirect_uris,
    postLogoutRedirectUris: sent.post_logout_redirect_uris,
    backchannelLogoutUri: sent.backchannel_logout_uri ?? null,
    initiateLoginUri: sent.initiate_login_uri ?? null,
    origins: kind === 'spa' ? originsOf(sent.redirect_uris) : [],
    grantTypes: sent.grant_types,
    authMethods: [sent.token_endpoint_auth_method],
    jwks: sent.jwks ?? null,
    jwksUri: sent.jwks_uri ?? null,
    assertionAlg: sent.token_endpoint_auth_signing_alg ?? null,
    idTokenAlg: sent.id_token_signed_response_alg,
    userinfoAlg: sent.userinfo_signed_response_alg ?? null,
    defaultMaxAge: sent.default_max_age ?? null,
    requireAuthTime: sent.require_auth_time ?? false,
    scopeLimit: scopesOf(policy, sent),
  } satisfies Partial<ApplicationRecord>
}

export function newFields(op: Op, policy: RegistrationPolicy, sent: ClientMetadata) {
  const requires = policy.requirePkce || sent.token_endpoint_auth_method === 'none'
  return {
    ...DEFAULTS,
    ...describedBy(op, policy, sent),
    assertionAudience: policy.assertionAudience,
    pkce: requires ? ('required' as const) : ('learned' as const),
  }
}

function requireAllowed(policy: ClientRegistration, sent: ClientMetadata): void {
  const allowed: readonly string[] = policy.grantTypes
  if (!sent.grant_types.every((grant) => allowed.includes(grant))) {
    throw badMetadata(
      'grant_types',
      errorMessage('grant_type_refused', { allowed: allowed.join(', ') }),
    )
  }
  // OpenID Connect Registration 1.0 §2: the response type `code` goes with its grant type. A device
  // has neither (RFC 8628).
  if (!sent.grant_types.includes('authorization_code') && !isDevice(sent)) {
    throw badMetadata('grant_types', errorMessage('grant_type_code'))
  }
}

function isDevice({ grant_types }: ClientMetadata): boolean {
  return grant_types.includes(DEVICE_CODE) && !grant_types.includes('authorization_code')
}

/**
 * A client on the user's own machine is native, also if it does not say so: RFC 7591 has no word for
 * it, and agents send none. Without a secret, the port of its address is free, and it asks for
 * consent every time (RFC 8252 §7.3, §8.6).
 */
function kindOf(sent: ClientMetadata): Application['kind'] {
  if (isDevice(sent)) return 'device'
  const isPublic = sent.token_endpoint_auth_method === 'none'
  const isLocal = sent.redirect_uris.some((uri) => isPlainLoopback(uri) || !/^https?:/i.test(uri))
  if (sent.application_type === 'native') return 'native'
  if (sent.application_type === undefined && isLocal) return 'native'
  return isPublic ? 'spa' : 'web'
}

function requireRedirects(
  { redirectHosts, ownHost }: RegistrationPolicy,
  uris: readonly string[],
  kind: Application['kind'],
  member = 'redirect_uris',
): void {
  for (const uri of uris) {
    if (!URL.canParse(uri)) throw badMetadata(member, errorMessage('uri_characters'))
    if (new URL(uri).host === ownHost) continue
    const wrong = redirectHostMistake(uri, kind === 'native', redirectHosts)
    if (wrong) throw badMetadata(member, wrong)
  }
}

/**
 * Without a name, the host that it sends people to; a device sends nobody. Never what looks like
 * the portal or like its words: people read this name on the portal's own pages.
 */
function nameOf(op: Op, { client_name: given, redirect_uris }: ClientMetadata): string {
  const [first] = redirect_uris
  const name = given ?? (first === undefined ? UNNAMED_DEVICE : placeOf(first))
  const isForged = given !== undefined && imitationIn(given) !== null
  if (isForged || resembles(name, op.settings.known().branding.name)) {
    throw badMetadata('client_name', errorMessage('name_of_portal'))
  }
  return name.slice(0, 100)
}

const UNNAMED_DEVICE = 'Device'

/**
 * RFC 7591 §2: the server may register others than were asked for, and says so in its answer. A
 * client registers with what it needs first, and asks for more when an API tells it to (MCP, scope
 * challenge). So one permission of an API stands for all that the settings list of it.
 */
function scopesOf(policy: ClientRegistration, sent: ClientMetadata): string[] {
  if (sent.scope === undefined) return [...policy.scopes]
  const asked = new Set(sent.scope.split(' '))
  // Whoever signed a software statement approved what it names, and no more.
  const apis = new Set(sent.software_statement === undefined ? [...asked].flatMap(apiPrefix) : [])
  const isNamed = (one: string) => asked.has(one) || apiPrefix(one).some((api) => apis.has(api))
  const scopes = policy.scopes.filter(isNamed)
  if (scopes.length > 0) return scopes
  throw badMetadata('scope', errorMessage('scopes_refused'))
}

function apiPrefix(scope: string): string[] {
  const [prefix = '', action] = scope.split(':')
  return action === undefined ? [] : [prefix]
}

/** The permissions of APIs among them, which the application must be granted. */
export function permissionsIn({ items }: Policy, scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !OPENID_SCOPES.has(scope) && items.has(scope))
}

/** The rules of every application, in the words of the client. */
export function requireSound(op: Op, application: ApplicationRecord): void {
  try {
    requireRegistrable(op, application)
  } catch (error) {
    const [first] = isProblem(error) ? (error.options.errors ?? []) : []
    if (!first) throw error
    const [, field = ''] = first.pointer.split('/')
    const { code, values = {} } = first
    throw badMetadata(MEMBER[field] ?? 'client_metadata', { code, values })
  }
}

const MEMBER: Record<string, string> = {
  redirectUris: 'redirect_uris',
  postLogoutRedirectUris: 'post_logout_redirect_uris',
  backchannelLogoutUri: 'backchannel_logout_uri',
  grantTypes: 'grant_types',
  authMethods: 'token_endpoint_auth_method',
  jwks: 'jwks',
  jwksUri: 'jwks_uri',
}
