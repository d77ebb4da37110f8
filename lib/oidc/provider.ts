import type { JWK, JWTVerifyGetKey } from 'jose'
import type { Acr } from '../access/acr'
import type { Policy, WhatWasRead } from '../access/policy'
import type { EventName, TargetKind } from '../base/events'
import type { Incoming, Reply } from '../base/http'
import type { Meter } from '../base/metrics'
import type { SigningAlgorithm, SigningKey } from '../crypto/keys'
import type { HashSecret } from '../crypto/secrets'
import type { Ask } from './ask'
import type { Application, Credential } from './client'
import type { OAuthError } from './errors'
import type { Suspicion } from './grants/repeats'
import type { RequestedClaims } from './requested-claims'

/** `registration`: RFC 7591; `documents`: client ID metadata documents. */
export type Offers = { registration: boolean; documents: boolean }

/** What the user came for when an error page is shown. */
export type ErrorPageAbout = 'signIn' | 'signOut'

/** What the protocol needs from the rest of the portal; lib/op.ts composes it. */
export type Provider = {
  issuer: string
  /** The base of the endpoints: the issuer without a path. */
  origin: string
  now(): Date
  newTokenId(): string
  hashSecret: HashSecret
  /** Seals what was refused, for whoever asks for it. */
  accessRequestKey: Buffer
  /** What decisions read, at most a second old: the model, and these subjects. */
  snapshot(wanted?: Wanted): Promise<Snapshot>
  /** Whether an enabled application registered it: a browser origin that may call the token endpoint. */
  isRegisteredOrigin(origin: string): Promise<boolean>
  signingKey(alg: SigningAlgorithm): Promise<SigningKey>
  publishedKeys(): Promise<JWK[]>
  /** Audit entries that need no transaction of their own: batched, with a limit. */
  record(event: AuditEvent): void
  /** Whether decisions keep what they were decided on. */
  keepsDecisions(): boolean
  /** Remembers the last use for admins; batched, so that it costs no write. */
  noteUse(use: CredentialUse): void
  meter: Meter
  /** Reports internal errors, which the caller does not see. */
  report(error: unknown, requestId: string): void
  /** True if the database cannot be reached, false for other errors. */
  isUnavailable(error: unknown): boolean
  /** A page that tells a user what went wrong. */
  errorPage(incoming: Incoming, error: OAuthError, about: ErrorPageAbout): Promise<Reply>
  /** The active session of the browser. */
  sessionOf(incoming: Incoming): Promise<BrowserSession | null>
  /** Sessions of other accounts at the same browser. */
  otherSessionsOf(incoming: Incoming): Promise<BrowserSession[]>
  /** Ends the session and returns the Set-Cookie header that deletes its cookie. */
  endSession(session: BrowserSession, incoming: Pick<Incoming, 'ip' | 'headers'>): Promise<string>
  /** The highest `acr` that the user could reach; null if nothing beyond a password. */
  strongestFactor(userId: string): Promise<Acr | null>
  cookies: { secure: boolean }
  interactions: InteractionStore
  consents: ConsentStore
  codes: CodeStore
  devices: DeviceStore
  tokenGrants: TokenGrantStore
  refreshTokens: RefreshTokenStore
  revokedTokens: RevokedTokenStore
  assertions: AssertionStore
  people: PeopleStore
  /** The keys of the attributes that can be in tokens; `trusted`: only admins ever wrote them. */
  attributeKeys(): { defined: ReadonlySet<string>; trusted: ReadonlySet<string> }
  /** How clients can make themselves known. */
  offers(): Promise<Offers>
  /** The keys at an application's `jwks_uri`. */
  remoteKeys(uri: string): JWTVerifyGetKey
  limits: Limits
  /** How long a used refresh token still returns its successor; 0 is strict. */
  refreshReplayMs: number
}

/**
 * `wait` and `take` return the seconds to wait; 0 means go ahead. A promise if other server
 * processes must be asked.
 */
export type Limits = {
  secretGuesses: { wait(key: () => string): number; failed(key: string): Promise<void> }
  tokenRequests: { take(key: string): number | Promise<number> }
  deviceRequests: { take(key: string): number | Promise<number> }
  /** Whether one more refusal of this kind goes into the audit log. */
  refusals: { mayRecord(kind: string): boolean }
  /** One address, or the network that one customer has. */
  networkOf(ip: string): string
  /** The surrounding network of an address: its /24, or its /64 in IPv6. */
  neighbourhoodOf(ip: string): string
}

