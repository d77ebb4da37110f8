import { type Incoming, queryOf, type Reply } from '../base/http'
import type { Op } from '../context/op'
import { messagesFor } from '../i18n'
import { escapeHtml } from '../oidc/answer'
import type { Endpoint } from '../oidc/endpoint'
import { PLAIN_PAGE_HEADERS, plainPage, wishedLook } from '../oidc/plain-page'
import { safeReturnTo } from './return-to'

/** Between a form and an address that may lead to an application; see `afterForm`. */
export const onwardPageEndpoint: Endpoint<Op> = {
  name: 'onward page',
  page: 'signIn',
  methods: { GET: showOnward },
}

async function showOnward(op: Op, incoming: Incoming): Promise<Reply> {
  const to = safeReturnTo(new URLSearchParams(queryOf(incoming.url)).get('to'))
  const { languages, branding, version } = op.settings.known()
  const look = wishedLook(incoming, languages)
  const { continueTitle, continueText, continueLink } = (await messagesFor(look.locale)).login
  const main = `<meta http-equiv="refresh" content="0;url=${escapeHtml(to)}">
<p class="lead">${escapeHtml(continueText)}</p>
<p class="back"><a class="button" href="${escapeHtml(to)}">${escapeHtml(continueLink)}</a></p>`
  const colours = branding.accent ? { colours: `/branding.css?v=${version}` } : {}
  const page = { ...look, name: branding.name, ...colours }
  return {
    status: 200,
    headers: PLAIN_PAGE_HEADERS,
    body: plainPage(page, escapeHtml(continueTitle), main),
  }
}
