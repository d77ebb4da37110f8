import { type LaterPrivilege, mayStillGrant } from '../../api/authority/grantor'
import type { Op } from '../../context/op'
import { type AuditEvent, BY_SYSTEM } from '../../oidc/audit-event'
import {
  advanceMark,
  type Edge,
  type EdgeTask,
  findMark,
  isEdgeDue,
  listTimedAssignments,
  listTimedGrants,
  type Mark,
  removeLaterAssignment,
  removeLaterGrant,
  saveFirstMark,
  type TimedTerms,
} from '../../store/permissions/periods'
import type { ChangedSubject } from '../../store/policy/policy-version'
import { closeWhatDepended } from './closing'
import { lookFor, type MayGoOn } from './look-for'

/**
 * The beginning and the end of a grant or an assignment are events: in the audit log, for webhooks,
 * and for the applications that a user may no longer use. Each is announced once: the watermark
 * moves in the transaction of the announcement. What comes before it can be done twice without
 * harm, so a crash in between loses nothing.
 */

const MAX_AT_ONCE = 200
/** As long as a scheduler waits at most between two looks. */
const AHEAD_MS = 60_000

const KINDS = {
  assignment: { table: 'Assignment', list: listTimedAssignments, remove: removeLaterAssignment },
  grant: { table: 'Grant', list: listTimedGrants, remove: removeLaterGrant },
} as const

type Kind = keyof typeof KINDS

/** What began is announced before what ended: a short period may do both between two looks. */
const EVENTS = {
  'assignment.began': { kind: 'assignment', edge: 'validFrom' },
  'grant.began': { kind: 'grant', edge: 'validFrom' },
  'assignment.ended': { kind: 'assignment', edge: 'validUntil' },
  'grant.ended': { kind: 'grant', edge: 'validUntil' },
} as const satisfies Record<string, { kind: Kind; edge: Edge }>

type PeriodEvent = keyof typeof EVENTS

const TASKS: readonly EdgeTask[] = [
  ...(Object.keys(KINDS) as Kind[]).map((kind) =>
    taskOf(aheadOf(kind), kind, 'validFrom', AHEAD_MS),
  ),
  ...Object.entries(EVENTS).map(([event, { kind, edge }]) => taskOf(event, kind, edge, 0)),
]

function taskOf(task: string, kind: Kind, edge: Edge, aheadMs: number): EdgeTask {
  return { task, table: KINDS[kind].table, edge, aheadMs }
}

function aheadOf(kind: Kind): string {
  return `${kind}.ahead`
}

export async function announcePeriods(
  op: Op,
  mayGoOn: MayGoOn,
  most = MAX_AT_ONCE,
): Promise<number> {
  if (!(await lookFor(op, most, (look) => isEdgeDue(look, TASKS)))) return 0
  for (const kind of Object.keys(KINDS) as Kind[]) {
    await inParts(mayGoOn, most, () => checkAhead(op, kind, most))
  }
  let announced = 0
  for (const event of Object.keys(EVENTS) as PeriodEvent[]) {
    announced += await inParts(mayGoOn, most, () => announceSome(op, event, most, mayGoOn))
  }
  return announced
}

/** As long as there is a whole part; returns how much it was. */
async function inParts(
  mayGoOn: MayGoOn,
  most: number,
  work: () => Promise<number>,
): Promise<number> {
  let total = 0
  for (let count = most; count === most && mayGoOn(); total += count) count = await work()
  return total
}

async function announceSome(
  op: Op,
  event: PeriodEvent,
  most: number,
  mayGoOn: MayGoOn,
): Promise<number> {
  const now = op.now()
  const { kind, edge } = EVENTS[event]
  const mark = await op.read((db) => findMark(db, event))
  if (!mark) {
    // What was before the first start is history, not news.
    await op.write((tx) => saveFirstMark(tx, event, now))
    return 0
  }
  const found = await op.read((db) => KINDS[kind].list(db, edge, mark, now, most))
  if (found.length === 0) return 0
  const announced = edge === 'validFrom' ? await thoseThatBegin(op, kind, found) : found
  const closed = await closeWhatDepended(op, { event, kind, edge }, announced, mayGoOn)
  const done = announced.slice(0, closed)
  const last = done.length === announced.length ? found.at(-1) : done.at(-1)
  if (!last) return 0
  const won = await op.write(async (tx, audit) => {
    if (!(await advanceMark(tx, event, mark, markOf(edge, last)))) return false
    for (const terms of done) audit(entryOf(event, kind, terms))
    return true
  })
  if (!won) return 0
  return done.length === announced.length ? found.length : done.length
}

