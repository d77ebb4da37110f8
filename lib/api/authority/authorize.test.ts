import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Op } from '../../context/op'
import { OPERATOR } from '../http/caller'
import { type AnyOperation, type Call, operation, type Result, writes } from '../http/operation'
import { handled } from '../http/perform'
import { routes } from '../table'
import { authorize } from './authorize'

/** Every route that changes something asks the rule of authority; one that does not is broken. */

const ANSWERS = { 200: z.object({}) }
const DONE: Result<typeof ANSWERS> = { status: 200 }
const OP = {} as Op // the rule is not asked for a privilege, so nothing of it is used
const CALL = { caller: OPERATOR } as Call<Record<string, string>, unknown, unknown>

function writing(handle: (call: typeof CALL) => Promise<typeof DONE>): AnyOperation {
  return operation({
    id: 'aWrite',
    method: 'POST',
    path: '/a',
    summary: 'A',
    scope: 'users:write',
    answers: ANSWERS,
    handle: (_op, call) => handle(call as typeof CALL),
  })
}

describe('a route that changes something', () => {
  test('is answered where it asked', async () => {
    const asking = writing(async (call) => {
      await authorize(OP, call, [])
      return DONE
    })
    expect(await handled(OP, asking, { ...CALL })).toBe(DONE)
  })
  test('is a fault where it did not', async () => {
    const silent = writing(async () => DONE)
    await expect(handled(OP, silent, { ...CALL })).rejects.toThrow(
      'aWrite did not call authorize()',
    )
  })
})

/**
 * Who may decide about an access request is in the request: lib/api/requests. Of a review, each item
 * asks whether the starter may take it away, at the start and again at the end: lib/api/reviews.
 */
const OF_REQUESTS = /Access(Request|Review)$/

test('what is sent and needs no scope to write changes nothing, or only what is the caller’s own', () => {
  const others = routes.filter((one) => one.method !== 'GET' && !writes(one)).map(({ id }) => id)
  expect(others.filter((id) => !OF_REQUESTS.test(id)).sort()).toEqual([
    'checkCondition',
    'checkPermission',
    'checkPermissions',
    'createAuditView',
    'decideScopes',
    'deleteAuditView',
    'explainPermission',
    'groupRefusals',
    'inspectToken',
    'previewImpact',
    'replayDecisions',
    'runAssertions',
  ])
})
