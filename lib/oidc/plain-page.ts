import type { Incoming } from '../base/http'
import type { Locale } from '../i18n/locales'
import { negotiateLocale, type OfferedLocales } from '../i18n/negotiate'

/**
 * A page of plain HTML, for answers without React: the Node host and requests that are refused
 * before Next.js.
 */

export const PLAIN_PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

/** `title` and `main` are trusted HTML of the portal. */
export function plainPage(locale: Locale, title: string, main: string): string {
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/error-page.css">
<link rel="icon" href="/favicon.svg">
</head>
<body>
<main>
<img src="/logo.svg" alt="Gatehouse" width="40" height="40">
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`
}

export function wishedLocale(headers: Incoming['headers'], languages?: OfferedLocales): Locale {
  const wishes = {
    cookie: /gatehouse\.locale=([\w-]+)/.exec(headers.get('cookie') ?? '')?.[1],
    uiLocales: null,
    acceptLanguage: headers.get('accept-language'),
  }
  return negotiateLocale(wishes, languages)
}
