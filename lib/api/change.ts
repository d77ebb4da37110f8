import type { Op } from '../op'
import type { Transaction } from '../store/database'
import type { Touched } from '../store/policy-version'
import { isUniqueViolation } from '../store/unique'
import { Problem } from './problem'
import type { Call } from './route'

type Anything = Call<unknown, unknown, unknown>

export type Happened = {
  event: string
  kind: string
  id: string
  applicationId?: string
  /** Whom it concerns, where `kind` does not say. */
  touches?: readonly Touched[]
  /** What it was and what it became: never a secret. */
  detail?: Record<string, unknown>
}

/** One transaction: the change, its audit entry, and a new policy version. */
export async function change<T>(
  op: Op,
  { caller, incoming }: Anything,
  happened: Happened,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await op.changePolicy(async (tx, audit) => {
      const done = await work(tx)
      audit({
        event: happened.event,
        result: 'success',
        actorKind: caller.kind,
        actorId: caller.id,
        targetKind: happened.kind,
        targetId: happened.id,
        ...(happened.applicationId !== undefined && { applicationId: happened.applicationId }),
        ip: incoming.ip,
        requestId: incoming.requestId,
        detail: happened.detail ?? {},
      })
      return done
    }, happened.touches ?? touchedBy(happened))
  } catch (error) {
    if (isUniqueViolation(error)) {
      throw new Problem('conflict', 'something with this name or key is there already', {
        cause: error,
      })
    }
    throw error
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
