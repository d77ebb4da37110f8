import { type Incoming, queryOf } from '../base/http'
import { directionOf, type Locale } from '../i18n/locales'
import { negotiateLocale, type OfferedLocales } from '../i18n/negotiate'
import { escapeHtml } from './answer'

/**
 * A page of plain HTML, for answers without React: the Node host and requests that are refused
 * before Next.js. It looks like the other pages.
 */

export const PLAIN_PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

export type PlainPage = {
  locale: Locale
  theme: string
  /** The name of the portal. */
  name?: string
  /** Where the portal's own colours are, if it has any. */
  colours?: string
}

const LOGO =
  '<svg viewBox="0 0 28 28" width="28" height="28" aria-hidden="true"><path fill="currentColor" d="M2 3h6v4h3V3h6v4h3V3h6v22h-6v-7a6 6 0 0 0-12 0v7H2z"/></svg>'

/** `title` and `main` are trusted HTML of the portal. */
export function plainPage(page: PlainPage, title: string, main: string): string {
  const { locale, theme, name = 'Gatehouse', colours } = page
  const own = colours === undefined ? '' : `<link rel="stylesheet" href="${colours}">\n`
  return `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${escapeHtml(name)}</title>
<link rel="stylesheet" href="/error-page.css">
${own}<link rel="icon" href="/favicon.svg">
</head>
<body>
<header><a href="/">${LOGO}<span>${escapeHtml(name)}</span></a></header>
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`
}

/** The language and the colours that the reader chose, or that the request asks for. */
export function wishedLook(
  { headers, url }: Pick<Incoming, 'headers'> & { url?: string },
  languages?: OfferedLocales,
): Pick<PlainPage, 'locale' | 'theme'> {
  const cookie = headers.get('cookie') ?? ''
  const wishes = {
    cookie: /gatehouse\.locale=([\w-]+)/.exec(cookie)?.[1],
    uiLocales: url === undefined ? null : new URLSearchParams(queryOf(url)).get('ui_locales'),
    acceptLanguage: headers.get('accept-language'),
  }
  const theme = /gatehouse\.theme=(light|dark)\b/.exec(cookie)?.[1] ?? 'system'
  return { locale: negotiateLocale(wishes, languages), theme }
}
