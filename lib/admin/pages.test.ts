import { expect, test } from 'vitest'
import { userScopes } from '../api/http/caller'
import { ADMIN_ROLES, type AdminRole } from '../store/accounts/users'
import { ADMIN_PAGES } from './pages'

/**
 * N1: who may open which page, page by page, so that a page does not open to a role because its
 * scope did. e2e/http/api/page-matrix.test.ts asks the pages themselves.
 */

const isOpenTo = (role: AdminRole | null) => {
  const scopes = userScopes(role)
  const entries = Object.entries(ADMIN_PAGES).filter(([, scope]) => scopes.has(scope))
  return entries.map(([path]) => path.replace(/^\/admin/, ''))
}

const OWNERS = ['/settings/providers/new']

const NOT_OF_AUDITORS = [
  ...['/first-token', '/applications/new', '/applications/[app]/danger', '/apis/new'],
  ...['/apis/[api]/applications/[client]', '/apis/[api]/item', '/roles/new'],
  ...['/roles/[role]/members/new', '/roles/[role]/permissions/add'],
  ...['/roles/[role]/permissions/[grant]', '/roles/spaces/new', '/users/new', '/users/import'],
  ...['/users/bulk', '/users/[user]/merge', '/groups/new', '/reports/reviews/new'],
  ...['/reports/assertions/new'],
  ...['/reports/assertions/[assertion]', '/webhooks/new', '/settings/providers/new'],
  ...['/settings/attributes/new', '/settings/configuration', '/tools/test-login'],
]

const APP_MANAGERS = [
  ...['/first-token', '/applications', '/applications/new', '/applications/[app]'],
  ...['quick-start', 'settings', 'credentials', 'credentials/[key]', 'scopes', 'branding'].map(
    (page) => `/applications/[app]/${page}`,
  ),
  ...['consent', 'people', 'refusals', 'claims', 'danger'].map(
    (page) => `/applications/[app]/${page}`,
  ),
  ...['/apis', '/apis/[api]', '/apis/[api]/quick-start', '/apis/[api]/applications'],
  ...['/apis/[api]/applications/[client]', '/apis/[api]/requests', '/apis/[api]/settings'],
  ...['/roles/spaces', '/roles/spaces/[space]', '/simulator', '/governance', '/governance/rules'],
  ...[
    '/reports/reviews',
    '/reports/reviews/new',
    '/reports/reviews/[review]',
    '/reports/assertions',
  ],
  ...['/tools', '/tools/test-login', '/tools/token', '/tools/playground'],
]

test('N1: an owner may open every page, and whoever is no admin none', () => {
  expect(isOpenTo('owner')).toHaveLength(Object.keys(ADMIN_PAGES).length)
  expect(isOpenTo(null)).toEqual([])
  expect(ADMIN_ROLES).toHaveLength(4)
})

test('N1: an admin may open all pages but those of the owner', () => {
  expect(missing('admin')).toEqual(OWNERS)
})

test('N1: an auditor may open the pages that only show', () => {
  expect(missing('auditor')).toEqual(NOT_OF_AUDITORS)
})

test('N1: an app manager may open the pages of applications, and what they need beside them', () => {
  expect(isOpenTo('app_manager')).toEqual(APP_MANAGERS)
})

function missing(role: AdminRole): string[] {
  const open = isOpenTo(role)
  return isOpenTo('owner').filter((path) => !open.includes(path))
}
