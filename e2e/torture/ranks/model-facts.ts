/** What the rule of authority looks at: what stands in a portal, and what a principal holds. */

export type AdminRole = 'owner' | 'admin' | 'auditor' | 'app_manager'

export type Terms = {
  effect: string
  condition: string | null
  validFrom: string | null
  validUntil: string | null
}
export type Grant = Terms & {
  pattern: string
  /** Only for an exchange of tokens of this application, or of any (`*`). */
  exchangeFrom: string | null
}

export type Person = {
  id: string
  adminRole: AdminRole | null
  enabled: boolean
  email: string | null
  verified: boolean
  username: string | null
  attributes: string
}

/** `decides`: without terms that keep its holder from deciding by it. */
export type Role = {
  id: string
  parents: readonly string[]
  holders: readonly { id: string; decides: boolean }[]
}

/** What people decide about, and by what one is one of them. */
export type Decision = {
  name: string
  /** Whose permissions it is about; null for a review. */
  api: string | null
  /** Scopes by which one takes away what is reviewed. */
  takes: readonly string[]
  people: readonly string[]
  groups: readonly string[]
  roles: readonly string[]
  /** Of anybody: they name a manager. */
  attributes: readonly string[]
}

export type Application = {
  id: string
  owner: string | null
  enabled: boolean
  /** All else that decides who can act as it, as one text. */
  acting: string
  /** Tokens that it exchanges do not say so. */
  impersonates: boolean
  grants: readonly Grant[]
  /** What it gets when it asks now: by grants and by roles. */
  gets: readonly string[]
}

/** `ranked`: only for people whom a role gives it. */
export type Item = { key: string; api: string; ordinary: boolean; ranked: boolean }
/** `owners`: people, those of groups included. */
export type Api = { id: string; owners: readonly string[]; open: boolean }
export type Group = {
  id: string
  members: readonly string[]
  givesRoles: boolean
  apis: readonly string[]
}
export type Webhook = { id: string; tells: string; enabled: boolean }

/** Whether anybody can register a client, and what such clients can get. */
export type Registration = { open: boolean; scopes: readonly string[] }

export type Facts = {
  people: readonly Person[]
  applications: readonly Application[]
  apis: readonly Api[]
  items: readonly Item[]
  groups: readonly Group[]
  roles: readonly Role[]
  decisions: readonly Decision[]
  webhooks: readonly Webhook[]
  /** Where people are signed in. */
  sessions: readonly { id: string; person: string }[]
  mail: string
  providers: string
  /** Whether admins may be in the accounts of users, and which admins. */
  impersonation: string
  registration: Registration
}

/** What a principal holds in its hands and what it gets with it, each thing asked of the portal. */
export type Reach = {
  /** People in whose name it acts. */
  accounts: readonly string[]
  /** Applications with whose credentials it gets tokens, and what these carry. */
  clients: readonly { application: string; scopes: readonly string[] }[]
  /** Tokens of people that came to an application of its choice. */
  userTokens: readonly PersonToken[]
  /** What its own person may do by roles, and because it was asked for and approved. */
  ownItems: readonly string[]
  /** Of these, what somebody else approved; each approval was judged when it was made. */
  approved: readonly string[]
}

export type PersonToken = {
  application: string
  scopes: readonly string[]
  /** Whose it is; absent for somebody else. */
  user?: string
  /** By an exchange: whose token it was exchanged for. */
  from?: string
  /** What the portal says that it is still good for. */
  active?: readonly string[]
  said?: ConsentFacts
}

/** What the person said about the application, and about those that the token went through. */
export type ConsentFacts = {
  /** Paused or ended. */
  no: boolean
  refused: readonly string[]
}

export type Principal = {
  person: string | null
  /** Of a machine; with what its key leaves of it. */
  application: string | null
  /** Portal scopes and API items that it held at the start. */
  holds: readonly string[]
  /** It was given an initial access token. */
  mayRegister?: boolean
  /** Applications that call it with the tokens of their users. */
  calledBy?: readonly string[]
}

/** Which clause is broken, and how. */
export type Violation = { clause: string; what: string }
