import type { Locale } from '../i18n'
import type { AuditEvent } from '../oidc/provider'
import type { Session } from '../store/sessions'

/** Where a request came from, and the language of whoever sent it, as far as that is known. */
export type Origin = { ip: string | null; userAgent?: string; locale?: Locale }

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
