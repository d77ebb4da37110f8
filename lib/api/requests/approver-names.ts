import type { Op } from '../../context/op'
import { findGroup } from '../../store/permissions/groups'
import { findRoleById } from '../../store/permissions/roles'
import { listPeopleById } from '../../store/requests/approvers'
import type { ApproverWire } from './approver-schema'

export type { ApproverWire }

/** What the approvers of a request are called, by ID. For whoever may see the request. */
export async function namesOfApprovers(
  op: Op,
  approvers: readonly ApproverWire[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (wanted: ApproverWire['type']) => [
    ...new Set(approvers.flatMap(({ type, id }) => (type === wanted && id ? [id] : []))),
  ]
  return op.read(async (db) => {
    const names = new Map<string, string>()
    for (const id of idsOf('role')) {
      const role = await findRoleById(db, id)
      if (role) names.set(id, role.name)
    }
    for (const id of idsOf('group')) {
      const group = await findGroup(db, id)
      if (group) names.set(id, group.name)
    }
    const people = await listPeopleById(db, idsOf('user'))
    for (const { id, name } of people) names.set(id, name)
    return names
  })
}
