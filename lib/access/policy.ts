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
}

export type Item = {
  scope: string
  api: Api
  /** Makes no sense without a user. */
  userBound: boolean
  /** With a user: a role of theirs must give it too. */
  needsRole: boolean
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
export type Assignment = Terms & { role: Role; instance: string | null }
export type Role = { id: string; key: string; parents: Role[]; grants: Grant[] }

/** `unanswerable`: it broke, now or when it was compiled; refuses an allow and upholds a deny. */
export type Verdict = 'met' | 'condition_failed' | 'context_missing' | 'unanswerable'
export type Condition = { source: string; evaluate(context: Context): Verdict }

export type Policy = {
  items: ReadonlyMap<string, Item>
  apisByAudience: ReadonlyMap<string, Api>
  applicationGrants: ReadonlyMap<string, readonly Grant[]>
  accessKeyGrants: ReadonlyMap<string, readonly Grant[]>
  userAssignments: ReadonlyMap<string, readonly Assignment[]>
}

/** What a condition may read. A member that is not known is absent, never empty. */
export type Context = {
  request: { ip?: string; time: Date; user_agent?: string; grant_type?: string }
  client: { id: string; application_id: string; access_key?: string }
  resource: { audience?: string; scope?: string }
  user: Record<string, unknown>
  auth: { acr?: string; amr?: readonly string[]; age?: number }
}
