import type { Gift } from '../access/authority'
import type { PortalScope } from '../access/portal-api'
import type { EventName, TargetKind } from '../base/events'
import type { Audit, Op, Transaction } from '../context/op'
import { mistake } from '../i18n/mistake'
import type { AuditEvent } from '../oidc/provider'
import type { Touched } from '../store/policy-version'
import { type Taken, takenOf } from '../store/taken'
import { isUniqueViolation } from '../store/unique'
import { authorize } from './authorize'
import type { Call } from './operation'
import { type FieldProblem, fieldProblem, Problem } from './problem'

type Anything = Call<unknown, unknown, unknown>

export type ChangeEntry = {
  event: EventName
  kind: TargetKind
  id: string
  applicationId?: string
  /** What the change gives to somebody, for the rule of authority; empty if nothing. */
  gives: readonly Gift[]
  /** What other server processes must read again, if `kind` does not say it. */
  touches?: readonly Touched[]
  /** Values before and after the change; never a secret. */
  detail?: Record<string, unknown>
}

/**
 * Asks the rule of authority, then makes the change, its audit entry and a new policy version in
 * one transaction.
 */
export function change<T>(
  op: Op,
  call: Anything,
  entry: ChangeEntry,
  work: (tx: Transaction, audit: Audit) => Promise<T>,
): Promise<T> {
  return changeAll(op, call, [entry], work)
}

/** Several changes in one transaction: all of them or none. */
export async function changeAll<T>(
  op: Op,
  call: Anything,
  entries: readonly ChangeEntry[],
  work: (tx: Transaction, audit: Audit) => Promise<T>,
): Promise<T> {
  const { caller, incoming } = call
  await authorize(
    op,
    call,
    entries.flatMap(({ gives }) => gives),
  )
  try {
    return await op.changePolicy(
      async (tx, audit) => {
        const done = await work(tx, audit)
        for (const entry of entries) audit(entryOf(entry, caller, incoming))
        return done
      },
      entries.flatMap((entry) => entry.touches ?? touchedBy(entry)),
    )
  } catch (error) {
    if (isUniqueViolation(error)) throw await takenProblem(op, call, entries, error)
    throw error
  }
}

/** Names the field and what has its value already, unless the caller may not see that. */
async function takenProblem(
  op: Op,
  { caller, params }: Anything,
  entries: readonly ChangeEntry[],
  cause: unknown,
): Promise<Problem> {
  const space = String(Object(params).space ?? '')
  const errors: FieldProblem[] = []
  for (const { kind, id, detail = {} } of entries) {
    const wanted = { id, values: Object(detail.after), space }
    for (const { member, code, name } of await takenOrNothing(op, kind, wanted)) {
      const told = mayRead(caller, kind) ? mistake(code, { name }) : mistake('taken')
      errors.push(fieldProblem(`/${member}`, told))
    }
  }
  return new Problem('conflict', mistake('taken'), { errors, cause })
}

/** Within a larger transaction, PostgreSQL answers nothing more after the violation. */
function takenOrNothing(op: Op, ...[kind, wanted]: TakenQuestion): Promise<Taken[]> {
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

function mayRead({ ownOnly, scopes }: Anything['caller'], kind: TargetKind): boolean {
  const scope = READ_BY[kind]
  return !ownOnly && scope !== undefined && scopes.has(scope)
}

function entryOf(
  { event, kind, id, applicationId, detail = {} }: ChangeEntry,
  caller: Anything['caller'],
  { ip, requestId }: Anything['incoming'],
): AuditEvent {
  return {
    event,
    result: 'success',
    actorKind: caller.kind,
    actorId: caller.id,
    targetKind: kind,
    targetId: id,
    ...(applicationId !== undefined && { applicationId }),
    ip,
    requestId,
    detail,
  }
}

/** Other server processes read again only what this names. */
function touchedBy({ kind, id, applicationId }: ChangeEntry): readonly Touched[] {
  switch (kind) {
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
    case 'webhook':
    case 'initial_token':
    case 'outbox_message':
    case 'settings':
      return [{ kind: 'all' }]
  }
}
