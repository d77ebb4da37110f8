import { patternCovers } from './pattern'
import { type GrantSet, NO_GRANTS, type Policy, type Terms } from './policy'
import { grantsFor } from './ways'

/**
 * "May this caller make this change?" is decided here and nowhere else. It depends on what the
 * change gives, to whom, and on which terms. Pure: the caller and the change reach it as data. The
 * rule of authority in one sentence: you can give only what you hold, on terms no wider than yours.
 */

export const ADMIN_ROLES = ['owner', 'admin', 'auditor', 'app_manager'] as const
export type AdminRole = (typeof ADMIN_ROLES)[number]

/**
 * Whoever sets the mail server can read every mail that resets a password; whoever defines a
 * sign-in provider can sign in as its users; written mail contains links that open accounts; and
 * nobody looks into the accounts of others because they are an admin. So only owners have these
 * scopes.
 */
const OWNERS_ALONE: ReadonlySet<string> = new Set([
  'sign-in:write',
  'outbox:read',
  'users:impersonate',
])

const APP_MANAGERS: ReadonlySet<string> = new Set([
  'applications:read',
  'applications:write',
  'spaces:read',
  'resources:read',
  'permissions:read',
  'scopes:decide',
])

const ROLE_HOLDS: Record<AdminRole, (scope: string) => boolean> = {
  owner: () => true,
  admin: (scope) => !OWNERS_ALONE.has(scope),
  auditor: (scope) => !OWNERS_ALONE.has(scope) && !scope.endsWith(':write'),
  app_manager: (scope) => APP_MANAGERS.has(scope),
}

/** Whether an admin role includes this scope of the portal's own API. */
export function roleHolds(role: AdminRole, scope: string): boolean {
  return ROLE_HOLDS[role](scope)
}

// ---------------------------------------------------------------- who calls

/** When a grant is in force; conditions are compared as text. */
export type Limits = {
  condition: string | null
  validFrom: number | null
  validUntil: number | null
}

/**
 * The terms on which a scope is held. Every layer must allow it through one of its alternatives.
 * Without layers the scope is held without terms; a layer without alternatives allows nothing.
 */
export type HeldLimits = readonly (readonly Limits[])[]

export type Authority = {
  kind: 'user' | 'client' | 'system'
  id: string
  /**
   * True on the portal's own pages. A token of the user in an application has less authority than
   * the user.
   */
  inPerson: boolean
  /** The admin role of a user. An application has none. */
  adminRole: AdminRole | null
  /** The terms on which this call holds a scope of the portal; null if not held. */
  holds(scope: string): HeldLimits | null
  /** IDs of the APIs that the caller owns, directly or through a group. */
  ownsApis: ReadonlySet<string>
}

// ---------------------------------------------------------------- what a change gives

export type GovernedApi = { id: string; prefix: string; openToAppManagers: boolean }

/** A scope or a pattern such as `orders:*` that an application would get. */
export type ScopePrivilege = Limits & {
  scope: string
  /** Null for a scope of the portal's own API. */
  api: GovernedApi | null
  /** Named without a pattern, not sensitive and not requiring a role. */
  ordinary: boolean
  /** Where the request asks for it (a JSON pointer). */
  at: string | null
}

/** Scopes that the caller must hold, and APIs that they must govern. */
export type Unasked = { scopes: readonly string[]; apis: readonly GovernedApi[] }

export type Privilege =
  /** Scopes for an application: by a grant, or by a role that it holds. */
  | { gives: 'grants'; grants: readonly ScopePrivilege[] }
  /**
   * To act as an application: by a credential, a key or a redirect URI. `grants`: everything that
   * it holds. `unasked`: what stands for that which its users are not asked about.
   */
  | {
      gives: 'application'
      grants: readonly ScopePrivilege[]
      ownerId: string | null
      unasked?: Unasked
    }
  /** An admin role, with all its scopes. */
  | { gives: 'admin_role'; scopes: readonly string[] }
  /**
   * To act as a user: by their address, links, factors or sessions. `scopes`: of their admin role.
   */
  | { gives: 'account'; scopes: readonly string[]; apis: readonly GovernedApi[] }
  /** Authority over APIs. */
  | { gives: 'apis'; apis: readonly GovernedApi[] }
  /** What otherwise needs these scopes. */
  | { gives: 'scopes'; scopes: readonly string[] }
  /** A change of what the caller may do; somebody else has to make it. */
  | { gives: 'own_access' }

/** What the caller lacks, and who could make the change. */
export type MissingPrivilege = { what: string; at: string | null; from: readonly Grantor[] }
export type Grantor = { role: AdminRole } | { apiOwner: string }

/** Empty if the change may be made. */
export function missingFor(
  authority: Authority,
  privileges: readonly Privilege[],
): MissingPrivilege[] {
  if (authority.kind === 'system') return []
  return privileges.flatMap((privilege) => missingForPrivilege(authority, privilege))
}

function missingForPrivilege(authority: Authority, privilege: Privilege): MissingPrivilege[] {
  switch (privilege.gives) {
    case 'grants':
      return privilege.grants.flatMap((given) => missingToGive(authority, given))
    case 'application':
      return missingToActAs(authority, privilege)
    case 'admin_role':
      return missingScopes(authority, ['admin-roles:write', ...privilege.scopes])
    case 'account':
      return [
        ...missingScopes(authority, privilege.scopes),
        ...missingApis(authority, privilege.apis),
      ]
    case 'apis':
      return missingApis(authority, privilege.apis)
    case 'scopes':
      return missingScopes(authority, privilege.scopes)
    case 'own_access':
      return isAboveAll(authority) ? [] : [ANOTHER_ADMIN]
  }
}

