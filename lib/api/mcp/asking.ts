import { z } from 'zod'
import { operation } from '../http/operation'
import { listQuery } from '../http/page'
import { createAccessRequest } from '../requests/asking-routes'
import { listAccessRequests } from '../requests/routes'

/**
 * Operations about access requests with fewer arguments: an agent asks for its user and follows
 * what was asked. It decides about nothing, and opens nothing in an emergency.
 */

const { status } = listAccessRequests.query.shape

export const listOwnRequests = operation({
  ...listAccessRequests,
  summary: 'List the requests for access of the user',
  query: listQuery(['createdAt'], { status }),
  handle: (op, call) =>
    listAccessRequests.handle(op, { ...call, query: { ...call.query, view: 'own' } }),
})

const { scope, reason, until } = createAccessRequest.body.shape

/** By name only: nobody who confirms it could read what a binding is for. */
export const askByName = operation({
  ...createAccessRequest,
  summary: 'Ask for access for the user',
  body: z.strictObject({ scope: scope.unwrap(), reason, until }),
  handle: (op, call) =>
    createAccessRequest.handle(op, { ...call, body: { ...call.body, emergency: false } }),
})
