import type { JWK } from 'jose'
import type { Policy } from '../access/policy'
import type { SigningAlgorithm, SigningKey } from '../crypto/keys'
import type { HashSecret } from '../crypto/secrets'
import type { Credential } from './client'

/** What the protocol needs from the rest of the house; lib/op.ts puts it together. */
export type Op = {
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
  meter: Meter
}

export type Snapshot = {
  version: number
  credentials: ReadonlyMap<string, Credential>
  policy: Policy
}

export type AuditEvent = {
  event: string
  result: 'success' | 'failure'
  actorKind: 'user' | 'client' | 'system'
  actorId: string | null
  applicationId?: string
  targetKind?: string
  targetId?: string
  ip?: string | null
  requestId?: string
  decisionId?: string
  detail: Record<string, unknown>
}

export type Meter = {
  tokenIssued(grantType: string): void
  scopeRefused(code: string): void
  login(result: string): void
}
