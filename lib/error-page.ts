import type { Incoming, Reply } from './http'
import { messagesFor, negotiateLocale } from './i18n'
import { escapeHtml } from './oidc/answer'
import { ERROR_STATUS, errorHeaders, type OAuthError } from './oidc/errors'
import type { Languages } from './settings/model'

/**
 * What a person sees when an authorization request cannot be trusted: no link, no form and no
 * redirect to whatever was asked for (attack-list, EP). Plain HTML, because it comes from the
 * direct line, where there is no React.
 */
export function errorPage(
  { headers, requestId }: Incoming,
  error: OAuthError,
  languages: Languages,
): Reply {
  const wishes = {
    cookie: /gatehouse\.locale=([\w-]+)/.exec(headers.get('cookie') ?? '')?.[1],
    uiLocales: null,
    acceptLanguage: headers.get('accept-language'),
  }
  const locale = negotiateLocale(wishes, languages)
  const words = messagesFor(locale).authorizeError
  const body = `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(words.title)}</title>
<link rel="stylesheet" href="/error-page.css">
<link rel="icon" href="/favicon.svg">
</head>
<body>
<main>
<img src="/logo.svg" alt="Gatehouse" width="40" height="40">
<h1>${escapeHtml(words.title)}</h1>
<p>${escapeHtml(words.text)}</p>
<dl>
<dt>${escapeHtml(words.reason)}</dt><dd>${escapeHtml(error.message)}</dd>
<dt>${escapeHtml(words.reference)}</dt><dd><code>${escapeHtml(requestId)}</code></dd>
</dl>
</main>
</body>
</html>
`
  return {
    status: ERROR_STATUS[error.word],
    headers: { ...errorHeaders('', error), ...PAGE_HEADERS },
    body,
    note: error.message,
  }
}

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}
