import type { PortalScope } from '../portal-api'

/**
 * Every page under app/admin and the scope that opens it: the pages ask for it by their own path,
 * the navigation shows what its reader may open, and the authorization matrix is made of it (N1).
 */
export const ADMIN_PAGES = {
  '/admin': 'audit:read',
  '/admin/applications': 'applications:read',
  '/admin/apis': 'resources:read',
  '/admin/roles': 'roles:read',
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
  '/admin/settings/providers/[provider]': 'settings:read',
  '/admin/settings/mail': 'settings:read',
  '/admin/settings/branding': 'settings:read',
  '/admin/tools': 'scopes:decide',
  '/admin/tools/test-login': 'applications:write',
  '/admin/tools/token': 'scopes:decide',
  '/admin/tools/playground': 'scopes:decide',
} as const satisfies Record<`/admin${string}`, PortalScope>

export type AdminPath = keyof typeof ADMIN_PAGES

/** In the order of the navigation; a line between the groups. */
export const NAVIGATION = [
  ['/admin'],
  ['/admin/applications', '/admin/apis', '/admin/roles', '/admin/users', '/admin/groups'],
  ['/admin/simulator', '/admin/why', '/admin/reports', '/admin/tools'],
  ['/admin/audit', '/admin/keys', '/admin/webhooks', '/admin/settings'],
] as const satisfies readonly (readonly AdminPath[])[]

export type NavigationPath = (typeof NAVIGATION)[number][number]
