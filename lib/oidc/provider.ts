import type { JWK, JWTVerifyGetKey } from 'jose'
import type { Acr } from '../access/acr'
import type { Policy } from '../access/policy'
import type { EventName, TargetKind } from '../base/events'
import type { Incoming, Reply } from '../base/http'
import type { Meter } from '../base/metrics'
import type { SigningAlgorithm, SigningKey } from '../crypto/keys'
import type { HashSecret } from '../crypto/secrets'
import type { Ask } from './ask'
import type { Credential } from './client'
import type { OAuthError } from './errors'
import type { Suspicion } from './grants/repeats'

/** What the protocol needs from the rest of the house; lib/op.ts puts it together. */
export type Provider = {
  issuer: string
  /** Where endpoints live: the issuer without a path. */
  origin: string
  now(): Date
  newTokenId(): string
  hashSecret: HashSecret
  /** Everything that the hot path reads, at most a second old. */
  snapshot(): Promise<Snapshot>
  signingKey(alg: SigningAlgorithm): Promise<SigningKey>
  publishedKeys(): Promise<JWK[]>
  /** Audit entries that need not be in a transaction of their own: batched, bounded. */
  record(event: AuditEvent): void
  /** Remembered for admins; batched, so that it costs no write. */
  noteUse(use: CredentialUse): void
  meter: Meter
  /** Faults of ours that the caller is not told about. */
  report(error: unknown, requestId: string): void
  /** Is it that the database cannot be reached, rather than a mistake of ours? */
  isUnavailable(error: unknown): boolean
  /** A page that says what went wrong to a person, and leads nowhere. */
  errorPage(incoming: Incoming, error: OAuthError): Reply
  /** Who sits at the browser. */
  sessionOf(incoming: Incoming): Promise<BrowserSession | null>
  /** Other accounts that are signed in at the same browser. */
  otherSessionsOf(incoming: Incoming): Promise<BrowserSession[]>
  /** Ends it for good; gives the Set-Cookie that makes the browser forget it. */
  endSession(session: BrowserSession, incoming: Pick<Incoming, 'ip' | 'headers'>): Promise<string>
  /** How much they could prove with what they have set up; null: nothing beyond a password. */
  strongestFactor(userId: string): Promise<Acr | null>
  cookies: { secure: boolean }
  interactions: InteractionStore
  consents: ConsentStore
  codes: CodeStore
  tokenGrants: TokenGrantStore
  refreshTokens: RefreshTokenStore
  revokedTokens: RevokedTokenStore
  assertions: AssertionStore
  people: PeopleStore
  /** The keys behind an application's `jwks_uri`. */
  remoteKeys(uri: string): JWTVerifyGetKey
  limits: Limits
  /** For how long a used refresh token still gives its successor; 0 is strict. */
  refreshReplayMs: number
}

/** `wait` and `take` give the seconds to wait; 0: go ahead. A promise where others must hear first. */
export type Limits = {
  secretGuesses: { wait(key: () => string): number; failed(key: string): Promise<void> }
  tokenRequests: { take(key: string): number | Promise<number> }
  /** One address, or the network that one customer holds. */
  networkOf(ip: string): string
  /** The part of the net that an address is in: its /24, or its /64 in IPv6. */
  neighbourhoodOf(ip: string): string
}

export type BrowserSession = {
  id: string
  signedInAt: Date
  authTime: Date
  /** Null where a provider signed them in that does not say when they proved who they are. */
  provenAt: Date | null
  acr: string
  amr: readonly string[]
  user: { id: string }
}

export type Interaction = {
  id: string
  browserHash: string
  ask: Ask
  consentedAt: number | null
  /** When the person said which of their accounts to use. */
  chosenAt: number | null
  /** The person pressed Cancel. */
  denied: boolean
}

export type InteractionStore = {
  save(interaction: Interaction & { createdAt: Date; expiresAt: Date }): Promise<void>
  /** Null when unknown, expired or completed. */
  find(id: string, now: Date): Promise<Interaction | null>
  /** True for the one call that ended it. */
  complete(id: string, now: Date): Promise<boolean>
}

export type ItemDescription = {
  apiName: string
  sentences: Record<string, string>
  sensitive: boolean
}

/** What people see of an application besides its name. */
export type ApplicationFace = {
  publisher: string | null
  logoUri: string | null
  policyUri: string | null
  tosUri: string | null
  /** Its colours, null where they are the portal's, and the ids of its uploaded logos. */
  branding: {
    accent: string | null
    accentDark: string | null
    logos: { light: string | null; dark: string | null }
  }
}

export type ConsentStore = {
  /** What people are told about permission items. */
  describe(scopes: readonly string[]): Promise<ReadonlyMap<string, ItemDescription>>
  /** Scope -> granted (true) or refused (false); absent: never asked. */
  find(userId: string, applicationId: string): Promise<ReadonlyMap<string, boolean>>
  face(applicationId: string): Promise<ApplicationFace | null>
}

