import type { Op, Transaction } from '../../context/op'
import { announceClosedGrant } from '../../delivery/logout'
import type { AuditEvent } from '../../oidc/provider'
import { isStillAdmitted } from '../../oidc/still-granted'
import {
  advanceMark,
  type EndedTerms,
  findMark,
  listEndedAssignments,
  listEndedGrants,
  listOpenGrants,
  type Mark,
  type OpenGrant,
  saveFirstMark,
} from '../../store/ended'
import { revokeGrant } from '../../store/token-grants'
import type { MayGoOn } from './work'

/**
 * The end of a grant or an assignment is an event like its beginning: in the audit log, for
 * webhooks, and for the applications that a user may no longer use. Each is announced once: the
 * watermark moves in the transaction of the announcement. What comes before it can be done twice
 * without harm, so a crash in between loses nothing.
 */

const MOST_AT_ONCE = 200

const KINDS = {
  'assignment.ended': listEndedAssignments,
  'grant.ended': listEndedGrants,
} as const

type EndEvent = keyof typeof KINDS

export async function announceEnds(op: Op, mayGoOn: MayGoOn, most = MOST_AT_ONCE): Promise<number> {
  let announced = 0
  for (const event of Object.keys(KINDS) as EndEvent[]) {
    for (let count = most; count === most && mayGoOn(); announced += count) {
      count = await announceSome(op, event, most)
    }
  }
  return announced
}

async function announceSome(op: Op, event: EndEvent, most: number): Promise<number> {
  const now = op.now()
  const mark = await op.read((db) => findMark(db, event))
  if (!mark) {
    // Ends before the first start are history, not news.
    await op.write((tx) => saveFirstMark(tx, event, now))
    return 0
  }
  const ended = await op.read((db) => KINDS[event](db, mark, now, most))
  if (ended.length === 0) return 0
  for (const terms of ended) await closeWhatDepended(op, terms)
  const won = await op.write(async (tx, audit) => {
    const next = ended.length < most ? { at: now, lastId: '' } : markOf(ended)
    if (!(await advanceMark(tx, event, mark, next))) return false
    for (const terms of ended) audit(entryOf(event, terms))
    return true
  })
  return won ? ended.length : 0
}

function markOf(ended: EndedTerms[]): Mark {
  const last = ended.at(-1)
  if (!last) throw new Error('nothing has ended')
  return { at: last.validUntil, lastId: last.id }
}

function entryOf(
  event: EndEvent,
  { id, holder, what, effect, validUntil }: EndedTerms,
): AuditEvent {
  const until = validUntil.toISOString()
  return {
    ...{ event, result: 'success', actorKind: 'system', actorId: null, ip: null },
    ...{ targetKind: holder.kind, targetId: holder.id },
    ...(holder.kind === 'application' && { applicationId: holder.id }),
    detail:
      event === 'assignment.ended'
        ? { assignment: id, role: what, effect, until }
        : { grant: id, permission: what, effect, until },
  }
}

// ---------------------------------------------------------------- sessions that depend on it

/** An application that asks for scopes of its users is told who may no longer use it. */
async function closeWhatDepended(op: Op, { holder, effect }: EndedTerms): Promise<void> {
  const { kind, id } = holder
  if (effect === 'deny' || (kind !== 'user' && kind !== 'group')) return
  for (let after = '', found = MOST_AT_ONCE; found === MOST_AT_ONCE; ) {
    const open = await op.read((db) =>
      listOpenGrants(db, { kind, id }, op.now(), after, MOST_AT_ONCE),
    )
    for (const grant of await withRequirements(op, open)) await closeUnlessAdmitted(op, grant)
    found = open.length
    after = open.at(-1)?.id ?? ''
  }
}

/** Most applications let everybody in, and cost no further look. */
async function withRequirements(op: Op, open: OpenGrant[]): Promise<OpenGrant[]> {
  const clients = [...new Set(open.map(({ applicationId }) => applicationId))]
  const { credentials } = await op.snapshot({ clients })
  return open.filter(({ applicationId }) => {
    const { requiredScopes = [] } = credentials.get(applicationId)?.application ?? {}
    return requiredScopes.length > 0
  })
}

async function closeUnlessAdmitted(op: Op, grant: OpenGrant): Promise<void> {
  const { id, userId, applicationId } = grant
  const clientId = grant.accessKeyId ?? applicationId
  const answered = await op.consents.find(userId, applicationId)
  if (await isStillAdmitted(op, { clientId, userId }, answered)) return
  await op.write(async (tx: Transaction, audit) => {
    if (!(await revokeGrant(tx, id, 'access_ended', op.now()))) return
    await announceClosedGrant(op, tx, grant, applicationId)
    audit({
      ...{ event: 'app.access_ended', result: 'success', actorKind: 'system', actorId: null },
      ...{ applicationId, targetKind: 'user', targetId: userId, ip: null },
      detail: { token_grant: id },
    })
  })
}
