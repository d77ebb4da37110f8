import type { EventName } from '../base/events'
import type { Locale } from '../i18n'
import type { AuditEvent } from '../oidc/audit-event'
import type { Session } from '../store/accounts/sessions'

/** Where a request came from, and the language of its sender, as far as known. */
export type Origin = { ip: string | null; userAgent?: string; locale?: Locale }

/**
 * A change that a user made to their own account, signed in or through a link that only they have.
 * If an admin made it in their account, it names both.
 */
export function ownEvent(
  event: EventName,
  { user, impersonation }: Pick<Session, 'impersonation'> & { user: Pick<Session['user'], 'id'> },
  { ip }: Origin,
  { detail = {}, ...more }: Partial<AuditEvent> = {},
): AuditEvent {
  const impersonator = impersonation?.admin.id
  return {
    event,
    result: 'success',
    actorKind: 'user',
    actorId: user.id,
    targetKind: 'user',
    targetId: user.id,
    ip,
    ...more,
    detail: { ...detail, ...(impersonator !== undefined && { impersonator }) },
  }
}
