import { type NextRequest, NextResponse } from 'next/server'
import { isFile, METHOD_HEADER } from './lib/base/page-headers'
import { rejectForeignRequest } from './lib/host/foreign-request'
import { headersForPage, headersOfPage } from './lib/host/page-request'
import { toResponse } from './lib/host/response'
import { config as settings } from './lib/settings/config'

/**
 * For pages: refuses foreign requests, sets headers and a nonce. Each page decides itself who may
 * see it.
 */
export function proxy(request: NextRequest): Response {
  const refusal = rejectForeignRequest(settings(), request)
  if (refusal) return toResponse(refusal, request.method)
  return isFile(request.nextUrl.pathname) ? file(request) : page(request)
}

/** Nobody says for us with which method they came. */
function file(request: NextRequest): NextResponse {
  if (!request.headers.has(METHOD_HEADER)) return NextResponse.next()
  const headers = new Headers(request.headers)
  headers.delete(METHOD_HEADER)
  return NextResponse.next({ request: { headers } })
}

function page(request: NextRequest): NextResponse {
  const isDev = process.env.NODE_ENV === 'development'
  const sent = headersOfPage(settings(), request.nextUrl.pathname, isDev)
  const policy = sent['Content-Security-Policy'] ?? ''
  const response = NextResponse.next({ request: { headers: forwarded(request, policy) } })
  for (const [name, value] of Object.entries(sent)) response.headers.set(name, value)
  return response
}

function forwarded({ method, nextUrl, headers: received }: NextRequest, policy: string): Headers {
  const headers = new Headers(received)
  for (const name of [...headers.keys()]) if (name.startsWith('x-middleware-')) headers.delete(name)
  const path = nextUrl.pathname + nextUrl.search
  const asked = { method, origin: headers.get('origin'), path, policy }
  for (const [name, value] of Object.entries(headersForPage(settings(), asked))) {
    if (value === undefined) headers.delete(name)
    else headers.set(name, value)
  }
  return headers
}

export const config = {
  // All paths except the endpoints of lib/host/direct-line.ts, which have rules of their own, the
  // files of Next.js, and pages that the Node host has prepared (lib/host/page-request.ts). (Next.js
  // requires literals; a test compares them.)
  matcher: [
    {
      source:
        '/((?!(?:api/v1/.*|api/scheduled|login/continue|access/v1/evaluations?|access/v1/request|access/v1/request/[^/]*(?:/cancel)?|access/v1/search/(?:subject|resource|action)|\\.well-known/authzen-configuration|oidc/auth|oidc/auth/int_[^/]*|oidc/device_authorization|oidc/me|oidc/register|oidc/register/[^/]*|oidc/session/end|oidc/token/introspection|oidc/token/revocation|oidc/token|oidc/\\.well-known/jwks\\.json|oidc/\\.well-known/openid-configuration|\\.well-known/openid-configuration|\\.well-known/oauth-authorization-server|\\.well-known/oauth-authorization-server/oidc|\\.well-known/oauth-protected-resource/(?:api/v1|mcp)|resources/[^/]*/metadata(?:/.*)?|mcp|healthz|readyz|metrics)$|_next/static/).*)',
      missing: [{ type: 'header', key: 'prepared:by-host' }],
    },
  ],
}
