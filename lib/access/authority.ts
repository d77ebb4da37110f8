import { patternCovers } from './pattern'
import { type GrantSet, NO_GRANTS, type Policy, type Terms } from './policy'
import { grantsFor } from './ways'

/**
 * "May this caller make this change, given what it would give, to whom, and on which terms?" is
 * asked here and nowhere else. Pure: who calls and what the change makes possible reach it as data.
 * The rule in one sentence: you give only what you hold, on terms no wider than yours.
 */

export const ADMIN_ROLES = ['owner', 'admin', 'auditor', 'app_manager'] as const
export type AdminRole = (typeof ADMIN_ROLES)[number]

/**
 * Whoever sets the mail server reads every reset letter, whoever defines a sign-in provider can be
 * anybody who uses it, and written mail holds links that open accounts: so these are the owner's.
 */
const OWNERS_ALONE: ReadonlySet<string> = new Set(['sign-in:write', 'outbox:read'])

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

/** Whether an admin role comes to this scope of the portal's own API. */
export function roleHolds(role: AdminRole, scope: string): boolean {
  return ROLE_HOLDS[role](scope)
}

// ---------------------------------------------------------------- who calls

/** When something holds; conditions are compared by their text. */
export type Limits = {
  condition: string | null
  validFrom: number | null
  validUntil: number | null
}

/**
 * On which terms a scope is held: every layer has to let it through, by one of its ways. Without a
 * layer it is held without any terms; a layer without a way lets nothing through.
 */
export type Held = readonly (readonly Limits[])[]

export type Authority = {
  kind: 'user' | 'client' | 'system'
  id: string
  /** On the portal's own pages; a token of theirs in an application's hands is less than they are. */
  inPerson: boolean
  /** Of a person; a machine has no rank besides what it holds. */
  adminRole: AdminRole | null
  /** The portal's own scopes that this very call carries; null: not held. */
  holds(scope: string): Held | null
  /** Ids of the APIs that the caller owns, as a person or through a group. */
  ownsApis: ReadonlySet<string>
}

// ---------------------------------------------------------------- what a change gives

export type GovernedApi = { id: string; prefix: string; openToAppManagers: boolean }

/** One scope, or `orders:*`, that an application would have. */
export type Given = Limits & {
  scope: string
  /** Null: it is one of the portal's own. */
  api: GovernedApi | null
  /** Named by itself, and neither sensitive nor in need of a role. */
  ordinary: boolean
  /** Where the request asks for it. */
  at: string | null
}

export type Gift =
  /** Scopes to an application: by a grant, or by a role that it holds. */
  | { gives: 'grants'; grants: readonly Given[] }
  /** To act as an application: a credential, a key, a redirect URI. `grants`: all that it holds. */
  | { gives: 'application'; grants: readonly Given[]; ownerId: string | null }
  /** An admin role, which is all of its scopes. */
  | { gives: 'admin_role'; scopes: readonly string[] }
  /** To be somebody: their address, links, factors, sessions. `scopes`: of their admin role. */
  | { gives: 'account'; scopes: readonly string[]; apis: readonly GovernedApi[] }
  /** Authority over APIs. */
  | { gives: 'apis'; apis: readonly GovernedApi[] }
  /** What could otherwise be done with these scopes only. */
  | { gives: 'scopes'; scopes: readonly string[] }
  /** What the caller may do themselves: for somebody else to say. */
  | { gives: 'own_access' }

/** What the caller lacks, and who could do it. */
export type Missing = { what: string; at: string | null; from: readonly Giver[] }
export type Giver = { role: AdminRole } | { apiOwner: string }

/** Empty: the change may be made. */
export function missingFor(authority: Authority, gifts: readonly Gift[]): Missing[] {
  if (authority.kind === 'system') return []
  return gifts.flatMap((gift) => missingForGift(authority, gift))
}

function missingForGift(authority: Authority, gift: Gift): Missing[] {
  switch (gift.gives) {
    case 'grants':
      return gift.grants.flatMap((given) => missingToGive(authority, given))
    case 'application':
      return missingToActAs(authority, gift)
    case 'admin_role':
      return missingScopes(authority, ['admin-roles:write', ...gift.scopes])
    case 'account':
      return [...missingScopes(authority, gift.scopes), ...missingApis(authority, gift.apis)]
    case 'apis':
      return missingApis(authority, gift.apis)
    case 'scopes':
      return missingScopes(authority, gift.scopes)
    case 'own_access':
      return isAboveAll(authority) ? [] : [ANOTHER_ADMIN]
  }
}