/**
 * Stands for a scope in the list of what is missing: the caller would change their own permissions.
 */
export const OWN_ACCESS = 'own_access'
const ANOTHER_ADMIN: MissingPrivilege = { what: OWN_ACCESS, at: null, from: [{ role: 'admin' }] }

/** An application has no access besides its grants; an owner has nobody above. */
function isAboveAll({ kind, inPerson, adminRole }: Authority): boolean {
  return kind !== 'user' || (inPerson && adminRole === 'owner')
}

function missingToGive(authority: Authority, given: ScopePrivilege): MissingPrivilege[] {
  if (given.api === null) return mayGivePortalScope(authority, given) ? [] : [portalScope(given)]
  return mayGiveItem(authority, given, given.api) ? [] : [itemOf(given, given.api)]
}

/**
 * The scopes of an app manager are valid for their own applications only; those of a machine would
 * be valid for all.
 */
function mayGivePortalScope(authority: Authority, { scope, ...limits }: ScopePrivilege): boolean {
  return authority.adminRole !== 'app_manager' && holdsWithin(authority, scope, limits)
}

function mayGiveItem(authority: Authority, given: ScopePrivilege, api: GovernedApi): boolean {
  if (governs(authority, api, given)) return true
  return api.openToAppManagers && given.ordinary
}

/** Whoever may change APIs could also make themselves an API owner. */
function governs(authority: Authority, { id }: GovernedApi, limits: Limits): boolean {
  const isTheirs = authority.inPerson && authority.ownsApis.has(id)
  return isTheirs || holdsWithin(authority, 'resources:write', limits)
}

/**
 * An API owner who grants permissions to an application sees its owner and trusts that user with
 * them. Scopes of the portal itself must be held by the caller.
 */
function missingToActAs(
  authority: Authority,
  { grants, ownerId, unasked }: Extract<Privilege, { gives: 'application' }>,
): MissingPrivilege[] {
  const isTheirs = authority.inPerson && authority.id === ownerId
  const counted = grants.filter(({ api }) => api === null || !isTheirs)
  return [
    ...counted.flatMap((given) => missingToGive(authority, given)),
    ...(isTheirs || !unasked ? [] : missingUnasked(authority, unasked)),
  ]
}

function missingUnasked(authority: Authority, { scopes, apis }: Unasked): MissingPrivilege[] {
  return [...missingScopes(authority, scopes), ...missingApis(authority, apis)]
}

function missingScopes(authority: Authority, scopes: readonly string[]): MissingPrivilege[] {
  return scopes
    .filter((scope) => !holdsWithin(authority, scope, ALWAYS))
    .map((scope) => portalScope({ scope, at: null }))
}

function missingApis(authority: Authority, apis: readonly GovernedApi[]): MissingPrivilege[] {
  return apis
    .filter((api) => !governs(authority, api, ALWAYS))
    .map((api) => itemOf({ scope: `${api.prefix}:*`, at: null }, api))
}

function portalScope({ scope, at }: Pick<ScopePrivilege, 'scope' | 'at'>): MissingPrivilege {
  const from = (['owner', 'admin'] as const).filter((role) => roleHolds(role, scope))
  return { what: scope, at, from: from.map((role) => ({ role })) }
}

function itemOf(
  { scope, at }: Pick<ScopePrivilege, 'scope' | 'at'>,
  { prefix }: GovernedApi,
): MissingPrivilege {
  return { what: scope, at, from: [{ apiOwner: prefix }, { role: 'admin' }] }
}

// ---------------------------------------------------------------- terms

export const ALWAYS: Limits = { condition: null, validFrom: null, validUntil: null }

function holdsWithin(authority: Authority, scope: string, limits: Limits): boolean {
  const held = authority.holds(scope)
  return held?.every((layer) => layer.some((own) => isWithin(limits, own))) ?? false
}

/**
 * Not wider: the same condition, or none on the caller's side; it begins no earlier and ends no
 * later.
 */
export function isWithin(given: Limits, own: Limits): boolean {
  const sameCondition = own.condition === null || own.condition === given.condition
  const noEarlier = (own.validFrom ?? -Infinity) <= (given.validFrom ?? -Infinity)
  const noLater = (given.validUntil ?? Infinity) <= (own.validUntil ?? Infinity)
  return sameCondition && noEarlier && noLater
}

export function limitsOf({ condition, validFrom, validUntil }: Terms): Limits {
  return { condition: condition?.source ?? null, validFrom, validUntil }
}

type Client = {
  applicationId: string
  accessKey: { id: string; scopes: readonly string[] | null; expiresAt: number | null } | null
}

/** The terms on which a client holds a scope of the portal, by its grants and its access key. */
export function heldThrough(policy: Policy, client: Client, scope: string): HeldLimits {
  const { applicationId, accessKey } = client
  const own = layerOf(policy.applications.get(applicationId)?.grants ?? NO_GRANTS, scope)
  if (!accessKey) return [own]
  const life = { ...ALWAYS, validUntil: accessKey.expiresAt }
  const listed = accessKey.scopes?.some((pattern) => patternCovers(pattern, scope)) ?? true
  const grants = policy.accessKeyGrants.get(accessKey.id) ?? NO_GRANTS
  return listed && grantsFor(grants, scope).length === 0
    ? [own, [life]]
    : [own, [life], layerOf(grants, scope)]
}

/** A scope that is partly denied cannot be given at all: no grant could express the rest. */
function layerOf(grants: GrantSet, scope: string): Limits[] {
  const found = grantsFor(grants, scope)
  return found.some(({ effect }) => effect === 'deny') ? [] : found.map(limitsOf)
}