export type BrowserSession = {
  id: string
  signedInAt: Date
  authTime: Date
  /** Null if a provider signed the user in and does not say when they proved who they are. */
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
  /** When the user chose one of their accounts. */
  chosenAt: number | null
  /** The user pressed Cancel. */
  denied: boolean
}

export type InteractionStore = {
  save(interaction: Interaction & { createdAt: Date; expiresAt: Date }): Promise<void>
  /** Null if unknown, expired or completed. */
  find(id: string, now: Date): Promise<Interaction | null>
  /** True for the one call that completed it. */
  complete(id: string, now: Date): Promise<boolean>
}

export type ItemDescription = {
  apiName: string
  sentences: Record<string, string>
  sensitive: boolean
}

/** What users see of an application besides its name. */
export type ApplicationFace = {
  publisher: string | null
  /** An admin checked who it is. */
  publisherVerified: boolean
  /** Who made it. */
  registration: Application['registration']
  logoUri: string | null
  policyUri: string | null
  tosUri: string | null
  /**
   * Its colours, null for those of the portal; what it says, by language; and the IDs of its
   * uploaded logos.
   */
  branding: {
    accent: string | null
    accentDark: string | null
    signInText: Record<string, string>
    consentText: Record<string, string>
    logos: { light: string | null; dark: string | null }
  }
}

export type ConsentStore = {
  /** Descriptions of permissions for users. */
  describe(scopes: readonly string[]): Promise<ReadonlyMap<string, ItemDescription>>
  find(userId: string, applicationId: string): Promise<Answers>
  isPaused(userId: string, applicationId: string): Promise<boolean>
  face(applicationId: string): Promise<ApplicationFace | null>
}

/** What a code and a token grant are based on. */
export type Authorization = {
  applicationId: string
  accessKeyId: string | null
  userId: string
  scopes: readonly string[]
  resources: readonly string[]
  claims: RequestedClaims
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

/** Granted (true) or refused (false) for each scope; absent if never asked. */
export type Answers = ReadonlyMap<string, boolean>

export type PresentedCode = { code: StoredCode; userIsActive: boolean; answered: Answers }

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
  /**
   * Stores the code and completes its interaction; false if the interaction or the session has
   * ended.
   */
  save(code: NewCode, interactionId: string | null, event: AuditEvent): Promise<boolean>
  find(codeHash: string): Promise<StoredCode | null>
  /** With everything that its exchange depends on. */
  findWithUser(codeHash: string): Promise<PresentedCode | null>
  /** Ends the code after too many wrong proofs. */
  countFailure(codeHash: string, now: Date): Promise<void>
  /** Exchanges the code for a token grant: true for exactly one caller. */
  exchange(
    codeHash: string,
    now: Date,
    grant: NewTokenGrant,
    refresh: (NewRefreshToken & { familyExpiresAt: Date }) | null,
    event: AuditEvent,
  ): Promise<boolean>
}

export type NewDevice = Pick<
  Authorization,
  'applicationId' | 'accessKeyId' | 'scopes' | 'resources'
> & {
  id: string
  deviceCodeHash: string
  userCodeHash: string
  acrValues: readonly string[]
  /** Where the device asked from. */
  ip: string | null
  intervalSeconds: number
  createdAt: Date
  expiresAt: Date
}

/** Who approved a device, and how they had signed in. */
export type Approval = Pick<Authorization, 'userId' | 'authTime' | 'acr' | 'amr'> & {
  sessionId: string
}

export type StoredDevice = NewDevice & {
  approval: Approval | null
  deniedAt: Date | null
  usedAt: Date | null
}

export type PresentedDevice = { device: StoredDevice; userIsActive: boolean; answered: Answers }

