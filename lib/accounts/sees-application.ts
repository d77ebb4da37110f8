import { roleHolds } from '../access/authority'
import type { Incoming } from '../base/http'
import type { Op } from '../context/op'
import { applicationIdsOf } from '../store/applications/applications'
import { lacksAdminFactor } from './admin-factor'

/**
 * May the user of this browser see the application on the admin pages? Without an application: all
 * of them. A question for a page that is shown anyway, so an error means no.
 */
export async function seesApplication(
  op: Pick<Op, 'sessionOf' | 'settings' | 'read'> & Parameters<typeof lacksAdminFactor>[0],
  incoming: Incoming,
  applicationId: string | undefined,
): Promise<boolean> {
  try {
    const session = await op.sessionOf(incoming)
    const role = session?.user.adminRole ?? null
    if (!session || role === null || !roleHolds(role, 'applications:read')) return false
    if (await lacksAdminFactor(op, session.user, session.acr)) return false
    if (role !== 'app_manager') return true
    const own = await op.read((db) => applicationIdsOf(db, session.user.id))
    return applicationId !== undefined && own.includes(applicationId)
  } catch {
    return false
  }
}
