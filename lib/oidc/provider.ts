import type { JWK, JWTVerifyGetKey } from 'jose'
import type { Acr } from '../access/acr'
import type { Policy, WhatWasRead } from '../access/policy'
import type { Incoming, Reply } from '../base/http'
import type { Meter } from '../base/metrics'
import type { SigningAlgorithm, SigningKey } from '../crypto/keys'
import type { HashSecret } from '../crypto/secrets'
import type { AuditEvent, CredentialUse } from './audit-event'
import type { Application, Credential } from './client'
import type { OAuthError } from './errors'
import type {
  AssertionStore,
  CodeStore,
  ConsentStore,
  DeviceStore,
  InteractionStore,
  PeopleStore,
  RefreshTokenStore,
  RevokedTokenStore,
  TokenGrantStore,
} from './stores'

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
  snapshot(wanted?: WantedSubjects): Promise<Snapshot>
  /** Whether an enabled application registered it: a browser origin that may call the token endpoint. */
  isRegisteredOrigin(origin: string): Promise<boolean>
  signingKey(alg: SigningAlgorithm): Promise<SigningKey>
  publishedKeys(): Promise<JWK[]>
  /** Audit entries that need no transaction of their own: batched, with a limit. */
  record(event: AuditEvent): void
  /** Whether every application must use PKCE, whatever its own setting is. */
  pkceRules(): { portalRequires: boolean }
  /** The application requires PKCE from now on. */
  learnPkce(applicationId: string, event: AuditEvent): Promise<void>
  /** Stores what a user was not asked about; false if they have to be asked. */
  assumeConsent(
    assumed: { userId: string; applicationId: string; scopes: readonly string[] },
    event: AuditEvent,
  ): Promise<boolean>
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
  /** The keys at an address, and who wrote the address. */
  remoteKeys(uri: string, by: Application['registration']): JWTVerifyGetKey
  limits: Limits
  /** How long a used refresh token still returns its successor; 0 is strict. */
  refreshReplayMs: number
}

/**
 * `wait` and `take` return the seconds to wait; 0 means go ahead. A promise if other server
 * processes must be asked.
 */
export type Limits = {
  secretGuesses: {
    wait(key: () => string): number
    failed(key: string, onlyHere?: boolean): Promise<void>
  }
  tokenRequests: { take(key: string): number | Promise<number> }
  deviceRequests: { take(key: string): number | Promise<number> }
  /** Of one network, by browsers in which nobody is signed in. */
  signInsBegun: { take(key: string): number | Promise<number> }
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
  /** It is an admin in the account of this user: no application gets anything of it. */
  impersonation?: object
}
/** The subjects that a decision is about: client IDs and user IDs. */
export type WantedSubjects = { clients?: readonly string[]; users?: readonly string[] }

export type Snapshot = {
  version: number
  /** Of the wanted clients. */
  credentials: WhatWasRead<Credential>
  policy: Policy
}
