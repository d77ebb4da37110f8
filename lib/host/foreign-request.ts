import { type Incoming, json, type Reply } from '../base/http'
import { isForeignChange } from '../base/same-origin'
import { everywhere } from '../i18n/compiled/everywhere'
import { PLAIN_PAGE_HEADERS, plainPage, wishedLook } from '../oidc/plain-page'
import type { Config } from '../settings/config'
import { askedHost, FOREIGN_HOST, isKnownHost, ownOrigins } from './known-host'

type Asked = Pick<Incoming, 'method' | 'headers'>

/**
 * Requests that no page answers, in both hosts: unknown host names and forms of other sites (attack
 * M13, M19). The endpoints of the direct line have rules of their own; everything else is checked
 * here.
 */
export function rejectForeignRequest(config: Config, asked: Asked): Reply | null {
  const host = askedHost(config, asked.headers)
  if (host === null || !isKnownHost(config, host)) return FOREIGN_HOST
  return isForeignChange(asked, ownOrigins(config, host)) ? foreignForm(asked) : null
}

const SAFELY = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
}
/** Programs get here too, by a wrong path. */
const FOR_PROGRAMS = json(
  403,
  { error: 'only pages of the portal may send changes here: to call an endpoint, check its path' },
  SAFELY,
)

function foreignForm({ headers }: Asked): Reply {
  if (!headers.get('accept')?.includes('text/html')) return FOR_PROGRAMS
  const look = wishedLook({ headers })
  const { title, text, link } = everywhere[look.locale].refusedForm
  const main = `<p>${text}</p>\n<p><a href="/">${link}</a></p>`
  const body = plainPage(look, title, main)
  return { status: 403, headers: { ...SAFELY, ...PLAIN_PAGE_HEADERS }, body }
}
