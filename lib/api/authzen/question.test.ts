import { describe, expect, test } from 'vitest'
import { NOW, policy } from '../../../e2e/support/policy'
import { problemIn } from '../../../e2e/support/problem-in'
import type { Op } from '../../context/op'
import { evaluation, evaluationContext, evaluationDigest, firstOf, read } from './question'
import { isTaskPath } from './request'

/** What an AuthZEN evaluation asks. */

const OP = { now: () => NOW } as Op
const ASKED = {
  subject: { type: 'user', id: 'usr' },
  action: { name: 'read' },
  resource: { type: 'orders', id: '4711' },
}
const WHO = { kind: 'user', id: 'usr' } as const

describe('an evaluation', () => {
  test.each<[string, object, string]>([
    ['without a subject', { subject: undefined }, 'subject: This is required.'],
    [
      'with a subject without an ID',
      { subject: { type: 'user' } },
      'subject.id: This is required.',
    ],
    ['with an empty action', { action: { name: '' } }, 'action.name: This is required.'],
    ['with a number for an ID', { resource: { type: 'a', id: 7 } }, 'resource.id: Enter a text.'],
    ['with a context that is a list', { context: [] }, 'context: Send an object.'],
  ])('%s is refused by the place', async (_what, more, told) => {
    const asked = { ...ASKED, ...more }
    await expect(problemIn(() => read(evaluation, asked))).resolves.toBe('invalid at_member')
    expect(() => read(evaluation, asked)).toThrow(told)
    const parsed = evaluation.safeParse(asked)
    expect(parsed.error && firstOf(parsed.error)).toBe(told)
  })

  test('that is no object is refused as a whole', () => {
    expect(() => read(evaluation, null)).toThrow(/^body: /)
  })

  test('may have members that nobody knows, which are not read', () => {
    expect(read(evaluation, { ...ASKED, more: 1 })).not.toHaveProperty('more')
  })
})

describe('the context of an evaluation', () => {
  const context = (more: object) => evaluationContext(OP, policy({}), WHO, { ...ASKED, ...more })

  test('has an address only if it is one', () => {
    expect(context({ context: { ip: '10.0.0.1' } }).request.ip).toBe('10.0.0.1')
    for (const ip of ['10.0.0.1, 10.0.0.2', 'localhost', 7, null, {}]) {
      expect(context({ context: { ip } }).request).not.toHaveProperty('ip')
    }
  })

  test('names the subject as the portal knows it, whatever the caller calls it', () => {
    const subject = { type: 'admin', id: 'ada', properties: { shift: 'night' } }
    expect(context({ subject }).subject).toEqual({
      type: 'user',
      id: 'usr',
      properties: { shift: 'night' },
    })
  })

  test('lacks what was not sent', () => {
    const { action, resource, request } = context({})
    expect([action, resource]).toEqual([{ name: 'read' }, { type: 'orders', id: '4711' }])
    expect(request).not.toHaveProperty('context')
  })
})

describe('Q124: the occasion of a refusal', () => {
  const digest = (more: object) => evaluationDigest({ ...ASKED, ...more })

  test('is the same however its members are ordered, with and without an approval', () => {
    const one = digest({ context: { a: 1, b: { c: 2, d: 3 } } })
    expect(digest({ context: { b: { d: 3, c: 2 }, a: 1 } })).toBe(one)
    expect(digest({ context: { a: 1, b: { c: 2, d: 3 }, approval: { id: 'arq_1' } } })).toBe(one)
    expect(digest({})).toBe(digest({ context: {} }))
  })

  test('is another with another context, action or resource', () => {
    const all = [
      digest({}),
      digest({ context: { a: 1 } }),
      digest({ context: { a: '1' } }),
      digest({ action: { name: 'read', properties: { a: 1 } } }),
      digest({ resource: { ...ASKED.resource, properties: { a: 1 } } }),
    ]
    expect(new Set(all).size).toBe(all.length)
  })
})

test.each<[string, boolean]>([
  ['/access/v1/request/arq_0123456789', true],
  ['/access/v1/request/arq_0123456789/cancel', true],
  ['/access/v1/request', false],
  ['/access/v1/request/', false],
  ['/access/v1/request/arq_1', false],
  ['/access/v1/request/usr_0123456789', false],
  ['/access/v1/request/arq_0123456789/approve', false],
  ['/access/v1/request/arq_0123456789/cancel/', false],
  ['/access/v1/request/arq_01234567%2F', false],
  ['/x/access/v1/request/arq_0123456789', false],
])('%s is the path of a task: %s', (path, isOne) => {
  expect(isTaskPath(path)).toBe(isOne)
})