/** What a code or a grant of tokens stands on. */
export type Authorization = {
  applicationId: string
  accessKeyId: string | null
  userId: string
  scopes: readonly string[]
  resources: readonly string[]
  claims: readonly string[]
  authTime: Date
  acr: string
  amr: readonly string[]
}

export type NewCode = Authorization & {
  codeHash: string
  sessionId: string
  redirectUri: string
  challenge: string | null
  nonce: string | null
  createdAt: Date
  expiresAt: Date
}

export type StoredCode = NewCode & { usedAt: Date | null; tokenGrantId: string | null }

export type NewTokenGrant = Authorization & {
  id: string
  sessionId: string | null
  offline: boolean
  createdAt: Date
  expiresAt: Date
}

export type NewRefreshToken = {
  tokenHash: string
  familyId: string
  createdAt: Date
  expiresAt: Date
}

export type CodeStore = {
  /** Stores the code and completes its interaction; false when that or the session is over. */
  save(code: NewCode, interactionId: string | null, event: AuditEvent): Promise<boolean>
  find(codeHash: string): Promise<StoredCode | null>
  /** Burns the code after too many wrong proofs. */
  countFailure(codeHash: string, now: Date): Promise<void>
  /** Spends the code for a grant of tokens: true for exactly one caller. */
  exchange(
    codeHash: string,
    now: Date,
    grant: NewTokenGrant,
    refresh: (NewRefreshToken & { familyExpiresAt: Date }) | null,
    event: AuditEvent,
  ): Promise<boolean>
}

export type TokenGrant = NewTokenGrant & { alive: boolean }

export type TokenGrantStore = {
  /** `alive`: not revoked, not over, its user enabled and, unless offline, its session open. */
  find(id: string, now: Date): Promise<TokenGrant | null>
  revoke(id: string, reason: string, now: Date, event: AuditEvent): Promise<void>
}

export type StoredRefreshToken = {
  tokenHash: string
  familyId: string
  familyExpiresAt: Date
  familyRevoked: boolean
  tokenGrantId: string
  generation: number
  expiresAt: Date
  usedAt: Date | null
  successorEncrypted: string | null
}

/** What a refresh token was spent for, by whom and when. */
export type Spending = {
  successor: NewRefreshToken
  successorEncrypted: string
  /** The network that it came from, hashed; null: not known. */
  usedFrom: string | null
  usedAt: Date
}

/** A refresh token that was used has come again. */
export type Repeat = {
  generation: number
  /** How often by now. */
  times: number
  /** The network that used it first, hashed; null: not known. */
  usedFrom: string | null
  /** Which generations close by have come again too, this one among them. */
  repeatedNear: readonly number[]
}

/** How a repeat is answered, in the transaction that counts it. */
export type Replay = {
  token: StoredRefreshToken
  userId: string
  application: { id: string; name: string }
  ip: string | null
  now: Date
  /** Generations that are this near are looked at as well. */
  near: number
  /** What is wrong with it; null: an answer was lost, and is given again. */
  judge(repeat: Repeat): Suspicion | null
  repeated(repeat: Repeat): AuditEvent
  ended(why: Suspicion): AuditEvent
}

export type RefreshTokenStore = {
  find(tokenHash: string): Promise<StoredRefreshToken | null>
  /** Spends the old token for the new one: true for exactly one caller. */
  rotate(old: StoredRefreshToken, spending: Spending): Promise<boolean>
  /**
   * Counts it. True: the successor may be given again. False: the grant is over, because it was or
   * because this repeat ended it, of which its user is told.
   */
  replay(replay: Replay): Promise<boolean>
}

export type RevokedTokenStore = {
  add(jti: string, expiresAt: Date): Promise<void>
  has(jti: string): Promise<boolean>
}

export type AssertionStore = {
  /** Remembers an assertion's id until it expires: true for exactly one caller. */
  consume(clientId: string, jti: string, expiresAt: Date): Promise<boolean>
}

export type Person = {
  id: string
  name: string | null
  email: string | null
  emailVerified: boolean
  username: string | null
  profile: Record<string, unknown>
  updatedAt: Date
}

export type PeopleStore = {
  /** Null when unknown or disabled. */
  find(userId: string): Promise<Person | null>
}

export type Snapshot = {
  version: number
  credentials: ReadonlyMap<string, Credential>
  /** Of every enabled application: the browser origins that may call the token endpoint. */
  origins: ReadonlySet<string>
  policy: Policy
}

export type AuditEvent = {
  event: EventName
  result: 'success' | 'failure'
  actorKind: 'user' | 'client' | 'system'
  actorId: string | null
  applicationId?: string
  targetKind?: TargetKind
  targetId?: string
  ip?: string | null
  requestId?: string
  decisionId?: string
  detail: Record<string, unknown>
}

/** A secret or an access key that somebody proved to hold. */
export type CredentialUse = {
  kind: 'application_secret' | 'access_key'
  id: string
  ip: string | null
}
