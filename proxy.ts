import { type NextRequest, NextResponse } from 'next/server'
import { PATH_HEADER, pageHeaders } from './lib/host/page-headers'

/** Pages only: sets headers and a nonce. It decides nothing about access. */
export function proxy(request: NextRequest): NextResponse {
  const headers = pageHeaders({
    nonce: btoa(crypto.randomUUID()),
    https: process.env.ISSUER?.startsWith('https:') ?? false,
    dev: process.env.NODE_ENV === 'development',
  })
  const response = NextResponse.next({ request: { headers: forwarded(request, headers) } })
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

function forwarded(request: NextRequest, own: Record<string, string>): Headers {
  const headers = new Headers(request.headers)
  for (const name of [...headers.keys()]) if (name.startsWith('x-middleware-')) headers.delete(name)
  headers.set('content-security-policy', own['Content-Security-Policy'] ?? '')
  headers.set(PATH_HEADER, request.nextUrl.pathname + request.nextUrl.search)
  restoreHiddenOrigin(headers, request.nextUrl.protocol)
  return headers
}

/**
 * A form sent without script from a no-referrer page carries `Origin: null`, which server actions
 * refuse. The browser's own `Sec-Fetch-Site` says that it came from us.
 */
function restoreHiddenOrigin(headers: Headers, protocol: string): void {
  const host = headers.get('host')
  if (headers.get('origin') !== 'null' || headers.get('sec-fetch-site') !== 'same-origin') return
  if (host) headers.set('origin', `${protocol}//${host}`)
}

export const config = {
  // The endpoints of lib/host/direct-line.ts, pictures and the files of public/, one by one, so that whatever
  // is not there is still a page with headers. (Next wants a literal; a test compares.)
  matcher: [
    '/((?!(?:api/v1/.*|api/scheduled|access/v1/evaluations?|access/v1/search/(?:subject|resource|action)|\\.well-known/authzen-configuration|oidc/auth|oidc/auth/int_[^/]*|oidc/me|oidc/session/end|oidc/token/introspection|oidc/token/revocation|oidc/token|oidc/\\.well-known/jwks\\.json|oidc/\\.well-known/openid-configuration|\\.well-known/openid-configuration|\\.well-known/oauth-authorization-server|\\.well-known/oauth-authorization-server/oidc|healthz|readyz|metrics|avatar/ava_[^/]*|logo/lgo_[^/]*|error-page\\.css|branding\\.css|favicon\\.ico|favicon\\.svg|logo\\.svg|wordmark\\.svg|robots\\.txt)$|_next/static/).*)',
  ],
}
