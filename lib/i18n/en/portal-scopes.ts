import { english } from '../translation'

/** What each scope of the portal’s own API allows. Their names are in portal-api.ts. */
export const portalScopes = english({
  'spaces:read': 'See spaces, their permission models and policy tests',
  'spaces:write': 'Change spaces, their permission models and policy tests',
  'resources:read': 'See APIs',
  'resources:write':
    'Change APIs, grant their permissions to applications, and say who decides about access to them',
  'permissions:read': 'See permissions',
  'permissions:write': 'Change permissions',
  'permissions:check': 'Check whether a user or application has a permission',
  'permissions:explain': 'See why a user or application has a permission or not',
  'permissions:request': 'Ask for access, and see requests for access and reviews of access',
  'roles:read': 'See roles',
  'roles:write': 'Change roles, and with them what people may do who hold them',
  'assignments:read': 'See role assignments',
  'assignments:write': 'Assign and remove roles',
  'applications:read': 'See applications and their access keys',
  'applications:write': 'Change applications and their access keys',
  'users:read': 'See users',
  'users:write':
    'Change users, also how they sign in if they hold no roles and decide about nothing',
  'admin-roles:write': 'Assign and remove admin roles',
  'outbox:read': 'Read the mail in the outbox, in development: its links open accounts',
  'outbox:write': 'Retry and cancel messages of the outbox, without reading them',
  'settings:read': 'See settings and the health of the portal',
  'settings:write': 'Change settings, except mail and sign-in providers',
  'sign-in:write': 'Set the mail server and sign-in providers: whoever does can sign in as anybody',
  'webhooks:read': 'See webhooks and their deliveries, without what they contain',
  'webhooks:write': 'Change webhooks',
  'signing-keys:read': 'See signing keys',
  'signing-keys:write': 'Publish, replace and revoke signing keys',
  'audit:read': 'Read the audit log',
  'scopes:decide': 'Simulate token requests',
})
