import { z } from 'zod'
import { actorOf } from '../http/caller'
import { operation, tagged } from '../http/operation'
import { wordsSchema } from '../http/schemas'
import { requireRequest } from './create'
import { review } from './review'
import { requireVisible, wireFor } from './seen'
import { requestSchema } from './wire'

/** What was opened in an emergency is reviewed by somebody else. */

export const reviewAccessRequest = operation({
  id: 'reviewAccessRequest',
  method: 'POST',
  path: '/access-requests/{request}/review',
  summary: 'Review what was opened in an emergency; if it was not justified, it ends at once',
  scope: 'permissions:request',
  body: z.strictObject({
    justified: z.boolean(),
    reason: wordsSchema.describe('What was looked at, and why it was justified or not'),
  }),
  example: { justified: true, reason: 'The incident is in the log, and nothing else was changed' },
  answers: { 200: requestSchema },
  async handle(op, call) {
    const request = await requireVisible(op, call, call.params.request)
    await review(op, call.caller, request, call.body, actorOf(call))
    return { status: 200, body: await wireFor(op, call, await requireRequest(op, request.id)) }
  },
})

export const accessRequestReviewRoutes = tagged('Access requests', [reviewAccessRequest])
