/**
 * The data of decisions: an immutable snapshot of the model, and what was read about the subjects
 * of the decision. Plain data in maps, so that a decision is a few look-ups and never a query.
 */

export type Api = {
  id: string
  spaceId: string
  audience: string
  /** Addresses below the audience name it too: see resource.ts. */
  subpaths: boolean
  prefix: string
  enabled: boolean
  tokenSeconds: number
  /** Null: the application decides. */
  tokenAlg: 'ES256' | 'RS256' | null
  /** `typ` of its tokens; with `at+jwt` the application may still ask for `JWT`. */
  tokenType: 'at+jwt' | 'JWT'
  /** API owners: they give its permissions to applications, besides admins. */
  owners: readonly { type: 'user' | 'group'; id: string }[]
  /** App managers may give its ordinary permissions to their own applications. */
  openToAppManagers: boolean
  /** Applications that may introspect its tokens, besides the clients that they were issued to. */
  introspectors: readonly string[]
  /** What the portal says about it in public (RFC 9728); null if it says nothing. */
  published: { name: string; documentation: string | null } | null
  /** What users may ask for; absent for most APIs. */
  requestRules?: readonly RequestRule[]
}

export type Item = {
  scope: string
  api: Api
  /** Has no meaning without a user. */
  userBound: boolean
  /** With a user: one of the user's roles must give it too. */
  needsRole: boolean
  /** App managers cannot take it for their applications; somebody has to grant it. */
  sensitive: boolean
}

/** The terms of a grant or an assignment: a validity period and a condition. */
export type Terms = {
  id: string
  effect: 'allow' | 'deny'
  condition: Condition | null
  validFrom: number | null
  validUntil: number | null
}

export type Grant = Terms & {
  pattern: string
  /**
   * For a token exchange only: the application whose tokens are exchanged, or ANY_APPLICATION.
   * Absent or null for an ordinary grant.
   */
  exchangeFrom?: string | null
}

export const ANY_APPLICATION = '*'

/**
 * Indexed by the name of the permission, so that the number of permissions of a role does not
 * matter.
 */
export type GrantSet = {
  exact: ReadonlyMap<string, readonly Grant[]>
  patterns: readonly Grant[]
  /** Those for a token exchange: no other request can use them. */
  exchanges: readonly Grant[]
}

export type Assignment = Terms & {
  roleId: string
  /** Holds for one resource instance; null for all. */
  instance: string | null
  /** The group that it comes from; null if it was given to the subject directly. */
  groupId: string | null
}

export type Role = {
  id: string
  key: string
  spaceId: string
  parentIds: readonly string[]
  grants: GrantSet
}

/** The grants and assignments of an application or a user. */
export type Holder = { grants: GrantSet; assignments: readonly Assignment[] }
export type User = Holder & { enabled: boolean; attributes: Readonly<Record<string, unknown>> }

/**
 * `unanswerable`: the condition failed, now or when it was compiled. `condition_too_costly`: it was
 * stopped. Both refuse an allow and uphold a deny.
 */
export type ConditionResult =
  | 'met'
  | 'condition_failed'
  | 'context_missing'
  | 'condition_too_costly'
  | 'unanswerable'
export type Condition = { source: string; evaluate(context: Context): ConditionResult }

/** What is defined once and concerns everybody: all of it is in memory. */
export type Model = {
  items: ReadonlyMap<string, Item>
  apisByAudience: ReadonlyMap<string, Api>
  roles: ReadonlyMap<string, Role>
}

/**
 * What was read about some subjects; undefined for one that does not exist. To ask for a subject
 * that was not read is a mistake in the code, and it throws.
 */
export type WhatWasRead<V> = { get(id: string): V | undefined }

/** What belongs to one user or one application: read when it is needed. */
type Subjects = {
  applications: WhatWasRead<Holder>
  accessKeyGrants: WhatWasRead<GrantSet>
  /** A user who does not exist holds nothing. */
  users: WhatWasRead<User>
}

export type Policy = Model & Subjects

