/**
 * What decisions are made over: one immutable snapshot of everything that can grant or refuse.
 * Plain data behind maps, so that a decision is a few look-ups and never a query.
 */

export type Api = {
  id: string
  spaceId: string
  audience: string
  prefix: string
  enabled: boolean
  tokenSeconds: number
  /** Null: as the application says. */
  tokenAlg: 'ES256' | 'RS256' | null
  /** Who gives its items to applications, besides admins. */
  owners: readonly { type: 'user' | 'group'; id: string }[]
  /** App managers give its ordinary items to their own applications. */
  openToAppManagers: boolean
  /** Applications that may introspect its tokens, besides those that they were issued to. */
  introspectors: readonly string[]
}

export type Item = {
  scope: string
  api: Api
  /** Makes no sense without a user. */
  userBound: boolean
  /** With a user: a role of theirs must give it too. */
  needsRole: boolean
  /** Never taken, always given. */
  sensitive: boolean
}

/** Something that holds only for a while, or only when a condition is met. */
export type Terms = {
  id: string
  effect: 'allow' | 'deny'
  condition: Condition | null
  validFrom: number | null
  validUntil: number | null
}

export type Grant = Terms & { pattern: string }

/** Found by the item's name, so that a role with thousands of items costs what one with few costs. */
export type GrantSet = {
  exact: ReadonlyMap<string, readonly Grant[]>
  patterns: readonly Grant[]
}

export type Assignment = Terms & {
  roleId: string
  /** Holds for one resource only; null: for all. */
  instance: string | null
  /** The group through which it came; null: it was given to the subject itself. */
  groupId: string | null
}

export type Role = {
  id: string
  key: string
  spaceId: string
  parentIds: readonly string[]
  grants: GrantSet
}

/** What an application or a user holds. */
export type Holder = { grants: GrantSet; assignments: readonly Assignment[] }
export type User = Holder & { enabled: boolean; attributes: Readonly<Record<string, unknown>> }

/**
 * `unanswerable`: it broke, now or when it was compiled. `condition_too_costly`: it was stopped.
 * Both refuse an allow and uphold a deny.
 */
export type Verdict =
  | 'met'
  | 'condition_failed'
  | 'context_missing'
  | 'condition_too_costly'
  | 'unanswerable'
export type Condition = { source: string; evaluate(context: Context): Verdict }

export type Policy = {
  items: ReadonlyMap<string, Item>
  apisByAudience: ReadonlyMap<string, Api>
  roles: ReadonlyMap<string, Role>
  applications: ReadonlyMap<string, Holder>
  accessKeyGrants: ReadonlyMap<string, GrantSet>
  /** Those of whom anything is known: who is not here holds nothing. */
  users: ReadonlyMap<string, User>
}

type Properties = Readonly<Record<string, unknown>>

/** The steps that the conditions of one decision may still take together. */
export type Budget = { left: number }

/** What a condition may read. A member that is not known is absent, never empty. */
export type Context = {
  request: {
    time: Date
    ip?: string
    user_agent?: string
    grant_type?: string
    /** What the caller of a check says about the occasion. */
    context?: Properties
  }
  client: { id?: string; application_id?: string; access_key?: string }
  resource: {
    audience?: string
    scope?: string
    type?: string
    id?: string
    properties?: Properties
  }
  user: Properties
  auth: { acr?: string; amr?: readonly string[]; age?: number }
  /** Of a permission check (AuthZEN); empty where a token is asked for. */
  subject: { type?: string; id?: string; properties?: Properties }
  action: { name?: string; properties?: Properties }
  /** Read by nobody: what they take is taken from it. Without it, each has its own only. */
  budget?: Budget
}

export const NO_GRANTS: GrantSet = { exact: new Map(), patterns: [] }
export const NOTHING: Holder = { grants: NO_GRANTS, assignments: [] }

export function grantSet(grants: readonly Grant[]): GrantSet {
  if (grants.length === 0) return NO_GRANTS
  const exact = new Map<string, Grant[]>()
  const patterns: Grant[] = []
  for (const grant of grants) {
    const same = exact.get(grant.pattern)
    if (grant.pattern.endsWith(':*')) patterns.push(grant)
    else if (same) same.push(grant)
    else exact.set(grant.pattern, [grant])
  }
  return { exact, patterns }
}

export function allGrants({ exact, patterns }: GrantSet): Grant[] {
  return [...[...exact.values()].flat(), ...patterns]
}
