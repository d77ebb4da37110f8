import type { PortalScope } from '../access/portal-api'
import { reference } from '../api/reference/reference'
import { addressOf, DOCUMENTS, type ListedDocument } from '../docs/list'
import { type Locale, type Messages, messagesFor } from '../i18n'
import { adminLocales } from '../i18n/compiled/load'
import { fill } from '../i18n/fill'
import { paths } from '../oidc/paths'
import { ADMIN_PAGES, type AdminPath, NAVIGATION, type NavigationPath } from './pages'

/**
 * Destinations that need no search: pages, actions, settings and documents, as far as the user may
 * open them.
 */

export type Destination = {
  group: 'page' | 'action' | 'settings' | 'docs'
  label: string
  href: string
  /** Its names and other words for it, in every language: people mix them. */
  found: string
}

/** What the entries are called in the language of the reader, and in every language. */
type Told = { own: Messages; all: readonly Messages[] }

type Words = Messages['admin']['palette']
type Label = Exclude<keyof Words['labels'], 'calls'>
type Entry = readonly [label: Label, page: AdminPath]

const OTHER_WORDS: Record<NavigationPath, keyof Words['also']> = {
  '/admin': 'overview',
  '/admin/applications': 'applications',
  '/admin/apis': 'apis',
  '/admin/roles': 'roles',
  '/admin/users': 'users',
  '/admin/groups': 'groups',
  '/admin/governance': 'governance',
  '/admin/simulator': 'simulator',
  '/admin/why': 'why',
  '/admin/tools': 'tools',
  '/admin/audit': 'audit',
  '/admin/keys': 'keys',
  '/admin/webhooks': 'webhooks',
  '/admin/settings': 'settings',
}

const ACTIONS: readonly Entry[] = [
  ['newApplication', '/admin/applications/new'],
  ['newUser', '/admin/users/new'],
  ['importUsers', '/admin/users/import'],
  ['newGroup', '/admin/groups/new'],
  ['newApi', '/admin/apis/new'],
  ['newRole', '/admin/roles/new'],
  ['grantRole', '/admin/roles'],
  ['spaces', '/admin/roles/spaces'],
  ['newSpace', '/admin/roles/spaces/new'],
  ['newWebhook', '/admin/webhooks/new'],
  ['newProvider', '/admin/settings/providers/new'],
  ['newAttribute', '/admin/settings/attributes/new'],
  ['rotateKey', '/admin/keys'],
  ['rotateSecret', '/admin/applications'],
  ['testLogin', '/admin/tools'],
  ['inspect', '/admin/tools/token'],
  ['playground', '/admin/tools/playground'],
  ['requests', '/admin/governance/requests'],
  ['requestRules', '/admin/governance/rules'],
  ['cleanUp', '/admin/reports'],
  ['replay', '/admin/reports/replay'],
  ['reviews', '/admin/reports/reviews'],
  ['newReview', '/admin/reports/reviews/new'],
  ['runAssertions', '/admin/reports/assertions'],
  ['verifyLog', '/admin/audit'],
  ['exportLog', '/admin/audit'],
  ['outbox', '/admin/settings/outbox'],
  ['health', '/admin/settings/health'],
  ['testMail', '/admin/settings/mail'],
]

const SETTINGS: readonly Entry[] = [
  ['security', '/admin/settings'],
  ['providers', '/admin/settings/providers'],
  ['mail', '/admin/settings/mail'],
  ['branding', '/admin/settings/branding'],
  ['attributes', '/admin/settings/attributes'],
  ['registration', '/admin/settings/registration'],
  ['configuration', '/admin/settings/configuration'],
]

/** What everybody may open. */
const OWN = [
  ['account', '/account'],
  ['ownPassword', '/account/security/password'],
  ['ownPasskeys', '/account/security'],
  ['ownSessions', '/account/sessions'],
  ['ownAccess', '/account/access'],
  ['signOut', '/logout'],
] as const
const REFERENCES = [
  ['reference', '/docs/api'],
  ['openapi', '/api/v1/openapi.json'],
  ['discovery', paths.discovery],
] as const

export async function destinationsFor(
  may: (scope: PortalScope) => boolean,
  locale: Locale,
): Promise<Destination[]> {
  const all = await Promise.all(adminLocales.map(messagesFor))
  const told = { own: await messagesFor(locale), all }
  const allowed = (entries: readonly Entry[]) =>
    entries.filter(([, page]) => may(ADMIN_PAGES[page]))
  const named =
    (group: Destination['group']) =>
    ([name, href]: readonly [Label, string]) =>
      destination(group, name, href, told)
  return [
    ...NAVIGATION.flat()
      .filter((path) => may(ADMIN_PAGES[path]))
      .map((path) => pageDestination(path, told)),
    ...[...allowed(ACTIONS), ...OWN].map(named('action')),
    ...allowed(SETTINGS).map(named('settings')),
    ...REFERENCES.map(named('docs')),
    ...DOCUMENTS.map(documentDestination),
    ...callDestinations(told),
  ]
}

function pageDestination(path: NavigationPath, { own, all }: Told): Destination {
  const textsIn = ({ admin: { pages, palette } }: Messages) =>
    `${pages[path]} ${palette.also[OTHER_WORDS[path]]}`
  const label = own.admin.pages[path]
  return { group: 'page', label, href: path, found: inEach(all, textsIn) }
}

function destination(
  group: Destination['group'],
  name: Label,
  href: string,
  { own, all }: Told,
): Destination {
  const textsIn = ({ admin: { palette } }: Messages) =>
    `${palette.labels[name]} ${palette.also[name]}`
  const label = own.admin.palette.labels[name]
  return { group, label, href, found: inEach(all, textsIn) }
}

/** Documents are in one language. */
function documentDestination(document: ListedDocument): Destination {
  const { title, also = '' } = document
  const found = `${title} ${also}`.toLowerCase()
  return { group: 'docs', label: title, href: addressOf(document), found }
}

function callDestinations({ own, all }: Told): Destination[] {
  return reference().map(({ name, slug }) => {
    const textsIn = ({ admin: { palette } }: Messages) =>
      `${fill(palette.labels.calls, { tag: name })} ${palette.also.reference}`
    const label = fill(own.admin.palette.labels.calls, { tag: name })
    return { group: 'docs', label, href: `/docs/api/${slug}`, found: inEach(all, textsIn) }
  })
}

function inEach(all: readonly Messages[], textsIn: (messages: Messages) => string): string {
  return all.map(textsIn).join(' ').toLowerCase()
}
