import type { EventName } from '../base/events'
import type { Incoming } from '../base/http'
import type { Credential } from './client'
import type { Provider } from './provider'

/**
 * Why a request of an application was refused. It stands in the audit log, for those who manage the
 * application; the client itself learns no more than the error code (attack D16).
 */

export const REFUSAL_REASONS = [
  'client_unknown',
  'wrong_secret',
  'secret_expired',
  'method_not_allowed',
  'application_disabled',
  'access_key_unusable',
  'assertion_malformed',
  'assertion_keys_missing',
  'assertion_keys_unreachable',
  'assertion_key_unknown',
  'assertion_algorithm',
  'assertion_signature',
  'assertion_issuer',
  'assertion_audience',
  'assertion_expired',
  'assertion_life',
  'assertion_early',
  'assertion_id',
  'assertion_replayed',
  'pkce_missing',
  'redirect_uri',
  'code_unknown',
  'code_redirect_uri',
  'code_verifier',
  'paused',
  'subject_token',
  'subject_audience',
  'actor_token',
  'exchange_cycle',
  'exchange_depth',
  'request_refused',
] as const

export type RefusalReason = (typeof REFUSAL_REASONS)[number]

/** The reason and the facts that help to mend it; only what the sender may have written. */
export type Refusal = { reason: RefusalReason; facts?: Readonly<Record<string, unknown>> }

export const REFUSAL_EVENTS = [
  'client.refused',
  'authorize.foreign_redirect',
  'authorize.refused',
  'token.refused',
] as const satisfies readonly EventName[]

type Refused = Exclude<(typeof REFUSAL_EVENTS)[number], 'token.refused'>
type Request = Pick<Incoming, 'ip' | 'requestId'>

/** A few of each reason: anybody can send such requests, and one kind must not hide another. */
export function recordRefusal(
  op: Provider,
  { ip, requestId }: Request,
  { clientId, application }: Pick<Credential, 'clientId' | 'application'>,
  event: Refused,
  { reason, facts = {} }: Refusal,
): void {
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

/** A request of nobody that is known here; found by the reference number of its error page. */
export function recordUnknownClient(
  op: Provider,
  { ip, requestId }: Request,
  clientId: string,
): Refusal {
  const refusal = { reason: 'client_unknown', facts: { client_id: shown(clientId) } } as const
  if (op.limits.refusals.mayRecord(refusal.reason)) {
    op.record({
      event: 'authorize.refused',
      result: 'failure',
      actorKind: 'system',
      actorId: null,
      ip,
      requestId,
      detail: { reason: refusal.reason, ...refusal.facts },
    })
  }
  return refusal
}

const LONGEST_SHOWN = 500

/** What a request contained, as far as the log keeps it; PostgreSQL stores neither NUL nor halves. */
export function shown(value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, 5).map(shown) : shownText(String(value))
}

export function shownText(text: string): string {
  return text.slice(0, LONGEST_SHOWN).toWellFormed().replaceAll('\0', '\uFFFD')
}
