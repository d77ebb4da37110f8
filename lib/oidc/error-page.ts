import type { Incoming, Reply } from '../base/http'
import { messagesFor } from '../i18n'
import type { OfferedLocales } from '../i18n/negotiate'
import { escapeHtml } from './answer'
import { ERROR_STATUS, errorHeaders, type OAuthError } from './errors'
import { PLAIN_PAGE_HEADERS, plainPage, wishedLocale } from './plain-page'
import type { ErrorPageAbout } from './provider'

/**
 * The page for a request to sign in or out that cannot be trusted: no link, no form and no redirect to
 * the requested address (docs/attacks.md, "error page").
 */
export function errorPage(
  { headers, requestId }: Incoming,
  error: OAuthError,
  about: ErrorPageAbout,
  languages: OfferedLocales,
): Reply {
  const locale = wishedLocale(headers, languages)
  const words = messagesFor(locale).errorPage
  const { title, text } = words[about]
  const main = `<p>${escapeHtml(text)}</p>
<dl>
<dt>${escapeHtml(words.reason)}</dt><dd>${escapeHtml(error.message)}</dd>
<dt>${escapeHtml(words.reference)}</dt><dd><code>${escapeHtml(requestId)}</code></dd>
</dl>`
  return {
    status: ERROR_STATUS[error.word],
    headers: { ...errorHeaders('', error), ...PLAIN_PAGE_HEADERS },
    body: plainPage(locale, escapeHtml(title), main),
    note: error.message,
  }
}