export type DeviceStore = {
  /** `taken`: another device has the user code; `full`: too many devices wait for an answer. */
  save(device: NewDevice, mostWaiting: number): Promise<'saved' | 'taken' | 'full'>
  /** The oldest that waits goes. So whoever asks for many keeps nobody else out for long. */
  makeRoom(applicationId: string, now: Date): Promise<void>
  find(id: string): Promise<StoredDevice | null>
  findByUserCode(userCodeHash: string): Promise<StoredDevice | null>
  /** With everything that its exchange depends on. */
  findWithUser(deviceCodeHash: string): Promise<PresentedDevice | null>
  /** True if the last poll was not after `due`. */
  poll(id: string, now: Date, due: Date): Promise<boolean>
  slowDown(id: string, now: Date, bySeconds: number): Promise<void>
  /**
   * Completes the interaction; false if it, the session or the device has ended, or if somebody
   * answered before.
   */
  approve(
    id: string,
    approval: Approval,
    interactionId: string,
    now: Date,
    event: AuditEvent,
  ): Promise<boolean>
  /** True for the one call that refused it. */
  deny(id: string, interactionId: string, now: Date, event: AuditEvent): Promise<boolean>
  /** Exchanges an approved device code for a token grant: true for exactly one caller. */
  exchange(
    deviceCodeHash: string,
    now: Date,
    grant: NewTokenGrant,
    refresh: (NewRefreshToken & { familyExpiresAt: Date }) | null,
    event: AuditEvent,
  ): Promise<boolean>
}

export type TokenGrant = NewTokenGrant & {
  alive: boolean
  /** Its user paused the application, and it is not alive until they resume it. */
  paused?: boolean
}

export type TokenGrantStore = {
  /** `alive`: not revoked, expired or paused, its user enabled and, unless offline, its session open. */
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
  createdAt: Date
  expiresAt: Date
  usedAt: Date | null
  successorEncrypted: string | null
}

export type PresentedRefreshToken = {
  stored: StoredRefreshToken
  grant: TokenGrant
  answered: Answers
}

/** What a used refresh token was exchanged for, and when. */
export type Spending = {
  successor: NewRefreshToken
  successorEncrypted: string
  /** A hash of the network that used it; null if unknown. */
  usedFrom: string | null
  usedAt: Date
}

/** A used refresh token that was sent again. */
export type Repeat = {
  generation: number
  /** How often it was sent again so far. */
  times: number
  /** A hash of the network that used it first; null if unknown. */
  usedFrom: string | null
  /** Which of the nearby generations were sent again too, including this one. */
  repeatedNear: readonly number[]
}

/** How to answer a repeat, in the transaction that counts it. */
export type Replay = {
  token: StoredRefreshToken
  userId: string
  application: { id: string; name: string }
  ip: string | null
  now: Date
  /** How many generations before and after are looked at. */
  near: number
  /** What is suspicious; null if an answer was lost and is returned again. */
  judge(repeat: Repeat): Suspicion | null
  repeated(repeat: Repeat): AuditEvent
  ended(why: Suspicion): AuditEvent
}

export type RefreshTokenStore = {
  find(tokenHash: string): Promise<StoredRefreshToken | null>
  /** With everything that its use depends on. */
  findWithGrant(tokenHash: string, now: Date): Promise<PresentedRefreshToken | null>
  /** Exchanges the old token for the new one: true for exactly one caller. */
  rotate(old: StoredRefreshToken, spending: Spending): Promise<boolean>
  /**
   * Counts the repeat. True: the successor may be returned again. False: the token grant has ended,
   * earlier or through this repeat. In the second case its user gets a notice.
   */
  replay(replay: Replay): Promise<boolean>
}

export type RevokedTokenStore = {
  add(jti: string, expiresAt: Date): Promise<void>
  has(jti: string): Promise<boolean>
}

export type AssertionStore = {
  /** Remembers the ID of a client assertion until it expires: true for exactly one caller. */
  consume(clientId: string, jti: string, expiresAt: Date): Promise<boolean>
}

export type Person = {
  id: string
  name: string | null
  email: string | null
  emailVerified: boolean
  username: string | null
  profile: Record<string, unknown>
  attributes: Record<string, unknown>
  updatedAt: Date
}

export type PeopleStore = {
  /** Null if unknown or disabled. */
  find(userId: string): Promise<Person | null>
  /** The keys of the groups that the user is a member of. */
  groupsOf(userId: string): Promise<string[]>
}

/** The subjects that a decision is about: client IDs and user IDs. */
export type Wanted = { clients?: readonly string[]; users?: readonly string[] }

export type Snapshot = {
  version: number
  /** Of the wanted clients. */
  credentials: WhatWasRead<Credential>
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
  /** What a decision was made on beyond the rest; stored apart from the entry, and not for ever. */
  basis?: DecisionBasis
}

export type DecisionBasis = { userId: string | null; text: string }

/** A secret, an access key or the key of an application that was used to authenticate. */
export type CredentialUse = { id: string; ip: string | null } & (
  | { kind: 'application_secret' | 'access_key' | 'registration' }
  | { kind: 'public_key'; thumbprint: string; kid: string | null }
)
