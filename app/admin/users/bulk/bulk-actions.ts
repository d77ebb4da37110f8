import type { AdminApi } from '@/lib/admin/api'
import { BATCH_ACTIONS } from '@/lib/api/users/user-batch'

/** What can be done to several users at once; roles are assignments, which have a batch of their own. */
const BULK_ACTIONS = [...BATCH_ACTIONS, 'assign_role'] as const
export type BulkAction = (typeof BULK_ACTIONS)[number]

export function bulkActionsFor(api: AdminApi): BulkAction[] {
  return BULK_ACTIONS.filter((action) => action !== 'assign_role' || api.may('assignments:write'))
}
