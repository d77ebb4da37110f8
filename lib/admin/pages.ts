import type { PortalScope } from '../access/portal-api'

/**
 * Every page under app/admin and the scope that it requires. Pages look up their scope by their own
 * path, the navigation shows what its reader may open, and the authorization matrix is generated
 * from this table (attack N1).
 */
export const ADMIN_PAGES = {
  '/admin': 'audit:read',
  '/admin/first-token': 'applications:write',
  '/admin/applications': 'applications:read',
  '/admin/applications/new': 'applications:write',
  '/admin/applications/[app]': 'applications:read',
  '/admin/applications/[app]/quick-start': 'applications:read',
  '/admin/applications/[app]/settings': 'applications:read',
  '/admin/applications/[app]/credentials': 'applications:read',
  '/admin/applications/[app]/credentials/[key]': 'applications:read',
  '/admin/applications/[app]/scopes': 'applications:read',
  '/admin/applications/[app]/branding': 'applications:read',
  '/admin/applications/[app]/consent': 'applications:read',
  '/admin/applications/[app]/people': 'applications:read',
  '/admin/applications/[app]/refusals': 'applications:read',
  '/admin/applications/[app]/logs': 'audit:read',
  '/admin/applications/[app]/claims': 'applications:read',
  '/admin/applications/[app]/danger': 'applications:write',
  '/admin/apis': 'resources:read',
  '/admin/apis/new': 'resources:write',
  '/admin/apis/[api]': 'resources:read',
  '/admin/apis/[api]/quick-start': 'resources:read',
  '/admin/apis/[api]/holders': 'permissions:explain',
  '/admin/apis/[api]/applications': 'applications:read',
  '/admin/apis/[api]/applications/[client]': 'applications:write',
  '/admin/apis/[api]/requests': 'resources:read',
  '/admin/apis/[api]/item': 'permissions:write',
  '/admin/apis/[api]/settings': 'resources:read',
  '/admin/roles': 'roles:read',
  '/admin/roles/new': 'roles:write',
  '/admin/roles/[role]': 'roles:read',
  '/admin/roles/[role]/effective': 'roles:read',
  '/admin/roles/[role]/members': 'assignments:read',
  '/admin/roles/[role]/members/new': 'assignments:write',
  '/admin/roles/[role]/members/[assignment]': 'assignments:read',
  '/admin/roles/[role]/permissions': 'roles:read',
  '/admin/roles/[role]/permissions/add': 'roles:write',
  '/admin/roles/[role]/permissions/[grant]': 'roles:write',
  '/admin/roles/spaces': 'spaces:read',
  '/admin/roles/spaces/new': 'spaces:write',
  '/admin/roles/spaces/[space]': 'spaces:read',
  '/admin/roles/spaces/[space]/model': 'roles:read',
  '/admin/users': 'users:read',
  '/admin/users/new': 'users:write',
  '/admin/users/import': 'users:write',
  '/admin/users/bulk': 'users:write',
  '/admin/users/[user]': 'users:read',
  '/admin/users/[user]/access': 'users:read',
  '/admin/users/[user]/permissions': 'assignments:read',
  '/admin/groups': 'users:read',
  '/admin/groups/new': 'users:write',
  '/admin/groups/[group]': 'users:read',
  '/admin/simulator': 'scopes:decide',
  '/admin/why': 'permissions:explain',
  '/admin/reports': 'permissions:explain',
  '/admin/reports/clean-up': 'permissions:explain',
  '/admin/reports/replay': 'permissions:explain',
  '/admin/reports/reviews': 'applications:read',
  '/admin/reports/reviews/new': 'applications:write',
  '/admin/reports/reviews/[review]': 'applications:read',
  '/admin/reports/assertions': 'spaces:read',
  '/admin/reports/assertions/new': 'spaces:write',
  '/admin/reports/assertions/[assertion]': 'spaces:write',
  '/admin/keys': 'signing-keys:read',
  '/admin/keys/[kid]': 'signing-keys:read',
  '/admin/audit': 'audit:read',
  '/admin/audit/[entry]': 'audit:read',
  '/admin/webhooks': 'webhooks:read',
  '/admin/webhooks/new': 'webhooks:write',
  '/admin/webhooks/[webhook]': 'webhooks:read',
  '/admin/settings': 'settings:read',
  '/admin/settings/providers': 'settings:read',
  '/admin/settings/providers/new': 'sign-in:write',
  '/admin/settings/providers/[provider]': 'settings:read',
  '/admin/settings/mail': 'settings:read',
  '/admin/settings/outbox': 'settings:read',
  '/admin/settings/health': 'settings:read',
  '/admin/settings/registration': 'settings:read',
  '/admin/settings/branding': 'settings:read',
  '/admin/settings/attributes': 'settings:read',
  '/admin/settings/attributes/new': 'settings:write',
  '/admin/settings/attributes/[attribute]': 'settings:read',
  '/admin/settings/configuration': 'settings:write',
  '/admin/tools': 'scopes:decide',
  '/admin/tools/test-login': 'applications:write',
  '/admin/tools/token': 'scopes:decide',
  '/admin/tools/playground': 'scopes:decide',
} as const satisfies Record<`/admin${string}`, PortalScope>

export type AdminPath = keyof typeof ADMIN_PAGES

/** In the order of the navigation, in groups. */
export const NAVIGATION = [
  ['/admin'],
  ['/admin/applications', '/admin/apis', '/admin/roles', '/admin/users', '/admin/groups'],
  ['/admin/simulator', '/admin/why', '/admin/reports', '/admin/tools'],
  ['/admin/audit', '/admin/keys', '/admin/webhooks', '/admin/settings'],
] as const satisfies readonly (readonly AdminPath[])[]

export type NavigationPath = (typeof NAVIGATION)[number][number]

/** For readers who may not open the page of an entry itself, but one below it. */
const OTHERWISE: Partial<Record<NavigationPath, AdminPath>> = {
  '/admin/reports': '/admin/reports/reviews',
}

/** Where an entry of the navigation leads this reader; null if nowhere. */
export function entranceOf(
  path: NavigationPath,
  may: (scope: PortalScope) => boolean,
): AdminPath | null {
  return [path, OTHERWISE[path]].find((one) => one && may(ADMIN_PAGES[one])) ?? null
}
