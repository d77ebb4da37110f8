import type { Incoming } from '../base/http'
import type { AuditEvent } from './audit-event'
import type { Client, Credential } from './client'
import { isOAuthError, type OAuthError } from './errors'
import type { Provider } from './provider'
import {
  type REFUSAL_EVENTS,
  type Refusal,
  type RefusalFacts,
  type RefusalReason,
  ROUTINE_REASONS,
} from './refusal-reasons'

/** Refusals in the audit log, so that those who manage an application see why it did not get in. */

type RefusalEvent = (typeof REFUSAL_EVENTS)[number]
/** The events of requests that anybody can send. */
type OpenEvent = Exclude<RefusalEvent, 'token.refused'>
type Request = Pick<Incoming, 'ip' | 'requestId'>

/** Also of what was answered: its reason comes with no error. */
type Recorded = { reason: RefusalReason; facts?: RefusalFacts }

/** A few of each reason: anybody can send such requests, and one kind must not hide another. */
export function recordRefusal(
  op: Provider,
  { ip, requestId }: Request,
  { clientId, application }: Pick<Credential, 'clientId' | 'application'>,
  event: OpenEvent,
  { reason, facts = {} }: Recorded,
): void {
  if (ROUTINE_REASONS.has(reason)) return
  if (!op.limits.refusals.mayRecord(`${application.id} ${reason}`)) return
  op.record({
    event,
    result: 'failure',
    actorKind: 'client',
    actorId: clientId,
    applicationId: application.id,
    // Found by its target: an application may have millions of other entries.
    targetKind: 'application',
    targetId: application.id,
    ip,
    requestId,
    detail: { reason, ...facts },
  })
}

/** The same for a client that is known by its ID alone. True if there is such a client. */
export async function recordAtClient(
  op: Provider,
  request: Request,
  clientId: string,
  event: OpenEvent,
  refusal: Refusal,
): Promise<boolean> {
  if (clientId === '') return false
  // The answer must not depend on whether the database can be reached for this.
  const snapshot = await op.snapshot({ clients: [clientId] }).catch(() => null)
  const credential = snapshot?.credentials.get(clientId)
  if (credential) recordRefusal(op, request, credential, event, refusal)
  return credential !== undefined
}

/** A request from an unknown client; found by the request ID of its answer. */
export function recordUnknownClient(
  op: Provider,
  { ip, requestId }: Request,
  event: OpenEvent,
  { reason, facts = {} }: Refusal,
): void {
  if (!op.limits.refusals.mayRecord(`${event} ${reason}`)) return
  op.record({
    event,
    result: 'failure',
    actorKind: 'system',
    actorId: null,
    ip,
    requestId,
    detail: { reason, ...facts },
  })
}

/** With what the client was told. */
export function refusalOf({ word, message, refusal }: OAuthError): Refusal {
  return { ...refusal, facts: { error: word, description: message, ...refusal.facts } }
}

/** An authenticated client, which is refused a token or what it asks about one. */
export function recordTokenRefusal(
  op: Provider,
  { id, application, confidential }: Client,
  { ip, requestId }: Request,
  error: OAuthError,
): void {
  const { reason, facts } = error.refusal
  if (ROUTINE_REASONS.has(reason)) return
  // Anybody can send the requests of a public client.
  const kind = `${application.id} token.refused ${reason}`
  if (!confidential && !op.limits.refusals.mayRecord(kind)) return
  op.record({
    event: 'token.refused',
    result: 'failure',
    actorKind: 'client',
    actorId: id,
    applicationId: application.id,
    targetKind: 'application',
    targetId: application.id,
    ip,
    requestId,
    ...(error.decisionId && { decisionId: error.decisionId }),
    detail: { error: error.word, reason, ...facts, ...withoutBindings(error.members) },
    ...basisIn(error),
  })
}

/** A binding is for whoever was refused. */
function withoutBindings(members: Record<string, unknown>): Record<string, unknown> {
  const { scope_rejected_reasons: reasons } = members
  if (!Array.isArray(reasons)) return members
  const kept = reasons.map(({ access_request: _, ...reason }) => reason)
  return { ...members, scope_rejected_reasons: kept }
}

/** A code that can no longer be used hides why, but not from the log. */
function basisIn({ basis, cause }: OAuthError): Pick<AuditEvent, 'basis'> {
  if (basis) return { basis }
  return isOAuthError(cause) ? basisIn(cause) : {}
}

const MAX_SHOWN_LENGTH = 500

/** What a request contained, as far as the log keeps it; PostgreSQL stores neither NUL nor halves. */
export function shown(value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, 5).map(shown) : shownText(String(value))
}

export function shownText(text: string): string {
  return text.slice(0, MAX_SHOWN_LENGTH).toWellFormed().replaceAll('\0', '\uFFFD')
}
