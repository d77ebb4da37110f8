import type { EventName, TargetKind } from '../base/events'

/** What the audit log records. */

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

/** Who did it, and with which request. */
export type Actor = Pick<AuditEvent, 'actorKind' | 'actorId' | 'ip'> & { requestId?: string }

export const BY_SYSTEM: Actor = { actorKind: 'system', actorId: null, ip: null }

export type DecisionBasis = { userId: string | null; text: string }

/** A secret, an access key or the key of an application that was used, or what a sign-in used. */
export type CredentialUse = { id: string; ip: string | null } & (
  | { kind: 'application_secret' | 'access_key' | 'registration' }
  | { kind: 'public_key'; thumbprint: string; kid: string | null }
  /** By the application of this ID. */
  | { kind: 'sign_in'; pkce: boolean; nonce: boolean }
)
