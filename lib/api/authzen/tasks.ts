import { z } from 'zod'
import { ACCESS_REQUEST_PATH } from '../../oidc/access-request'
import { REQUEST_STATUSES } from '../../store/requests/access-requests'
import type { DescribedOperation } from '../openapi/openapi'
import { submission } from './request'

/** What the API reference says about tasks of the Access Request and Approval Profile. */

const taskSchema = z.object({
  id: z.string(),
  status: z.enum(REQUEST_STATUSES),
  status_endpoint: z.string(),
  expires_at: z.string().describe('Until then it can be decided'),
  progress: z
    .object({
      stage: z.number().describe('From 1'),
      stages: z.number(),
      approvals: z.number().describe('In this stage'),
      needed: z.number(),
    })
    .describe('How far the decision is'),
  links: z.object({
    review: z.string().describe('The page for those who decide'),
    cancel: z.string().optional().describe('While it is pending'),
  }),
  callback_secret: z
    .string()
    .optional()
    .describe('With the answer to a request that has a callback: it signs the callback'),
  result: z
    .object({
      mode: z.literal('reevaluate'),
      approval: z
        .object({
          id: z.string(),
          approved_at: z.string(),
          approved_until: z.string(),
          state: z.literal('approved'),
        })
        .describe('Send it as `context.approval` with the same evaluation'),
    })
    .optional()
    .describe('Once it is approved'),
})
const answer = z.object({ task: taskSchema })

const COMMON = {
  tag: 'AuthZEN',
  scope: 'permissions:request',
  also: [],
  query: undefined,
  versioned: false,
  media: ['application/json'],
} satisfies Partial<DescribedOperation>

const ONE = `${ACCESS_REQUEST_PATH}/{request}`

export const AUTHZEN_TASK_CALLS: readonly DescribedOperation[] = [
  {
    ...COMMON,
    id: 'access_request_endpoint',
    method: 'POST',
    path: ACCESS_REQUEST_PATH,
    summary:
      'Ask for what an evaluation refused; 202 while people decide, 201 if a rule has decided',
    body: submission,
    example: {
      subject: { type: 'user', id: 'alice' },
      action: { name: 'read' },
      resource: { type: 'record', id: 'record-1' },
      requested_access: { reason: 'Return of order 4711' },
      denial: { binding_token: 'BINDING_TOKEN' },
    },
    mayBeMissing: false,
    mayConflict: true,
    answers: { 201: answer, 202: answer },
  },
  {
    ...COMMON,
    id: 'access_request_status',
    method: 'GET',
    path: ONE,
    summary: 'What became of it; for the application that asked',
    body: undefined,
    example: null,
    mayBeMissing: true,
    mayConflict: false,
    answers: { 200: answer },
  },
  {
    ...COMMON,
    id: 'access_request_cancel',
    method: 'POST',
    path: `${ONE}/cancel`,
    summary: 'Withdraw it while it is pending; for the application that asked',
    body: undefined,
    example: null,
    mayBeMissing: true,
    mayConflict: true,
    answers: { 200: answer },
  },
]
