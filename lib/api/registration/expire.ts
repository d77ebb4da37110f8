import type { Op } from '../../context/op'
import { BY_SYSTEM } from '../../oidc/audit-event'
import { OAuthError } from '../../oidc/errors'
import { removeApplication } from '../../store/applications/applications'
import {
  countRegistered,
  findNeverUsed,
  type RegistrationMethod,
  type UnusedClient,
} from '../../store/applications/client-registrations'

/** Clients that made themselves known go again if nobody uses them. */

/** 0 if another server process was faster. */
export function expire(op: Op, client: UnusedClient): Promise<number> {
  const { id, name } = client
  return op.changePolicy(
    async (tx, audit) => {
      const count = await removeApplication(tx, client, op.now())
      if (count === 0) return 0
      audit({
        event: 'registration.expired',
        result: 'success',
        ...BY_SYSTEM,
        applicationId: id,
        targetKind: 'application',
        targetId: id,
        detail: { name },
      })
      return count
    },
    [{ kind: 'application', id }],
  )
}

/**
 * If as many have come this way as an admin allows, the one that has waited longest without ever
 * being used makes room: one outsider must not be able to keep everybody else out.
 */
export async function makeRoom(op: Op, way: RegistrationMethod, most: number): Promise<void> {
  if ((await op.read((db) => countRegistered(db, way))) < most) return
  const oldest = await op.read((db) => findNeverUsed(db, way))
  if (!oldest) throw full()
  await expire(op, oldest)
}

const RETRY_FULL_SECONDS = 3_600

export function full(): OAuthError {
  const description = 'as many clients as an admin allows have registered; ask an admin'
  const retryAfter = RETRY_FULL_SECONDS
  return new OAuthError('temporarily_unavailable', description, 'registration_full', { retryAfter })
}
