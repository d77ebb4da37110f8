import type { Approver, Policy } from '../../access/policy'
import { reach } from '../../access/ways'
import type { Op } from '../../context/op'
import { listGroupsOf } from '../../store/permissions/groups'
import { listAboutApis, listManaged } from '../../store/reviews/managers'
import type { Review } from '../../store/reviews/reviews'
import { apisOwnedBy } from '../authority/authorize'

/**
 * Those of the reviews in which this person could have something to decide: some too many, never too
 * few. It costs the same few queries for all of them; what they may decide costs more for each.
 */
export async function candidatesFor(
  op: Op,
  userId: string,
  reviews: readonly Review[],
): Promise<Review[]> {
  if (reviews.length === 0) return []
  const asked = (wanted: Approver['type']) =>
    reviews.filter(({ reviewers }) => reviewers.some(({ type }) => type === wanted))
  const { policy } = await op.latestSnapshot({ users: [userId] })
  const groups = await op.read((db) => listGroupsOf(db, userId))
  const names = new Set([userId, ...groups.map(({ id }) => id), ...rolesAbove(policy, userId)])
  const ids = asked('manager').map(({ id }) => id)
  const managed = new Set(
    ids.length === 0 ? [] : await op.read((db) => listManaged(db, ids, userId)),
  )
  const ofOwners = asked('api_owners').map(({ id }) => id)
  const owned = ofOwners.length > 0 ? await apisOwnedBy(op, policy, userId) : new Set<string>()
  const about = new Set(
    owned.size === 0 ? [] : await op.read((db) => listAboutApis(db, ofOwners, owned)),
  )
  const isOne = (one: Approver) => 'id' in one && names.has(one.id)
  return reviews.filter(
    ({ id, reviewers, fallback }) =>
      managed.has(id) || about.has(id) || [...reviewers, ...fallback].some(isOne),
  )
}

/** Those that the user holds, on whatever terms, and all above them. */
function rolesAbove(policy: Policy, userId: string): string[] {
  const held = policy.users.get(userId)?.assignments ?? []
  return held.flatMap(({ roleId }) => {
    const role = policy.roles.get(roleId)
    return role ? reach(policy, role).flatMap((way) => way.at(-1)?.id ?? []) : []
  })
}