/** In the place of a scope: what the caller may do themselves. */
export const OWN_ACCESS = 'own_access'
const ANOTHER_ADMIN: Missing = { what: OWN_ACCESS, at: null, from: [{ role: 'admin' }] }

/** A machine has no access of its own besides its grants; an owner has nobody above them. */
function isAboveAll({ kind, inPerson, adminRole }: Authority): boolean {
  return kind !== 'user' || (inPerson && adminRole === 'owner')
}

function missingToGive(authority: Authority, given: Given): Missing[] {
  if (given.api === null) return mayGivePortalScope(authority, given) ? [] : [portalScope(given)]
  return mayGiveItem(authority, given, given.api) ? [] : [itemOf(given, given.api)]
}

/** An app manager's scopes are for their own applications; a machine's would be for all. */
function mayGivePortalScope(authority: Authority, { scope, ...limits }: Given): boolean {
  return authority.adminRole !== 'app_manager' && holdsWithin(authority, scope, limits)
}

function mayGiveItem(authority: Authority, given: Given, api: GovernedApi): boolean {
  if (governs(authority, api, given)) return true
  return api.openToAppManagers && given.ordinary
}

/** Those who change APIs could make themselves its owner. */
function governs(authority: Authority, { id }: GovernedApi, limits: Limits): boolean {
  const isTheirs = authority.inPerson && authority.ownsApis.has(id)
  return isTheirs || holdsWithin(authority, 'resources:write', limits)
}

/**
 * Whoever gives an API's items to an application sees whose it is, and trusts that person with them;
 * what it holds of the portal is nobody's but its own.
 */
function missingToActAs(
  authority: Authority,
  { grants, ownerId }: Extract<Gift, { gives: 'application' }>,
): Missing[] {
  const isTheirs = authority.inPerson && authority.id === ownerId
  const counted = grants.filter(({ api }) => api === null || !isTheirs)
  return counted.flatMap((given) => missingToGive(authority, given))
}

function missingScopes(authority: Authority, scopes: readonly string[]): Missing[] {
  return scopes
    .filter((scope) => !holdsWithin(authority, scope, ALWAYS))
    .map((scope) => portalScope({ scope, at: null }))
}

function missingApis(authority: Authority, apis: readonly GovernedApi[]): Missing[] {
  return apis
    .filter((api) => !governs(authority, api, ALWAYS))
    .map((api) => itemOf({ scope: `${api.prefix}:*`, at: null }, api))
}

function portalScope({ scope, at }: Pick<Given, 'scope' | 'at'>): Missing {
  const from = (['owner', 'admin'] as const).filter((role) => roleHolds(role, scope))
  return { what: scope, at, from: from.map((role) => ({ role })) }
}

function itemOf({ scope, at }: Pick<Given, 'scope' | 'at'>, { prefix }: GovernedApi): Missing {
  return { what: scope, at, from: [{ apiOwner: prefix }, { role: 'admin' }] }
}

// ---------------------------------------------------------------- terms

export const ALWAYS: Limits = { condition: null, validFrom: null, validUntil: null }

function holdsWithin(authority: Authority, scope: string, limits: Limits): boolean {
  const held = authority.holds(scope)
  return held?.every((layer) => layer.some((own) => isWithin(limits, own))) ?? false
}

/** No wider: the same condition or none to keep, beginning no earlier, ending no later. */
export function isWithin(given: Limits, own: Limits): boolean {
  const sameOccasion = own.condition === null || own.condition === given.condition
  const noEarlier = (own.validFrom ?? -Infinity) <= (given.validFrom ?? -Infinity)
  const noLater = (given.validUntil ?? Infinity) <= (own.validUntil ?? Infinity)
  return sameOccasion && noEarlier && noLater
}

export function limitsOf({ condition, validFrom, validUntil }: Terms): Limits {
  return { condition: condition?.source ?? null, validFrom, validUntil }
}

type Client = {
  applicationId: string
  accessKey: { id: string; scopes: readonly string[] | null; expiresAt: number | null } | null
}

/** The terms on which a client holds one of the portal's scopes, by its grants and its key. */
export function heldThrough(policy: Policy, client: Client, scope: string): Held {
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

/** What is partly denied cannot be given at all: no grant could say the rest of it. */
function layerOf(grants: GrantSet, scope: string): Limits[] {
  const found = grantsFor(grants, scope)
  return found.some(({ effect }) => effect === 'deny') ? [] : found.map(limitsOf)
}
