import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import { type AccessRequest, findAccessRequest } from '../../store/requests/access-requests'
import type { Call } from '../http/operation'
import { notFound, Problem } from '../http/problem'
import { decidersIn } from './approvers'
import { isInPerson } from './decide'
import { isReviewer, mayReview } from './review'
import { isInForce, mayTakeBack } from './revoke'
import { toReviewFor, waitingFor } from './waiting'
import { apiOf, toWire } from './wire'

/** Who sees a request, and what they may do with it. */

export function requirePerson({ caller }: Call): string {
  if (caller.kind === 'user') return caller.id
  throw new Problem('forbidden', errorMessage('person_needed'))
}

/** Admins and auditors see all requests and reviews. */
export function seesAll({ caller }: Call): boolean {
  return caller.scopes.has('assignments:read')
}

async function mayDecide(op: Op, userId: string, request: AccessRequest): Promise<boolean> {
  if (request.status !== 'pending' || request.userId === userId) return false
  if (request.votes.some(({ approver }) => approver.id === userId)) return false
  const deciders = await decidersIn(op, request)
  return (await op.read((db) => deciders(db, [userId]))).length > 0
}

export const MOST_COUNTED = 10

/** How many wait for this user, up to a limit, for the navigation; most users are asked nothing. */
export async function countWaitingFor(op: Op, userId: string): Promise<number> {
  const [decide] = await waitingFor(op, userId, 1)
  const [review] = await toReviewFor(op, userId, 1)
  const decides = decide ? (await waitingFor(op, userId, MOST_COUNTED)).length : 0
  const reviews = review ? (await toReviewFor(op, userId, MOST_COUNTED)).length : 0
  return Math.min(MOST_COUNTED, decides + reviews)
}

type Known = { decides?: boolean; reviews?: boolean }

/** `known`: where it is known what the caller does about it. */
export async function wireFor(
  op: Op,
  call: Call,
  request: AccessRequest,
  { decides, reviews }: Known = {},
) {
  const { id } = call.caller
  const inPerson = isInPerson(call.caller)
  const may = {
    decide: inPerson && (decides ?? (await mayDecide(op, id, request))),
    cancel: request.status === 'pending' && request.userId === id,
    review: inPerson && (reviews ?? (await mayReview(op, id, request))),
    revoke: isInForce(request, op.now()) && (await mayTakeBack(op, call.caller, request)),
  }
  const { policy } = call.snapshot
  const api = await apiOf(op, request.apiId)
  return toWire(request, { policy, may, api, madeBy: await madeByIn(op, request) })
}

/** With its name, as long as it exists. */
async function madeByIn(op: Op, { madeBy: id, application }: AccessRequest) {
  if (id === null || id === application?.id) return id === null ? null : application
  const { credentials } = await op.snapshot({ clients: [id] })
  return { id, name: credentials.get(id)?.application.name ?? id }
}

/** To everybody else, it does not exist. */
export async function requireVisible(op: Op, call: Call, id: string): Promise<AccessRequest> {
  const userId = requirePerson(call)
  const request = await op.read((db) => findAccessRequest(db, { id }))
  if (!request) throw notFound('no_access_request', id)
  const voted = request.votes.some(({ approver }) => approver.id === userId)
  if (request.userId === userId || voted || seesAll(call)) return request
  if (await mayDecide(op, userId, request)) return request
  if (await isReviewer(op, userId, request)) return request
  if (await mayTakeBack(op, call.caller, request)) return request
  throw notFound('no_access_request', id)
}
