import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import { guardedRequest } from '../base/guarded-request'

const MOST_URIS = 1_000

/** The keys at a `jwks_uri`, fetched through the address guard and cached by jose for a while. */
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
    const keys = known.get(uri) ?? createRemoteJWKSet(new URL(uri), { [customFetch]: guardedFetch })
    if (known.size > MOST_URIS) known.clear()
    known.set(uri, keys)
    return keys
  }
}
