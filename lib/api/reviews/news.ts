import type { EventName } from '../../base/events'
import type { Op, Transaction } from '../../context/op'
import { orderMails } from '../../delivery/mail/order'
import { type Actor, type AuditEvent, BY_SYSTEM } from '../../oidc/audit-event'
import type { Review } from '../../store/reviews/reviews'

/** Who is told of what about a review. */

export function reviewEvent(
  event: Extract<EventName, `review.${string}`>,
  { id, name }: Pick<Review, 'id' | 'name'>,
  actor: Actor,
  detail: Record<string, unknown>,
): AuditEvent {
  return {
    ...actor,
    event,
    result: 'success',
    targetKind: 'review',
    targetId: id,
    detail: { name, ...detail },
  }
}

/** A mail carries a link, never a button that decides. */
export function tellReviewers(
  op: Op,
  tx: Transaction,
  userIds: readonly string[],
  { id, name, deadline }: Pick<Review, 'id' | 'name' | 'deadline'>,
  news: 'asked' | 'reminded',
): Promise<void> {
  const locale = op.settings.known().languages.default
  const letter = { letter: 'review', locale, news, review: id, name, deadline } as const
  return orderMails(
    op,
    tx,
    userIds.map((userId) => ({ ...letter, userId })),
  )
}

export function actorNamed(text: string | null): Actor {
  if (text === null) return BY_SYSTEM
  const at = text.indexOf(':')
  const kind = text.slice(0, at)
  const actorKind = kind === 'user' || kind === 'client' ? kind : 'system'
  return { actorKind, actorId: text.slice(at + 1), ip: null }
}
