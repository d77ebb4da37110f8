import type { EventName } from '../base/events'
import { DAY_MS } from '../base/time'
import type { Op } from '../context/op'
import type { Session } from '../store/accounts/sessions'
import { applicationNames, listAuditOf } from '../store/audit/audit'
import { membersOf } from '../store/database/json'

/** The activity of a user's account, as far as the user may see it. */

const DAYS = 90
const PER_PAGE = 30
const MAX_CURSOR_LENGTH = 18 // digits; fits a 64-bit number

export type Activity = {
  id: string
  at: Date
  event: string
  failed: boolean
  ip: string | null
  appName: string | null
  method: string | null
  /** An admin did it in the account of the user. */
  byAdmin: boolean
  /** What an admin gave as the reason. */
  reason: string | null
}

type ActivityPage = { entries: Activity[]; older: string | null }

/** `before` is `older` of the previous page. */
export async function listActivity(
  op: Op,
  { user }: Session,
  events: readonly EventName[],
  before: string | null,
): Promise<ActivityPage> {
  const page = {
    userId: user.id,
    events,
    since: new Date(op.now().getTime() - DAYS * DAY_MS),
    ...cursorOf(before),
  }
  const rows = await op.readReplica((db) => listAuditOf(db, page, PER_PAGE + 1))
  const shown = rows.slice(0, PER_PAGE)
  const ids = shown.flatMap(({ applicationId }) => applicationId ?? [])
  const names = await op.readReplica((db) => applicationNames(db, ids))
  const last = rows.length > PER_PAGE ? shown.at(-1) : undefined
  return {
    entries: shown.map(({ id, at, event, result, ip, applicationId, detail }) => {
      const { method, impersonator, impersonation, reason } = membersOf(detail)
      const byAdmin = impersonator !== undefined
      // Where the admin is at work is theirs.
      const isTheirs = byAdmin || impersonation !== undefined
      return {
        id,
        at,
        event,
        ip: isTheirs ? null : ip,
        failed: result !== 'success',
        appName: applicationId === null ? null : (names.get(applicationId) ?? null),
        method: typeof method === 'string' ? method : null,
        byAdmin,
        reason: impersonation !== undefined && typeof reason === 'string' ? reason : null,
      }
    }),
    older: last ? String(last.seq) : null,
  }
}

function cursorOf(before: string | null): { before?: bigint } {
  const isNumber = before !== null && /^\d+$/.test(before) && before.length <= MAX_CURSOR_LENGTH
  return isNumber ? { before: BigInt(before) } : {}
}
