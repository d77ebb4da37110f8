import { DAY_MS } from '../base/time'
import type { Op } from '../context/op'
import {
  countNews,
  listDecidedRequests,
  listNewDevices,
  listTakenByReviews,
  markNewsRead,
  type Since,
} from '../store/accounts/news'
import type { Session } from '../store/accounts/sessions'

/** What happened to a user's account since they last said that they have read it. */

const DAYS = 30

export type AccountNews = { id: string; at: Date } & (
  | { kind: 'approved' | 'denied' | 'expired' | 'failed' | 'ended'; scope: string }
  | { kind: 'removed' | 'narrowed'; review: string }
  | { kind: 'device'; userAgent: string }
)

export function countUnread(op: Op, session: Session): Promise<number> {
  return op.read((db) => countNews(db, op.databaseKind, sinceFor(op, session)))
}

/** The newest first. */
export async function listUnread(op: Op, session: Session): Promise<AccountNews[]> {
  const since = sinceFor(op, session)
  const [requests, taken, devices] = await op.read(
    async (db) =>
      [
        await listDecidedRequests(db, since),
        await listTakenByReviews(db, since),
        await listNewDevices(db, since),
      ] as const,
  )
  const all: AccountNews[] = [
    ...requests.map((request) => decided(request, since)),
    ...taken.map(({ id, outcome, appliedAt, review }) => ({
      id,
      kind: outcome === 'removed' ? ('removed' as const) : ('narrowed' as const),
      at: appliedAt ?? since.now,
      review: review.name,
    })),
    ...devices.map(({ id, userAgent, createdAt: at }) => ({
      id,
      kind: 'device' as const,
      at,
      userAgent,
    })),
  ]
  return all.sort((a, b) => b.at.getTime() - a.at.getTime())
}

/** `upTo`: when the page was made that showed them. What came later stays unread. */
export async function markRead(op: Op, { user }: Session, upTo: string): Promise<void> {
  const shown = new Date(upTo)
  if (Number.isNaN(shown.getTime())) return
  const at = shown < op.now() ? shown : op.now()
  await op.write((tx) => markNewsRead(tx, user.id, at))
}

function sinceFor(op: Op, { id, user, newsReadAt }: Session): Since {
  const now = op.now()
  const oldest = new Date(now.getTime() - DAYS * DAY_MS)
  const since = newsReadAt && newsReadAt > oldest ? newsReadAt : oldest
  return { userId: user.id, sessionId: id, since, now }
}

type Decided = Awaited<ReturnType<typeof listDecidedRequests>>[number]

function decided(
  { id, scope, status, decidedAt, approvedUntil }: Decided,
  { now }: Since,
): AccountNews {
  if (status === 'approved' && approvedUntil && approvedUntil <= now)
    return { id, kind: 'ended', scope, at: approvedUntil }
  const known = (['approved', 'denied', 'expired'] as const).find((one) => one === status)
  return { id, kind: known ?? 'failed', scope, at: decidedAt ?? now }
}
