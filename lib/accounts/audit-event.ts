import type { AuditEvent } from '../oidc/provider'
import type { Session } from '../store/sessions'

export type Origin = { ip: string | null }

/** Something that a person did to their own account. */
export function ownEvent(
  event: string,
  { user }: Session,
  { ip }: Origin,
  more: Partial<AuditEvent> = {},
): AuditEvent {
  return {
    event,
    result: 'success',
    actorKind: 'user',
    actorId: user.id,
    targetKind: 'user',
    targetId: user.id,
    ip,
    detail: {},
    ...more,
  }
}
