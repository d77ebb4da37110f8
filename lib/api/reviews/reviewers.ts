import type { Approver, Policy } from '../../access/policy'
import { reach } from '../../access/ways'
import type { Op, Reader } from '../../context/op'
import { applicationIdsOf, findApplication } from '../../store/applications/applications'
import { listGroupsOf } from '../../store/permissions/groups'
import { listDeciders, listPeopleById } from '../../store/requests/approvers'
import { placeItem } from '../../store/reviews/items'
import {
  listItems,
  listManagedBy,
  listPortalGives,
  type ReviewerPowers,
} from '../../store/reviews/lists'
import type { Review } from '../../store/reviews/reviews'
import { apisOwnedBy } from '../authority/authorize'
import { type Caller, userCaller } from '../http/caller'
import { type Finding, MAX_DECIDERS, managersOf, othersIn } from '../requests/approvers'
import { isAbove, type PlacedThing } from './authority'

/** Who decides about an item of a review: never whom it concerns. */

/** These approvers, as request rules understand them; a manager is that of `userId`. */
function found(
  op: Op,
  approvers: readonly Approver[],
  { apiId = '', userId = '' }: { apiId?: string; userId?: string } = {},
): Promise<Finding> {
  return othersIn(op, { apiId, userId }, approvers)
}

/** The same people for every item: by user, group or role. */
function general(approvers: readonly Approver[]): Approver[] {
  return approvers.filter(({ type }) => type !== 'manager' && type !== 'api_owners')
}

function ofType(approvers: readonly Approver[], wanted: Approver['type']): Approver[] {
  return approvers.filter(({ type }) => type === wanted)
}

// ---------------------------------------------------------------- is there somebody for each item?

type Place = { managerId: string | null; byFallback: boolean }

/** Null if nobody could decide about it. */
export type FindPlace = (thing: PlacedThing & { portal: boolean }) => Promise<Place | null>

type Asked = Pick<Review, 'reviewers' | 'fallback'>

/** Asks once for each API and each user, however many items there are. */
export function placing(op: Op, { reviewers, fallback }: Asked): FindPlace {
  const known = new Map<string, Promise<string[]>>()
  const once = (key: string, find: () => Promise<string[]>) => {
    const found = known.get(key) ?? find()
    known.set(key, found)
    return found
  }
  const all = async (...asked: Parameters<typeof found>) => {
    const find = await found(...asked)
    return op.read((db) => find(db))
  }
  return async (thing) => {
    const decider = (ids: readonly string[]) => firstDecider(op, thing, ids)
    const { type, id } = thing.subject
    const managers =
      type === 'user' && ofType(reviewers, 'manager').length > 0
        ? await once(`user ${id}`, () => all(op, ofType(reviewers, 'manager'), { userId: id }))
        : []
    const managerId = await decider(managers)
    if (managerId !== null) return { managerId, byFallback: false }
    const { apiId } = thing
    const owners =
      apiId !== null && ofType(reviewers, 'api_owners').length > 0
        ? await once(`api ${apiId}`, () => all(op, ofType(reviewers, 'api_owners'), { apiId }))
        : []
    const named = await once('reviewers', () => all(op, general(reviewers)))
    const regular = await decider([...new Set([...named, ...owners])])
    if (regular !== null) return { managerId: null, byFallback: false }
    const others = await once('fallback', () => all(op, general(fallback)))
    return (await decider(others)) === null ? null : { managerId: null, byFallback: true }
  }
}

const PART = 200

/** Somebody else may be the manager since the review started, or nobody but the fallback is left. */
export async function placeAgain(
  op: Op,
  review: Review,
  mayGoOn: () => boolean = () => true,
): Promise<void> {
  const place = placing(op, review)
  const waiting = { reviewId: review.id, decided: false }
  for (let after = '', count = PART; count === PART && mayGoOn(); ) {
    const items = await op.read((db) => listItems(db, { ...waiting, after }, PART))
    const moved: [string, Place][] = []
    for (const item of items) {
      const now = await place(item)
      if (!now || (now.managerId === item.managerId && now.byFallback === item.byFallback)) continue
      moved.push([item.id, now])
    }
    if (moved.length > 0)
      await op.write(async (tx) => {
        for (const [id, now] of moved) await placeItem(tx, id, now)
      })
    count = items.length
    after = items.at(-1)?.id ?? ''
  }
}

/** Those of the people whom it does not concern. */
async function unconcerned(
  op: Op,
  { subject: { type, id }, applicationId }: PlacedThing,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  if (type === 'role') {
    const { policy } = await op.latestSnapshot({ users: [...ids] })
    return ids.filter((one) => !rolesReachedBy(policy, one).includes(id))
  }
  if (type === 'group') {
    const asked = { among: ids, most: MAX_DECIDERS }
    const members = { users: [], groups: [id], roles: [] }
    const concerned = new Set(await op.read((db) => listDeciders(db, members, op.now(), asked)))
    return ids.filter((one) => !concerned.has(one))
  }
  const application =
    applicationId === null ? null : await op.read((db) => findApplication(db, applicationId, null))
  return ids.filter((one) => one !== id && one !== application?.ownerId)
}

