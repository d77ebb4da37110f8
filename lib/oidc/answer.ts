import { randomBytes } from 'node:crypto'
import { NO_STORE, type Reply } from '../base/http'
import type { AuthorizationRequest } from './authorization-request'
import { errorParameters, type OAuthError, traceOf } from './errors'
import type { Provider } from './provider'

/**
 * How the authorization endpoint answers the application: by a redirect, or by a form that submits
 * itself.
 */

type Where = Pick<AuthorizationRequest, 'redirectUri' | 'responseMode' | 'state'>

export function answerTo(op: Provider, where: Where, parameters: Record<string, string>): Reply {
  const all = completed(op, where, parameters)
  // 303, never 307: a POST must not be repeated with its body (RFC 9700 §4.12).
  return where.responseMode === 'form_post'
    ? formPost(where.redirectUri, all)
    : seeOther(withQuery(where.redirectUri, all))
}

function completed(op: Provider, { state }: Where, parameters: Record<string, string>) {
  return {
    ...parameters,
    ...(state !== null && { state }),
    iss: op.issuer, // RFC 9207
  }
}

export function errorTo(op: Provider, where: Where, error: OAuthError): Reply {
  return { ...answerTo(op, where, errorParameters(error)), ...traceOf(error) }
}

/** The same as a link, for a page that asks first; null if it would have to be a form. */
export function errorLink(op: Provider, where: Where, error: OAuthError): string | null {
  if (where.responseMode === 'form_post') return null
  return withQuery(where.redirectUri, completed(op, where, errorParameters(error)))
}

function withQuery(redirectUri: string, parameters: Record<string, string>): string {
  const query = new URLSearchParams(parameters).toString()
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`
}

export function seeOther(location: string, ...cookies: string[]): Reply {
  return { status: 303, headers: { Location: location, ...NO_STORE }, cookies, body: '' }
}

/**
 * OAuth 2.0 Form Post Response Mode: one line of script, and a button for browsers without scripts.
 */
function formPost(redirectUri: string, parameters: Record<string, string>): Reply {
  const nonce = randomBytes(16).toString('base64')
  const inputs = Object.entries(parameters)
    .map(
      ([name, value]) =>
        `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
    )
    .join('')
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Continue</title></head><body><form method="post" action="${escapeHtml(redirectUri)}">${inputs}<noscript><button type="submit">Continue</button></noscript></form><script nonce="${nonce}">document.forms[0].submit()</script></body></html>`
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      ...NO_STORE,
      'Content-Security-Policy': `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
    },
    body,
  }
}

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}
