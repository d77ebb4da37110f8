import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import { guardedRequest } from '../base/guarded-request'
import { MINUTE_MS } from '../base/time'

const MAX_URIS = 1_000

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>

/**
 * The keys at a `jwks_uri`, fetched through the address guard and cached by jose for a while. A key
 * that is not among them makes jose fetch again, but not within half a minute of the last time.
 */
export function remoteKeys(allowedHosts: ReadonlySet<string>): (uri: string) => JWTVerifyGetKey {
  const known = new Map<string, JWTVerifyGetKey>()

  async function guardedFetch(url: string): Promise<Response> {
    const accept = { Accept: 'application/json, application/jwk-set+json' }
    const { status, body } = await guardedRequest(
      url,
      { method: 'GET', headers: accept },
      allowedHosts,
    )
    return new Response(body, { status })
  }

  return (uri) => {
    const found =
      known.get(uri) ??
      alsoSooner(createRemoteJWKSet(new URL(uri), { [customFetch]: guardedFetch }))
    if (known.size > MAX_URIS) known.clear()
    known.set(uri, found)
    return found
  }
}

const SOONER_IN_A_MINUTE = 5

/**
 * OpenID Connect Core 1.0 §10.1.1: a client may change its keys at any moment, and whoever meets a
 * key that it does not know reads them again. A few times a minute: nobody can use the portal to
 * flood a client with requests by naming keys that do not exist.
 */
function alsoSooner(keys: RemoteKeys): JWTVerifyGetKey {
  let sooner: number[] = []
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      const now = performance.now()
      sooner = sooner.filter((at) => now - at < MINUTE_MS)
      const isUnknown = error instanceof errors.JWKSNoMatchingKey && keys.coolingDown
      if (!isUnknown || sooner.length >= SOONER_IN_A_MINUTE) throw error
      sooner.push(now)
    }
    await keys.reload()
    return keys(header, token)
  }
}
