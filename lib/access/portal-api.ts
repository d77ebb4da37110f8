import type { Api, Item } from './policy'

/**
 * The portal's own API as a resource like any other: applications are granted these items, tokens
 * carry them, and lib/api asks for them. It is code and no row, so it is always what this build has.
 */

export const PORTAL_SCOPES = {
  'spaces:read': ['See spaces, their models and policy tests', '查看空间及其模型和策略测试'],
  'spaces:write': ['Change spaces, their models and policy tests', '修改空间及其模型和策略测试'],
  'resources:read': ['See APIs', '查看 API'],
  'resources:write': [
    'Change APIs, and give their permission items to applications',
    '修改 API，并将其权限项授予应用',
  ],
  'permissions:read': ['See permission items', '查看权限项'],
  'permissions:write': ['Change permission items', '修改权限项'],
  'permissions:check': ['Ask whether somebody holds a permission', '查询某人是否拥有权限'],
  'permissions:explain': [
    'See why somebody holds a permission or not',
    '查看某人拥有或没有权限的原因',
  ],
  'roles:read': ['See roles', '查看角色'],
  'roles:write': ['Change roles', '修改角色'],
  'assignments:read': ['See who holds which role', '查看角色的分配情况'],
  'assignments:write': ['Give and take roles', '分配和收回角色'],
  'applications:read': ['See applications and their access keys', '查看应用及其访问密钥'],
  'applications:write': ['Change applications and their access keys', '修改应用及其访问密钥'],
  'users:read': ['See users', '查看用户'],
  'users:write': ['Change users', '修改用户'],
  'admin-roles:write': ['Give and take admin roles', '授予和收回管理员角色'],
  'outbox:read': ['Read written mail, in development', '查看已写好的邮件（仅开发环境）'],
  'settings:read': ['See settings and the health of the portal', '查看门户的设置和健康状况'],
  'settings:write': ['Change settings', '修改设置'],
  'sign-in:write': ['Set the mail server and sign-in providers', '设置邮件服务器和登录方式'],
  'webhooks:read': ['See webhooks and their deliveries', '查看 Webhook 及其投递记录'],
  'webhooks:write': ['Change webhooks', '修改 Webhook'],
  'signing-keys:read': ['See signing keys', '查看签名密钥'],
  'signing-keys:write': ['Stage, rotate and revoke signing keys', '准备、轮换和吊销签名密钥'],
  'audit:read': ['Read the audit log', '查看审计日志'],
  'scopes:decide': ['Try out what a token request would give', '试算令牌请求的结果'],
} as const satisfies Record<string, readonly [en: string, zh: string]>

export type PortalScope = keyof typeof PORTAL_SCOPES
export const PORTAL_SCOPE_NAMES = Object.keys(PORTAL_SCOPES) as PortalScope[]

export const PORTAL_API_NAME = 'Gatehouse'
const TOKEN_SECONDS = 3600

export type OwnApi = { api: Api; items: readonly Item[] }

export function portalAudience(origin: string): string {
  return `${origin}/api/v1`
}

/** With a user, the token can do no more than that user's own admin role: see lib/api/caller.ts. */
export function portalApi(origin: string): OwnApi {
  const api: Api = {
    id: 'api_gatehouse',
    spaceId: 'spc_gatehouse',
    audience: portalAudience(origin),
    prefix: 'gatehouse',
    enabled: true,
    tokenSeconds: TOKEN_SECONDS,
    tokenAlg: null,
    owners: [],
    openToAppManagers: false,
    introspectors: [],
  }
  const items = PORTAL_SCOPE_NAMES.map((scope) => ({
    scope,
    api,
    userBound: false,
    needsRole: false,
    sensitive: false,
  }))
  return { api, items }
}

const PREFIXES: ReadonlySet<string> = new Set([
  'gatehouse',
  ...PORTAL_SCOPE_NAMES.map((scope) => scope.split(':')[0] ?? ''),
])

/** `users:*` would cover the portal's own items, so no other API is called that. */
export function isPortalPrefix(prefix: string): boolean {
  return PREFIXES.has(prefix)
}

export function isPortalScope(scope: string): scope is PortalScope {
  return Object.hasOwn(PORTAL_SCOPES, scope)
}
