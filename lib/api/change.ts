import type { Gift } from '../access/authority'
import type { Op, Transaction } from '../context/op'
import type { AuditEvent } from '../oidc/provider'
import type { Touched } from '../store/policy-version'
import { isUniqueViolation } from '../store/unique'
import { authorize } from './authorize'
import type { Call } from './operation'
import { Problem } from './problem'

type Anything = Call<unknown, unknown, unknown>

export type Happened = {
  event: string
  kind: string
  id: string
  applicationId?: string
  /** What it makes possible, for the rule of authority; nothing: it gives nobody anything. */
  gives: readonly Gift[]
  /** Whom it concerns, where `kind` does not say. */
  touches?: readonly Touched[]
  /** What it was and what it became: never a secret. */
  detail?: Record<string, unknown>
}

/** What the rule of authority allows, in one transaction: the change, its audit entry, a new policy version. */
export function change<T>(
  op: Op,
  call: Anything,
  happened: Happened,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return changeAll(op, call, [happened], work)
}

/** Several things at once, or none of them. */
export async function changeAll<T>(
  op: Op,
  call: Anything,
  happenings: readonly Happened[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { caller, incoming } = call
  await authorize(
    op,
    call,
    happenings.flatMap(({ gives }) => gives),
  )
  try {
    return await op.changePolicy(
      async (tx, audit) => {
        const done = await work(tx)
        for (const happened of happenings) audit(entryOf(happened, caller, incoming))
        return done
      },
      happenings.flatMap((happened) => happened.touches ?? touchedBy(happened)),
    )
  } catch (error) {
    if (isUniqueViolation(error)) {
      throw new Problem('conflict', 'something with this name or key is there already', {
        cause: error,
      })
    }
    throw error
  }
}

function entryOf(
  { event, kind, id, applicationId, detail = {} }: Happened,
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

/** Other instances read again what this names, and no more. */
function touchedBy({ kind, id, applicationId }: Happened): readonly Touched[] {
  switch (kind) {
    case 'role':
    case 'permission':
    case 'resource':
      return [{ kind: 'model' }]
    case 'user':
      return [{ kind: 'user', id }]
    case 'application':
      return [{ kind: 'application', id }]
    case 'access_key':
    case 'application_secret':
      return applicationId === undefined
        ? [{ kind: 'all' }]
        : [{ kind: 'application', id: applicationId }]
    default:
      return [{ kind: 'all' }]
  }
}
