import { findConsent } from '../../lib/accounts/consent'
import type { ConsentView } from '../../lib/oidc/consent'
import type { OpenPortal } from './in-process'
import type { OldBrowser, Page } from './old-browser'

/** What the consent page shows to a browser that was sent there. */
export async function consentAt(
  { op }: OpenPortal,
  browser: OldBrowser,
  { url }: Page,
): Promise<ConsentView> {
  const { pathname, searchParams } = new URL(url)
  if (pathname !== '/consent') throw new Error(`${pathname} asks for no consent`)
  const headers = new Headers({ cookie: browser.cookieHeader() })
  const session = await op.sessionOf({ headers })
  const from = { headers, ip: '127.0.0.1' }
  const open = await findConsent(op, from, session, searchParams.get('interaction') ?? '')
  if (!open || open === 'signed_out') throw new Error('there is no consent to give')
  return open.view
}