/** Never later: a clock that is ahead, or a slow transaction, must not hide what is in between. */
function markOf(edge: Edge, { id, ...terms }: TimedTerms): Mark {
  const at = terms[edge]
  if (!at) throw new Error('it has no such edge')
  return { at, lastId: id }
}

function entryOf(
  event: PeriodEvent | `${Kind}.not_begun`,
  kind: Kind,
  { id, holder, what, effect, disabled, ...terms }: TimedTerms,
): AuditEvent {
  return {
    event,
    result: 'success',
    ...BY_SYSTEM,
    targetKind: holder.kind,
    targetId: holder.id,
    ...(holder.kind === 'application' && { applicationId: holder.id }),
    detail: {
      ...(kind === 'assignment' ? { assignment: id, role: what } : { grant: id, permission: what }),
      effect,
      ...(terms.validFrom && { from: terms.validFrom.toISOString() }),
      ...(terms.validUntil && { until: terms.validUntil.toISOString() }),
      ...(terms.givenBy !== null && { given_by: terms.givenBy }),
      ...(disabled && { disabled }),
    },
  }
}

// ---------------------------------------------------------------- what begins

/**
 * What begins is checked again, once shortly before and once when it begins: whoever gave it must
 * still be allowed to give it. Otherwise it is removed, usually before it gives anything.
 */
async function checkAhead(op: Op, kind: Kind, most: number): Promise<number> {
  const task = aheadOf(kind)
  const soon = new Date(op.now().getTime() + AHEAD_MS)
  const mark = await op.read((db) => findMark(db, task))
  if (!mark) {
    await op.write((tx) => saveFirstMark(tx, task, soon))
    return 0
  }
  const found = await op.read((db) => KINDS[kind].list(db, 'validFrom', mark, soon, most))
  const last = found.at(-1)
  if (!last) return 0
  await thoseThatBegin(op, kind, found)
  const won = await op.write((tx) => advanceMark(tx, task, mark, markOf('validFrom', last)))
  return won ? found.length : 0
}

/** Removes the others. */
async function thoseThatBegin(op: Op, kind: Kind, found: TimedTerms[]): Promise<TimedTerms[]> {
  const begin: TimedTerms[] = []
  for (const terms of found) {
    if (await mayBegin(op, kind, terms)) begin.push(terms)
    else await refuse(op, kind, terms)
  }
  return begin
}

/** A deny gives nothing. */
function mayBegin(op: Op, kind: Kind, terms: TimedTerms): Promise<boolean> | boolean {
  if (terms.givenBy === null || terms.effect === 'deny') return true
  return mayStillGrant(op, terms.givenBy, laterOf(kind, terms))
}

function laterOf(kind: Kind, { holder, what, ...terms }: TimedTerms): LaterPrivilege {
  if (kind === 'assignment') {
    const type = holder.kind === 'user' || holder.kind === 'group' ? holder.kind : 'client'
    return { gives: 'role', roleId: what, subject: { type, id: holder.id } }
  }
  return { gives: 'permission', to: holder, grant: { ...terms, pattern: what } }
}

async function refuse(op: Op, kind: Kind, terms: TimedTerms): Promise<void> {
  await op.changePolicy(
    async (tx, audit) => {
      if (!(await KINDS[kind].remove(tx, terms))) return
      audit(entryOf(`${kind}.not_begun`, kind, terms))
    },
    [touchedBy(terms)],
  )
}

function touchedBy({ holder: { kind, id } }: TimedTerms): ChangedSubject {
  if (kind === 'role') return { kind: 'model', role: id }
  return kind === 'access_key' ? { kind: 'all' } : { kind, id }
}
