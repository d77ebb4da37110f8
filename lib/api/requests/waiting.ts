import { askOnce } from '../../base/ask-once'
import type { Op } from '../../context/op'
import { listOwners } from '../../store/accounts/users'
import { listGroupsOf } from '../../store/permissions/groups'
import {
  type AccessRequest,
  type AskedTogether,
  listAsked,
  listWaiting,
} from '../../store/requests/access-requests'
import { type Deciders, listDeciders } from '../../store/requests/approvers'
import { listReviewing, listToReview } from '../../store/requests/emergencies'
import { decidersAbout, decidersAnyoneAsks } from './approvers'

/**
 * What waits for one person: requests to decide about, and what was opened alone to review. Who
 * does it is asked once for all with the same approvers or reviewers, and of the database only where
 * the person could be one of them: however much is pending for others, a look costs a few statements.
 */

const MAX_ASKED = 2_000
/** Where it depends on who asks, requests are looked at one by one. */
const AT_ONCE = 100
const MAX_LOOKED_AT = 1_000

/** The most urgent first. */
export async function waitingFor(op: Op, userId: string, most: number): Promise<AccessRequest[]> {
  const now = op.now()
  const isAmong = await membershipOf(op, userId)
  const asked = await op.read((db) => listAsked(db, op.databaseKind, MAX_ASKED))
  const askedKeys = await keysOf(op, isAmong, asked)
  const found = await op.read((db) => listWaiting(db, { askedKeys, userId, now, most }))
  if (found.length === most && most === 1) return found
  const byAsker = await waitingByAsker(op, isAmong, most, (page) =>
    op.read((db) => listWaiting(db, { ...page, userId, now })),
  )
  return mostUrgent([...found, ...byAsker], (one) => one.stageDeadline, most)
}

/** What others opened in an emergency, and nobody has reviewed; the most urgent first. */
export async function toReviewFor(op: Op, userId: string, most: number): Promise<AccessRequest[]> {
  const asked = await op.read((db) => listReviewing(db, MAX_ASKED))
  if (asked.length === 0) return []
  const list = (of: { askedKeys: readonly string[] | null; skip?: number; most: number }) =>
    op.read((db) => listToReview(db, { ...of, userId }))
  const owners = await op.read((db) => listOwners(db))
  if (owners.includes(userId)) return list({ askedKeys: null, most })
  const isAmong = await membershipOf(op, userId)
  const byKey = asked.filter(({ askedKey }) => askedKey !== '')
  const found = await list({ askedKeys: await keysOf(op, isAmong, byKey), most })
  if (byKey.length === asked.length) return found
  const byAsker = await waitingByAsker(op, isAmong, most, list)
  return mostUrgent([...found, ...byAsker], (one) => one.reviewDeadline ?? one.createdAt, most)
}

function mostUrgent(
  found: AccessRequest[],
  deadlineOf: (one: AccessRequest) => Date,
  most: number,
): AccessRequest[] {
  const at = (one: AccessRequest) => deadlineOf(one).getTime()
  return found.sort((a, b) => at(a) - at(b)).slice(0, most)
}

type IsAmong = (deciders: Deciders) => Promise<boolean>

/** Whether this person is one of them now; the database says it, of those who could be. */
async function membershipOf(op: Op, userId: string): Promise<IsAmong> {
  const { policy } = await op.latestSnapshot({ users: [userId] })
  const groups = await op.read((db) => listGroupsOf(db, userId))
  const groupIds = new Set(groups.map(({ id }) => id))
  const roleIds = new Set(policy.users.get(userId)?.assignments.map(({ roleId }) => roleId))
  const couldBe = ({ users, groups: of, roles }: Deciders) =>
    users.includes(userId) ||
    of.some((id) => groupIds.has(id)) ||
    roles.some((id) => roleIds.has(id))
  return async (deciders) => {
    if (!couldBe(deciders)) return false
    const only = { among: [userId], most: 1 }
    return (await op.read((db) => listDeciders(db, deciders, op.now(), only))).length > 0
  }
}

/** Which of the approvers that are asked now this person is. */
async function keysOf(
  op: Op,
  isAmong: IsAmong,
  asked: readonly AskedTogether[],
): Promise<string[]> {
  if (asked.length === 0) return []
  const { policy } = await op.latestSnapshot()
  const keys: string[] = []
  for (const one of asked) {
    if (await isAmong(decidersAnyoneAsks(policy, one))) keys.push(one.askedKey)
  }
  return keys
}

type PageByAsker = { askedKeys: readonly string[]; skip: number; most: number }

async function waitingByAsker(
  op: Op,
  isAmong: IsAmong,
  most: number,
  list: (page: PageByAsker) => Promise<AccessRequest[]>,
): Promise<AccessRequest[]> {
  const mine: AccessRequest[] = []
  const idOf = askOnce(op.users.idOf)
  for (let skip = 0; skip < MAX_LOOKED_AT; skip += AT_ONCE) {
    const page = await list({ askedKeys: [''], skip, most: AT_ONCE })
    if (page.length === 0) break
    const { policy } = await op.latestSnapshot({ users: page.map((one) => one.userId) })
    for (const one of page) {
      if (await isAmong(await decidersAbout(policy, one, idOf))) mine.push(one)
      if (mine.length === most) return mine
    }
    if (page.length < AT_ONCE) break
  }
  return mine
}
