import { authorizeUrl, webRequest } from './flow'
import { OldBrowser } from './old-browser'
import type { WeighedPage } from './page-budget'
import type { Portal } from './portal'

/** The ten most visited pages, on the sample data. */
export function visitedPages(portal: Portal, owner: OldBrowser) {
  return {
    login: () => new OldBrowser(portal.origin).open('/login'),
    password: () => new OldBrowser(portal.origin).open('/login?identifier=somebody@example.org'),
    consent: () => owner.open(authorizeUrl(webRequest(portal.demo()))),
    account: () => owner.open('/account'),
    admin: () => owner.open('/admin'),
    users: () => owner.open('/admin/users'),
    user: () => owner.open('/admin/users/usr_demo_alice'),
    application: () => owner.open('/admin/applications/app_demo_web'),
    audit: () => owner.open('/admin/audit'),
    docs: () => owner.open('/docs'),
  } satisfies Record<WeighedPage, () => Promise<{ status: number; html: string }>>
}