type Properties = Readonly<Record<string, unknown>>

/** The steps that the conditions of one decision may still take together. */
export type Budget = { left: number }

/** `from`: the application that the subject token was issued to; `first`: where the chain began. */
export type Exchange = {
  from: string
  first: string
  /** How many exchanges led to the new token, including this one. */
  depth: number
  /** Scopes and audiences of the subject token. */
  scope: readonly string[]
  audience: readonly string[]
  /** Who made the first application: `admin`, `dynamic` or `metadata_document`. */
  registration: string
}

/** What a condition can read. An unknown member is absent, never empty. */
export type Context = {
  request: {
    time: Date
    ip?: string
    user_agent?: string
    grant_type?: string
    /** Of a token exchange: where the subject token comes from. */
    exchange?: Exchange
    /** What the caller of a check says about the context. */
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
  /** Of a permission check (AuthZEN); empty for a token request. */
  subject: { type?: string; id?: string; properties?: Properties }
  action: { name?: string; properties?: Properties }
  /**
   * Conditions cannot read it; their steps are subtracted from it. Without it, each condition has
   * only its own limit.
   */
  budget?: Budget
}

export const NO_GRANTS: GrantSet = { exact: new Map(), patterns: [], exchanges: [] }
export const NOTHING: Holder = { grants: NO_GRANTS, assignments: [] }

export function grantSet(grants: readonly Grant[]): GrantSet {
  if (grants.length === 0) return NO_GRANTS
  const exact = new Map<string, Grant[]>()
  const patterns: Grant[] = []
  const exchanges: Grant[] = []
  for (const grant of grants) {
    const same = exact.get(grant.pattern)
    if (grant.exchangeFrom) exchanges.push(grant)
    else if (grant.pattern.endsWith(':*')) patterns.push(grant)
    else if (same) same.push(grant)
    else exact.set(grant.pattern, [grant])
  }
  return { exact, patterns, exchanges }
}

/**
 * Read at its first use. A class, because an object with accessors and closures of its own takes
 * three times the memory.
 */
export abstract class LazyGrantSet implements GrantSet {
  protected abstract read(): GrantSet

  get exact(): GrantSet['exact'] {
    return this.read().exact
  }

  get patterns(): GrantSet['patterns'] {
    return this.read().patterns
  }

  get exchanges(): GrantSet['exchanges'] {
    return this.read().exchanges
  }
}

export function allGrants({ exact, patterns, exchanges }: GrantSet): Grant[] {
  return [...[...exact.values()].flat(), ...patterns, ...exchanges]
}

/** What users may ask for, and who decides about it. Pure. */

export type Approver =
  | { type: 'role' | 'group' | 'user'; id: string }
  | { type: 'api_owners' }
  /** The user whom this attribute of the asker names. */
  | { type: 'manager'; attribute: string }

export type RequestStage = {
  approvers: readonly Approver[]
  /** How many of them must approve. */
  needed: number
  deadlineSeconds: number
  /** Who may decide as well once the deadline has passed. */
  escalateTo: readonly Approver[]
}

/** Who may open it alone, for how long, and who reviews it afterwards. */
export type Emergency = {
  people: readonly Approver[]
  seconds: number
  /** Until then, somebody else has reviewed it. */
  reviewSeconds: number
  reviewers: readonly Approver[]
}

export type RequestRule = {
  id: string
  name: string
  patterns: readonly string[]
  /** Null: everybody may ask. */
  askers: Condition | null
  reasonRequired: boolean
  maxSeconds: number
  stages: readonly RequestStage[]
  autoApprove: Condition | null
  autoRefuse: Condition | null
  /** Null: nobody opens it alone. */
  emergency: Emergency | null
}

/** A copy of the rule, kept with each request: what is under review cannot grow. */
export type RequestTerms = Pick<
  RequestRule,
  'name' | 'reasonRequired' | 'maxSeconds' | 'stages'
> & {
  /** Only of what was opened in an emergency. */
  emergency: Emergency | null
}
