import { describe, expect, test } from 'vitest'
import { errorJson, hiddenBehind, OAuthError, ourFault, traceOf } from './errors'
import type { ReasonOf } from './refusal-reasons'

const used = new OAuthError('invalid_grant', 'no', 'code_used', { facts: { token_grant: 'tgr' } })

test('does not compile without a reason, or with one of another error code', () => {
  // @ts-expect-error A refusal has a reason.
  new OAuthError('invalid_grant', 'no')
  // @ts-expect-error A used code is an invalid grant, and nothing else.
  new OAuthError('invalid_client', 'no', 'code_used')
  // @ts-expect-error A reason is a code of the table.
  new OAuthError('invalid_grant', 'no', 'because')
  // @ts-expect-error So is one that is passed on.
  const reason: ReasonOf<'invalid_target'> = 'code_used'
  expect(reason).toBe('code_used')
})

describe('D16: the reason is for the log and the metrics', () => {
  test('an answer has the error code and its words, and no more', () => {
    const { body, headers, note, refusal } = errorJson('https://id.test', used)
    expect(JSON.parse(body)).toEqual({ error: 'invalid_grant', error_description: 'no' })
    expect(JSON.stringify(headers)).not.toContain('code_used')
    expect({ note, refusal }).toEqual(traceOf(used))
    expect(refusal).toEqual({ error: 'invalid_grant', reason: 'code_used' })
  })

  test('what another error code hides keeps its reason, its facts and what helps', () => {
    const members = { next_action: 'request', scope_rejected: 'orders:read' }
    const inner = new OAuthError('invalid_scope', 'inner', 'scopes_refused', { members })
    const outer = hiddenBehind('invalid_grant', 'outer', inner)
    expect([outer.word, outer.message, outer.cause]).toEqual(['invalid_grant', 'outer', inner])
    expect(outer.refusal).toEqual({ reason: 'scopes_refused' })
    expect(outer.members).toEqual({ next_action: 'request' })
    expect(hiddenBehind('invalid_grant', 'outer', used).refusal).toEqual(used.refusal)
  })
})

test.each([
  [true, 'temporarily_unavailable', 'database_unavailable'],
  [false, 'server_error', 'internal_error'],
])('O7: an internal error; the database is away: %s', (isAway, word, reason) => {
  const error = ourFault({ isUnavailable: () => isAway }, new Error('secret'))
  expect([error.word, error.refusal.reason]).toEqual([word, reason])
  expect(errorJson('https://id.test', error).body).not.toContain('secret')
})
