import type { Incoming, Reply } from '../base/http'
import { type Messages, messagesFor } from '../i18n'
import { fill } from '../i18n/fill'
import type { OfferedLocales } from '../i18n/negotiate'
import { escapeHtml } from './answer'
import type { Application } from './client'
import { ERROR_STATUS } from './error-words'
import { errorHeaders, type OAuthError, traceOf } from './errors'
import { PLAIN_PAGE_HEADERS, type PlainPage, plainPage, wishedLook } from './plain-page'
import type { ErrorPageAbout } from './provider'
import { placeOf } from './redirect-uri'

/**
 * The page for a request to sign in or out that cannot be trusted: no form and no redirect, and
 * never a link to an address that the request contained (docs/attacks.md, "error page"). A link
 * leads to the origin of a redirect URI that is registered. Only an admin who may see the
 * application learns what was sent and what is registered.
 */

type Words = Messages['errorPage']

type ErrorPageFor = Pick<PlainPage, 'name' | 'colours'> & {
  about: ErrorPageAbout
  languages: OfferedLocales
  /** The reader is signed in and may see the application, or all of them if it is not known. */
  isAdmin: boolean
  /** The application made itself known, and nobody has verified it: the page does not invite to it. */
  isUnverified: boolean
}

export async function errorPage(
  incoming: Incoming,
  error: OAuthError,
  shown: ErrorPageFor,
): Promise<Reply> {
  const { about, languages, isAdmin, isUnverified, ...portal } = shown
  const look = wishedLook(incoming, languages)
  const words = (await messagesFor(look.locale)).errorPage
  const { title, text } = words[error.word === 'temporarily_unavailable' ? 'outage' : about]
  const main = [
    `<p class="lead">${escapeHtml(text)}</p>`,
    isUnverified ? wayOn(words, error) : wayBack(words, error.application),
    about === 'signOut' ? `<p><a href="/account">${escapeHtml(words.account)}</a></p>` : '',
    list([
      [words.reason, escapeHtml(error.message)],
      [words.reference, `<code>${escapeHtml(incoming.requestId)}</code>`],
    ]),
    isAdmin
      ? forAdmins(words, error, incoming.requestId)
      : `<p class="note">${escapeHtml(words.referenceText)}</p>`,
  ].join('\n')
  return {
    status: ERROR_STATUS[error.word],
    headers: { ...errorHeaders('', error), ...PLAIN_PAGE_HEADERS },
    body: plainPage({ ...look, ...portal }, escapeHtml(title), main),
    ...traceOf(error),
  }
}

/** The front door of the application, where it has one. */
function wayBack(words: Words, application: Application | undefined): string {
  const home = application && homeOf(application)
  if (!home) return ''
  const label = escapeHtml(fill(words.back, { app: application.name }))
  return `<p class="back"><a class="button" href="${escapeHtml(home)}" rel="noreferrer">${label}</a> <span class="note">${escapeHtml(new URL(home).host)}</span></p>`
}

/** To an application that nobody knows: only what it asked for, with its host and a warning. */
function wayOn(words: Words, { onward }: OAuthError): string {
  if (onward === null) return ''
  const label = escapeHtml(fill(words.onward, { host: placeOf(onward) }))
  return `<p>${escapeHtml(words.unverified)}</p>
<p class="back"><a class="button" href="${escapeHtml(onward)}" rel="noreferrer">${label}</a></p>`
}

/** The origin of its first registered redirect URI; a native application has none. */
function homeOf({ kind, redirectUris }: Application): string | null {
  if (kind !== 'web' && kind !== 'spa') return null
  const [first] = redirectUris.filter((uri) => /^https?:\/\//.test(uri) && URL.canParse(uri))
  return first === undefined ? null : `${new URL(first).origin}/`
}

function forAdmins(words: Words, { application, refusal }: OAuthError, requestId: string): string {
  const code = (value: unknown) => `<code>${escapeHtml(String(value))}</code>`
  const entry = `/admin/audit?requestId=${encodeURIComponent(requestId)}`
  const links = [
    ...(application
      ? [[words.openRefusals, `/admin/applications/${encodeURIComponent(application.id)}/refusals`]]
      : []),
    [words.openEntry, entry],
  ]
  const facts: [string, string][] = []
  if (refusal.facts?.client_id !== undefined) {
    facts.push([words.clientSent, code(refusal.facts.client_id)])
  }
  if (application && refusal.reason === 'redirect_uri') {
    facts.push([words.sent, code(refusal.facts?.given)])
    const registered = application.redirectUris.map(code).join('<br>')
    facts.push([words.registered, registered || escapeHtml(words.none)])
  }
  const anchors = links.map(
    ([label = '', href = '']) => `<a href="${escapeHtml(href)}">${escapeHtml(label)}</a>`,
  )
  return `<section>
<h2>${escapeHtml(words.forAdmins)}</h2>
${list(facts)}
<p class="links">${anchors.join(' ')}</p>
</section>`
}

/** The descriptions are HTML. */
function list(rows: readonly (readonly [term: string, description: string])[]): string {
  if (rows.length === 0) return ''
  const lines = rows.map(([term, text]) => `<dt>${escapeHtml(term)}</dt><dd>${text}</dd>`)
  return `<dl>\n${lines.join('\n')}\n</dl>`
}
