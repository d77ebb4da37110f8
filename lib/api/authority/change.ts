import type { Privilege } from '../../access/authority'
import type { PortalScope } from '../../access/portal-api'
import type { EventName, TargetKind } from '../../base/events'
import type { Audit, Op, Transaction } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import type { AuditEvent } from '../../oidc/audit-event'
import { type TakenName, takenOf } from '../../store/accounts/taken-names'
import { isUniqueViolation } from '../../store/database/unique'
import type { ChangedSubject } from '../../store/policy/policy-version'
import { actorOf } from '../http/caller'
import type { Call } from '../http/operation'
import { type FieldProblem, fieldProblem, Problem } from '../http/problem'
import { requireWritten } from '../http/version'
import { authorize } from './authorize'

export type ChangeEntry = {
  event: EventName
  kind: TargetKind
  id: string
  applicationId?: string
  /** What the change gives to somebody, for the rule of authority; empty if nothing. */
  gives: readonly Privilege[]
  /** What other server processes must read again, if `kind` does not say it. */
  touches?: readonly ChangedSubject[]
  /** Values before and after the change; never a secret. */
  detail?: Record<string, unknown>
}

/**
 * Asks the rule of authority, then makes the change, its audit entry and a new policy version in
 * one transaction.
 */
export function change<T>(
  op: Op,
  call: Call,
  entry: ChangeEntry,
  work: (tx: Transaction, audit: Audit) => Promise<T>,
): Promise<T> {
  return changeAll(op, call, [entry], work)
}

/** A change of the version that the caller has seen: `work` says how many rows it wrote. */
export function changeSeen(
  op: Op,
  call: Call,
  entry: ChangeEntry,
  work: (tx: Transaction) => Promise<number>,
): Promise<void> {
  return change(op, call, entry, async (tx) => requireWritten(await work(tx)))
}

/** Several changes in one transaction: all of them or none. */
async function changeAll<T>(
  op: Op,
  call: Call,
  entries: readonly ChangeEntry[],
  work: (tx: Transaction, audit: Audit) => Promise<T>,
): Promise<T> {
  await authorize(
    op,
    call,
    entries.flatMap(({ gives }) => gives),
  )
  try {
    return await op.changePolicy(
      async (tx, audit) => {
        const done = await work(tx, audit)
        for (const entry of entries) audit(entryOf(entry, call))
        return done
      },
      entries.flatMap((entry) => entry.touches ?? touchedBy(entry)),
    )
  } catch (error) {
    if (isUniqueViolation(error)) throw await takenProblem(op, call, entries, error)
    throw error
  }
}

/** So many rows are written before others have their turn: a sign-in waits for that long. */
const PART = 10

/**
 * Many changes of one kind, a few of them in each transaction: nobody waits for all of them. What
 * would be refused is refused before the first. If the work is interrupted, the rest was not done.
 */
export async function changeInParts<T>(
  op: Op,
  call: Call,
  items: readonly T[],
  entryOf: (item: T) => ChangeEntry,
  work: (tx: Transaction, item: T) => Promise<unknown>,
): Promise<void> {
  const entries = items.map(entryOf)
  await authorize(
    op,
    call,
    entries.flatMap(({ gives }) => gives),
  )
  for (let at = 0; at < items.length; at += PART) {
    await changeAll(op, call, entries.slice(at, at + PART), async (tx) => {
      for (const item of items.slice(at, at + PART)) await work(tx, item)
    })
  }
}

/** Names the field and what has its value already, unless the caller may not see that. */
async function takenProblem(
  op: Op,
  { caller, params }: Call,
  entries: readonly ChangeEntry[],
  cause: unknown,
): Promise<Problem> {
  const space = String(Object(params).space ?? '')
  const errors: FieldProblem[] = []
  for (const { kind, id, detail = {} } of entries) {
    const wanted = { id, values: Object(detail.after), space }
    for (const { member, code, name } of await takenOrNothing(op, kind, wanted)) {
      const told = mayRead(caller, kind) ? errorMessage(code, { name }) : errorMessage('taken')
      errors.push(fieldProblem(`/${member}`, told))
    }
  }
  return new Problem('conflict', errorMessage('taken'), { errors, cause })
}

/** Within a larger transaction, PostgreSQL answers nothing more after the violation. */
function takenOrNothing(op: Op, ...[kind, wanted]: TakenQuestion): Promise<TakenName[]> {
  return op.read((db) => takenOf(db, kind, wanted)).catch(() => [])
}

type TakenQuestion = [kind: TargetKind, wanted: Parameters<typeof takenOf>[2]]

/** Whoever may only write must not learn whose it is. */
const READ_BY: Partial<Record<TargetKind, PortalScope>> = {
  user: 'users:read',
  group: 'users:read',
  space: 'spaces:read',
  role: 'roles:read',
  resource: 'resources:read',
  permission: 'permissions:read',
  application: 'applications:read',
  access_key: 'applications:read',
}

function mayRead({ ownOnly, scopes }: Call['caller'], kind: TargetKind): boolean {
  const scope = READ_BY[kind]
  return !ownOnly && scope !== undefined && scopes.has(scope)
}

/** For what a change does besides its own entry, too. */
export function entryOf(
  { event, kind, id, applicationId, detail = {} }: Omit<ChangeEntry, 'gives' | 'touches'>,
  call: Call,
): AuditEvent {
  return {
    ...actorOf(call),
    event,
    result: 'success',
    targetKind: kind,
    targetId: id,
    ...(applicationId !== undefined && { applicationId }),
    detail,
  }
}

/** Changes of what no decision reads: other server processes keep what they have read. */
const READ_BY_NO_DECISION: ReadonlySet<EventName> = new Set([
  'application.logo_changed',
  'application.logo_removed',
  'application.person_removed',
  'assertions.replaced',
  'group.changed',
  'group.created',
  'impersonation.started',
  'space.changed',
  'space.created',
  'user.application_removed',
  'user.factor_removed',
  'user.reset_sent',
  'user.session_ended',
  'user.signed_out',
])

/** Other server processes read again only what this names. */
function touchedBy({ event, kind, id, applicationId }: ChangeEntry): readonly ChangedSubject[] {
  if (READ_BY_NO_DECISION.has(event)) return []
  switch (kind) {
    case 'webhook':
    case 'initial_token':
    case 'outbox_message':
      return []
    case 'role':
      return [{ kind: 'model', role: id }]
    case 'resource':
      return [{ kind: 'model', api: id }]
    case 'permission':
      return [{ kind: 'model' }]
    case 'group':
      return [{ kind: 'group', id }]
    case 'user':
      return [{ kind: 'user', id }]
    case 'application':
      return [{ kind: 'application', id }]
    case 'access_key':
    case 'application_secret':
      return applicationId === undefined
        ? [{ kind: 'all' }]
        : [{ kind: 'application', id: applicationId }]
    case 'client':
    case 'space':
    case 'request_rule':
    case 'access_request':
    case 'review':
    case 'assignment':
    case 'model':
    case 'session':
    case 'token_grant':
    case 'signing_key':
    case 'settings':
      return [{ kind: 'all' }]
  }
}
