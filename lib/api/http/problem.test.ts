import { describe, expect, test } from 'vitest'
import { problemIn } from '../../../e2e/support/problem-in'
import { errorMessage } from '../../i18n/error-message'
import {
  faultOf,
  fieldProblem,
  invalidField,
  isProblem,
  notFound,
  Problem,
  problemDocument,
  problemReply,
  requireFound,
  requireNone,
} from './problem'

/** RFC 9457 */

const ASKED = { origin: 'https://id.example', requestId: 'req_1' }
const header = (problem: Problem, name: string) => problemReply(problem, ASKED).headers[name]

describe('a problem document', () => {
  test('has the stable code, where it is explained, and the ID of the request', () => {
    const document = problemDocument(new Problem('forbidden', errorMessage('own_account')), ASKED)
    expect(document).toEqual({
      type: 'https://id.example/docs/errors#forbidden',
      title: 'The caller is not allowed to do this',
      status: 403,
      code: 'forbidden',
      detail: 'You can’t do this to your own account. Ask another admin.',
      requestId: 'req_1',
    })
  })

  test('names every field, with the values of its sentence only if it has some', () => {
    const errors = [
      fieldProblem('/name', errorMessage('required')),
      fieldProblem('/limit', errorMessage('too_big', { maximum: '200' })),
    ]
    const { errors: told } = problemDocument(
      new Problem('invalid', errorMessage('invalid'), { errors }),
      ASKED,
    )
    expect(told).toEqual([
      { pointer: '/name', code: 'required', detail: 'This is required.' },
      {
        pointer: '/limit',
        code: 'too_big',
        detail: 'Enter at most 200.',
        values: { maximum: '200' },
      },
    ])
  })

  test('has no empty list of fields, and may have members of its own', () => {
    const stale = new Problem('stale', 'read it again', {
      errors: [],
      members: { current: { name: 'Now' } },
    })
    const document = problemDocument(stale, ASKED)
    expect(document).not.toHaveProperty('errors')
    expect(document).toMatchObject({ status: 412, current: { name: 'Now' } })
  })

  test('is sent as such, is not stored by anybody, and keeps its own headers', () => {
    const busy = new Problem('slow_down', 'wait', { headers: { 'Retry-After': '3' } })
    expect(problemReply(busy, ASKED).status).toBe(429)
    expect(header(busy, 'Content-Type')).toBe('application/problem+json')
    expect(header(busy, 'Cache-Control')).toBe('no-store')
    expect(header(busy, 'Retry-After')).toBe('3')
  })
})

test('what somebody typed is in a sentence without hidden characters, and not all of it', () => {
  const typed = `${'a'.repeat(300)}`
  const { message } = notFound('no_user', `x\u202e\u0000${typed}`)
  expect(['\u202e', '\u0000'].filter((one) => message.includes(one))).toEqual([])
  expect(message).toContain('…')
  expect(message.length).toBeLessThan(280)
})

test('a problem of the other copy of this module is one, an error that only looks alike is none', () => {
  const other = Object.assign(new Error('elsewhere'), {
    [Symbol.for('gatehouse.Problem')]: true,
  })
  expect(isProblem(other)).toBe(true)
  expect(isProblem(Object.assign(new Error('x'), { code: 'not_found', options: {} }))).toBe(false)
  for (const none of [null, undefined, 'not_found', 404]) expect(isProblem(none)).toBe(false)
})

describe('of several mistakes', () => {
  test('the first speaks for all, and all are named', async () => {
    const first = fieldProblem('/b', errorMessage('too_long', { maximum: '9' }))
    const all = [first, fieldProblem('/a', errorMessage('required'))]
    expect(await problemIn(() => requireNone(all))).toBe('invalid /b too_long, /a required')
    expect(() => requireNone(all)).toThrow(first.detail)
  })

  test('none is no refusal', async () => {
    expect(await problemIn(() => requireNone([]))).toBe('not refused')
  })

  test('one at a field is the reason as well', () => {
    const problem = invalidField('/key', errorMessage('key_shape'))
    expect(problem.reason).toEqual({ code: 'key_shape', values: {} })
    expect(problem.options.errors?.map(({ pointer }) => pointer)).toEqual(['/key'])
  })
})

describe('what was looked for', () => {
  test.each([null, undefined])('is not found if it is %s', async (found) => {
    expect(await problemIn(() => requireFound(found, 'no_group', 'grp_1'))).toBe(
      'not_found no_group',
    )
  })

  test.each([0, '', false])('is found, also if it is %j', (found) => {
    expect(requireFound(found, 'no_group', 'grp_1')).toBe(found)
  })
})

describe('an error inside the portal', () => {
  const cause = new Error('SELECT secret FROM users failed at 10.0.0.7')

  test('is a fault of which the caller learns nothing', () => {
    const problem = faultOf({ isUnavailable: () => false }, cause)
    const { status, body } = problemReply(problem, ASKED)
    expect(status).toBe(500)
    expect(body).not.toMatch(/SELECT|10\.0\.0\.7/)
    expect(JSON.parse(body)).toMatchObject({ code: 'fault', requestId: 'req_1' })
  })

  test('is one that passes, if the database is away: 503, and when to try again', () => {
    const problem = faultOf({ isUnavailable: (error) => error === cause }, cause)
    expect(problemReply(problem, ASKED).status).toBe(503)
    expect(header(problem, 'Retry-After')).toBe('5')
  })
})
