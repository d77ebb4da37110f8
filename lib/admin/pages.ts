import type { PortalScope } from '../portal-api'

/**
 * Every page under app/admin and the scope that opens it: the pages ask for it by their own path,
 * the navigation shows what its reader may open, and the authorization matrix is made of it (N1).
 */
export const ADMIN_PAGES = {
  '/admin': 'audit:read',
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
  '/admin/applications/[app]/danger': 'applications:write',
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
  '/admin/keys': 'signing-keys:read',
  '/admin/audit': 'audit:read',
  '/admin/webhooks': 'webhooks:read',
  '/admin/settings': 'settings:read',
  '/admin/tools': 'scopes:decide',
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