/** Access to the portal itself is not decided by those who are below it. */
async function firstDecider(
  op: Op,
  thing: PlacedThing & { portal: boolean },
  ids: readonly string[],
): Promise<string | null> {
  for (const id of await unconcerned(op, thing, ids)) {
    if (!thing.portal) return id
    const caller = userCaller(id, await op.users.adminRoleOf(id))
    if (!(await isAbove(op, caller, thing))) return id
  }
  return null
}

// ---------------------------------------------------------------- one person

/** What this person may decide about now; asked again in the transaction of their decision. */
export async function decidesIn(
  op: Op,
  caller: Caller,
  review: Review,
): Promise<(db: Reader) => Promise<ReviewerPowers>> {
  const { id } = caller
  const { policy } = await op.latestSnapshot({ users: [id] })
  const reviewers = await found(op, general(review.reviewers))
  const fallback = await found(op, general(review.fallback))
  const ownsApis = ofType(review.reviewers, 'api_owners').length > 0
  const apis = ownsApis ? [...(await apisOwnedBy(op, policy, id))] : []
  const above = await aboveRank(op, caller, review)
  const roles = rolesReachedBy(policy, id)
  const managed = await managedBy(op, review, id)
  return async (db) => ({
    all: (await reviewers(db, [id])).length > 0,
    asFallback: (await fallback(db, [id])).length > 0,
    managerOf: await managed(db),
    apis,
    above,
    own: {
      user: id,
      groups: (await listGroupsOf(db, id)).map((group) => group.id),
      applications: await applicationIdsOf(db, id),
      roles,
    },
  })
}

/** Those of whom they are the manager still: whom an attribute names is asked again. */
async function managedBy(op: Op, review: Review, managerId: string): Promise<Finding> {
  const managers = ofType(review.reviewers, 'manager')
  if (managers.length === 0) return async () => []
  const people = async (db: Reader) =>
    listPeopleById(db, await listManagedBy(db, review.id, managerId))
  const ids = new Map<string, string | null>()
  const idOf = async (name: string) => {
    const id = ids.get(name) ?? (await op.users.idOf(name))
    ids.set(name, id)
    return id
  }
  for (const { attributes } of await op.read(people)) await managersOf(idOf, managers, attributes)
  const known = async (name: string) => ids.get(name) ?? null
  return async (db) => {
    const theirs: string[] = []
    for (const { id, attributes } of await people(db))
      if ((await managersOf(known, managers, attributes)).includes(managerId)) theirs.push(id)
    return theirs
  }
}

/** What concerns a caller who is no person. */
export async function concernsOf(
  op: Op,
  caller: Caller,
  review: Review,
): Promise<Pick<ReviewerPowers, 'own' | 'above'>> {
  const { application } = caller.through ?? {}
  const row = application && (await op.read((db) => findApplication(db, application.id, null)))
  const applications = [application?.id ?? caller.id]
  // What a client does, its owner could have it do.
  const own = { user: row?.ownerId ?? '', groups: [], applications, roles: [] }
  return { own, above: await aboveRank(op, caller, review) }
}

export async function aboveRank(op: Op, caller: Caller, review: Review): Promise<string[]> {
  const above: string[] = []
  for (const one of await op.read((db) => listPortalGives(db, review.id)))
    if (await isAbove(op, caller, one)) above.push(one.gives)
  return above
}

/** The roles that a user holds, with their parents. */
function rolesReachedBy(policy: Policy, userId: string): string[] {
  const held = policy.users.get(userId)?.assignments ?? []
  const reached = held.flatMap(({ roleId }) => {
    const role = policy.roles.get(roleId)
    return role ? reach(policy, role).flat() : []
  })
  return [...new Set(reached.map(({ id }) => id))]
}

/** Everybody who is asked, for mail. */
export async function everyReviewer(
  op: Op,
  review: Review,
  waiting: { managers: readonly string[]; apis: readonly string[]; fallback: boolean },
): Promise<(db: Reader) => Promise<string[]>> {
  const finds = [await found(op, general(review.reviewers))]
  if (waiting.fallback) finds.push(await found(op, general(review.fallback)))
  const owners = ofType(review.reviewers, 'api_owners')
  for (const apiId of owners.length > 0 ? waiting.apis : [])
    finds.push(await found(op, owners, { apiId }))
  return async (db) => {
    const ids = new Set<string>(waiting.managers)
    for (const find of finds) for (const id of await find(db)) ids.add(id)
    return [...ids].slice(0, MAX_DECIDERS)
  }
}
