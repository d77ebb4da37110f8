import { type NextRequest, NextResponse } from 'next/server'
import { isFile, PATH_HEADER, pageHeaders } from './lib/base/page-headers'
import { isSafe } from './lib/base/same-origin'
import { rejectForeignRequest } from './lib/host/foreign-request'
import { toResponse } from './lib/host/response'
import { config as settings } from './lib/settings/config'

/**
 * For pages: refuses foreign requests, sets headers and a nonce. Each page decides itself who may
 * see it.
 */
export function proxy(request: NextRequest): Response {
  const refusal = rejectForeignRequest(settings(), request)
  if (refusal) return toResponse(refusal, request.method)
  return isFile(request.nextUrl.pathname) ? NextResponse.next() : page(request)
}

function page(request: NextRequest): NextResponse {
  const headers = pageHeaders({
    nonce: btoa(crypto.randomUUID()),
    https: settings().origin.startsWith('https:'),
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
  headers.delete('x-forwarded-host')
  if (!isSafe(request.method)) agreeWithNext(headers)
  return headers
}

/**
 * Next.js runs an action if `Origin` equals `X-Forwarded-Host`, whoever set that header. A request
 * that gets here has passed the portal's own check, so both headers are set to what was found.
 * Without scripts, a page of the portal sends `Origin: null`, because its referrer policy is
 * no-referrer.
 */
function agreeWithNext(headers: Headers): void {
  const sent = headers.get('origin')
  const origin = sent === null || sent === 'null' ? settings().origin : sent
  headers.set('origin', origin)
  headers.set('x-forwarded-host', new URL(origin).host)
}

export const config = {
  // All paths except the endpoints of lib/host/direct-line.ts, which have rules of their own, and
  // the files of Next.js. (Next.js requires a literal; a test compares it.)
  matcher: [
    '/((?!(?:api/v1/.*|api/scheduled|access/v1/evaluations?|access/v1/request|access/v1/request/[^/]*(?:/cancel)?|access/v1/search/(?:subject|resource|action)|\\.well-known/authzen-configuration|oidc/auth|oidc/auth/int_[^/]*|oidc/device_authorization|oidc/me|oidc/register|oidc/register/[^/]*|oidc/session/end|oidc/token/introspection|oidc/token/revocation|oidc/token|oidc/\\.well-known/jwks\\.json|oidc/\\.well-known/openid-configuration|\\.well-known/openid-configuration|\\.well-known/oauth-authorization-server|\\.well-known/oauth-authorization-server/oidc|\\.well-known/oauth-protected-resource/(?:api/v1|mcp)|resources/[^/]*/metadata(?:/.*)?|mcp|healthz|readyz|metrics)$|_next/static/).*)',
  ],
}
