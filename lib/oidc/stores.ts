import type { MethodChoice } from '../base/sign-in-methods'
import type { AuditEvent } from './audit-event'
import type { AuthorizationRequest } from './authorization-request'
import type { Application } from './client'
import type { RequestedClaims } from './requested-claims'

/** What the protocol stores, and the stores that keep it; lib/store has them. */

export type Interaction = {
  id: string
  browserHash: string
  ask: AuthorizationRequest
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
  /** It belongs to whoever runs the portal. */
  firstParty: boolean
  /** Who made it. */
  registration: Application['registration']
  logoUri: string | null
  policyUri: string | null
  tosUri: string | null
  /**
   * Its colours, null for those of the portal; what it says, by language; the ways to sign in that
   * it wants, null for those of the portal; and the IDs of its uploaded logos and picture.
   */
  branding: {
    accent: string | null
    accentDark: string | null
    signInText: Record<string, string>
    consentText: Record<string, string>
    methods: MethodChoice | null
    logos: { light: string | null; dark: string | null }
    picture: string | null
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

type NewCode = Authorization & {
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
type Approval = Pick<Authorization, 'userId' | 'authTime' | 'acr' | 'amr'> & {
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

/** `paused`: until the user resumes the application. */
export type GrantEnd =
  | 'paused'
  | 'user_disabled'
  | 'sign_in_revoked'
  | 'sign_in_expired'
  | 'session_ended'

export type TokenGrant = NewTokenGrant & {
  alive: boolean
  /** Why it is not alive. */
  ended: GrantEnd | null
  /** What it was revoked for, such as `password_reset`. */
  endedFor: string | null
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
  /** A hash of the network that used it; null if unknown. */
  usedFrom: string | null
  successorEncrypted: string | null
}

export type PresentedRefreshToken = {
  stored: StoredRefreshToken
  grant: TokenGrant
  answered: Answers
}

/** What a used refresh token was exchanged for, and when. */
type TokenUse = {
  successor: NewRefreshToken
  successorEncrypted: string
  /** A hash of the network that used it; null if unknown. */
  usedFrom: string | null
  usedAt: Date
}

/** A used refresh token that was sent again by somebody else, and what ends by it. */
export type Replay = {
  token: StoredRefreshToken
  userId: string
  application: { id: string; name: string }
  ip: string | null
  now: Date
  event: AuditEvent
}

export type RefreshTokenStore = {
  find(tokenHash: string): Promise<StoredRefreshToken | null>
  /** With everything that its use depends on. */
  findWithGrant(tokenHash: string, now: Date): Promise<PresentedRefreshToken | null>
  /** Exchanges the old token for the new one: true for exactly one caller. */
  rotate(old: StoredRefreshToken, spending: TokenUse): Promise<boolean>
  /** Counts that the successor is returned again; false if its sign-in has ended. */
  repeat(token: StoredRefreshToken, now: Date, event: AuditEvent): Promise<boolean>
  /** Ends the token grant, and tells its user; false if it had ended before. */
  endReplayed(replay: Replay): Promise<boolean>
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

export type Suspicion = 'late' | 'another_network'
