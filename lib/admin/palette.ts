import type { PortalScope } from '../access/portal-api'
import type { Messages } from '../i18n'
import { ADMIN_PAGES, NAVIGATION } from './pages'

/**
 * Destinations that need no search: pages, actions and the reference, as far as the user may open
 * them.
 */

export type Destination = { group: 'page' | 'action' | 'docs'; label: string; href: string }

type Words = Messages['admin']

const ACTIONS = [
  ['newApplication', '/admin/applications/new', 'applications:write'],
  ['newUser', '/admin/users/new', 'users:write'],
  ['testLogin', '/admin/tools', 'applications:write'],
  ['inspect', '/admin/tools/token', 'scopes:decide'],
  ['playground', '/admin/tools/playground', 'scopes:decide'],
  ['runAssertions', '/admin/reports/assertions', 'spaces:read'],
  ['outbox', '/admin/settings/outbox', 'settings:read'],
] as const satisfies readonly (readonly [
  keyof Words['tools']['palette']['actions'],
  string,
  PortalScope,
])[]

export function destinationsFor(
  may: (scope: PortalScope) => boolean,
  { pages, tools: { palette } }: Words,
): Destination[] {
  const open = NAVIGATION.flat().filter((path) => may(ADMIN_PAGES[path]))
  return [
    ...open.map((href) => ({ group: 'page', label: pages[href], href }) as const),
    ...ACTIONS.filter(([, , scope]) => may(scope)).map(
      ([name, href]) => ({ group: 'action', label: palette.actions[name], href }) as const,
    ),
    { group: 'docs', label: palette.actions.reference, href: '/docs/api' },
  ]
}

const FOLDERS = {
  application: 'applications',
  user: 'users',
  group: 'groups',
  role: 'roles',
  api: 'apis',
} as const

/** The page of a search result. */
export function pageOfHit({ kind, id }: { kind: keyof typeof FOLDERS; id: string }): string {
  return `/admin/${FOLDERS[kind]}/${encodeURIComponent(id)}`
}
