import { z } from 'zod'
import { AddressRefused, resolveAllowed } from '../base/address-guard'
import { guardedRequest } from '../base/guarded-request'
import { ID_TOKEN_ALGORITHMS, isSameProvider, type UpstreamProvider } from '../settings/providers'

/** The endpoints of a provider: GitHub's are known, all others publish them. */

const KEPT_MS = 10 * 60 * 1000

export type Endpoints = {
  authorization: string
  token: string
  userinfo: string | null
  jwks: string | null
  tokenAuthMethod: 'client_secret_basic' | 'client_secret_post'
  idTokenAlgorithm: string
  /**
   * The provider names itself in every answer (RFC 9207), so an answer without a name is refused.
   */
  namesItself: boolean
}

const document = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url().optional(),
  jwks_uri: z.url(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  id_token_signing_alg_values_supported: z.array(z.string()).default(['RS256']),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
})

class DiscoveryError extends Error {}

export type Discover = (provider: UpstreamProvider) => Promise<Endpoints>

/**
 * Caches results for a while, but no failures; concurrent callers share one request. A result is
 * for one kind, issuer and client: a changed provider is asked again at once.
 */
export function discovery(allowedHosts: ReadonlySet<string>, now: () => Date): Discover {
  const known = new Map<string, Found>()
  return (provider) => {
    const kept = known.get(provider.id)
    if (kept && kept.until > now().getTime() && isSameProvider(kept.of, provider)) {
      return kept.endpoints
    }
    const endpoints = endpointsOf(provider, allowedHosts)
    const found = { of: provider, endpoints, until: now().getTime() + KEPT_MS }
    known.set(provider.id, found)
    endpoints.catch(() => {
      if (known.get(provider.id) === found) known.delete(provider.id)
    })
    return endpoints
  }
}

type Found = { of: UpstreamProvider; endpoints: Promise<Endpoints>; until: number }

async function endpointsOf(
  provider: UpstreamProvider,
  allowedHosts: ReadonlySet<string>,
): Promise<Endpoints> {
  const endpoints =
    provider.kind === 'github'
      ? githubEndpoints(provider)
      : await publishedEndpoints(provider, allowedHosts)
  await refusePrivate(endpoints, allowedHosts)
  return endpoints
}

async function publishedEndpoints(
  provider: UpstreamProvider,
  allowedHosts: ReadonlySet<string>,
): Promise<Endpoints> {
  const uri = `${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const accept = { Accept: 'application/json' }
  const answer = await guardedRequest(uri, { method: 'GET', headers: accept }, allowedHosts)
  if (answer.status !== 200) throw new DiscoveryError(`discovery returned ${answer.status}`)
  return toEndpoints(provider, document.parse(JSON.parse(answer.body)))
}

function toEndpoints(provider: UpstreamProvider, found: z.infer<typeof document>): Endpoints {
  // OpenID Connect Discovery §4.3
  if (found.issuer !== provider.issuer) {
    throw new DiscoveryError(`the discovery document names another issuer, ${found.issuer}`)
  }
  const offered = found.id_token_signing_alg_values_supported
  const algorithm =
    provider.idTokenAlgorithm ?? ID_TOKEN_ALGORITHMS.find((one) => offered.includes(one))
  if (algorithm === undefined)
    throw new DiscoveryError('the provider and the portal have no signing algorithm in common')
  const basic = found.token_endpoint_auth_methods_supported.includes('client_secret_basic')
  return {
    authorization: found.authorization_endpoint,
    token: found.token_endpoint,
    userinfo: found.userinfo_endpoint ?? null,
    jwks: found.jwks_uri,
    tokenAuthMethod: basic ? 'client_secret_basic' : 'client_secret_post',
    idTokenAlgorithm: algorithm,
    namesItself: found.authorization_response_iss_parameter_supported,
  }
}

function githubEndpoints({ issuer }: UpstreamProvider): Endpoints {
  const { origin } = new URL(issuer)
  return {
    authorization: `${issuer}/authorize`,
    token: `${issuer}/access_token`,
    // GitHub Enterprise Server has its API below its own address.
    userinfo: origin === 'https://github.com' ? 'https://api.github.com' : `${origin}/api/v3`,
    jwks: null,
    tokenAuthMethod: 'client_secret_post',
    idTokenAlgorithm: 'RS256',
    namesItself: false,
  }
}

/**
 * Endpoints that the portal calls are resolved and checked; those that the browser opens must be
 * https.
 */
async function refusePrivate(
  { authorization, token, userinfo, jwks }: Endpoints,
  allowedHosts: ReadonlySet<string>,
): Promise<void> {
  const { protocol, host } = new URL(authorization)
  if (protocol !== 'https:' && !allowedHosts.has(host))
    throw new AddressRefused('the address is not https')
  for (const called of [token, userinfo, jwks]) {
    if (called !== null) await resolveAllowed(new URL(called), allowedHosts)
  }
}
