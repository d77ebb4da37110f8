import { describe, expect, test } from 'vitest'
import { assigned, grant, NOW, policy, role } from '../../../e2e/support/policy'
import { mistakeIn } from '../../../e2e/support/problem-in'
import type { Op } from '../../context/op'
import { contextOf, contextSchema, isUnknown, isUserId, wantedFor } from './decision'
import { progressOf, shareOf } from './pass'

/** The question behind a check, and how far a pass over everybody is. */

const OP = { now: () => NOW } as Op
const clerk = role('decision-clerk', [grant('orders:read')])
const world = policy({ user: [assigned(clerk)] })
const known = {
  ...world,
  users: new Map([
    ['usr_1', { ...world.users.get('usr'), attributes: { branch: 'Bern', id: 'usr_other' } }],
  ]),
} as typeof world
const USER = { kind: 'user', id: 'usr_1' } as const

describe('the context of a check', () => {
  test('has what is stored about the user, whatever the caller says', () => {
    const subject = { type: 'user', id: 'usr_1', properties: { branch: 'Basel', shift: 'night' } }
    const context = contextOf(OP, known, USER, { given: undefined, subject })
    expect(context.user).toEqual({ branch: 'Bern', id: 'usr_1' })
    expect(context.subject.properties).toMatchObject({ branch: 'Bern', shift: 'night' })
  })

  test('has the ID of the user, also where an attribute has its name', () => {
    expect(contextOf(OP, known, USER, { given: undefined }).user.id).toBe('usr_1')
  })

  test('lacks what was not sent: nothing is taken from the request of the caller', () => {
    const context = contextOf(OP, known, USER, { given: undefined })
    expect(context).toMatchObject({ request: { time: NOW }, auth: {}, client: {}, resource: {} })
    expect(Object.keys(context.request)).toEqual(['time'])
  })

  test('has what was sent under the names that conditions read', () => {
    const given = {
      ip: '10.0.0.1',
      userAgent: 'curl',
      time: '2030-01-01T02:00:00+02:00',
      acr: 'mfa',
      amr: ['otp'],
      authAge: 10,
      properties: { urgent: true },
    }
    const context = contextOf(OP, known, { kind: 'client', id: 'app' }, { given })
    expect(context.request).toEqual({
      ip: '10.0.0.1',
      user_agent: 'curl',
      time: new Date('2030-01-01T00:00:00Z'),
      context: { urgent: true },
    })
    expect(context.auth).toEqual({ acr: 'mfa', amr: ['otp'], age: 10 })
    expect([context.client, context.user]).toEqual([{ id: 'app', application_id: 'app' }, {}])
  })

  test('of nobody in particular has neither a user nor a client', () => {
    const context = contextOf(OP, known, null, { given: {} })
    expect([context.user, context.client, context.subject]).toEqual([{}, {}, { properties: {} }])
  })

  test.each<[object, string]>([
    [{ ip: 'localhost' }, 'ip_needed'],
    [{ ip: '10.0.0.1/8' }, 'ip_needed'],
    [{ ip: '::1' }, 'none'],
    [{ authAge: -1 }, 'too_small'],
    [{ authAge: 1.5 }, 'whole_number_needed'],
    [{ time: '2030-01-01' }, 'date_needed'],
    [{ user: { branch: 'Bern' } }, 'unrecognized_keys'],
  ])('that is sent as %j: %s', (given, mistake) => {
    expect(mistakeIn(contextSchema, given)).toBe(mistake)
  })
})

test('a subject is unknown if it is a user whom nobody has read', () => {
  expect(isUnknown(known, USER)).toBe(false)
  expect(isUnknown(known, { kind: 'user', id: 'usr_2' })).toBe(true)
  expect(isUnknown(known, { kind: 'client', id: 'usr_2' })).toBe(false)
  expect([isUserId('usr_1'), isUserId('ada'), isUserId('USR_1')]).toEqual([true, false, false])
})

test('what is read for several subjects is each of them under its kind', () => {
  const all = [USER, { kind: 'client', id: 'app' } as const, { kind: 'user', id: 'usr_2' } as const]
  expect(wantedFor(...all)).toEqual({ users: ['usr_1', 'usr_2'], clients: ['app'] })
})

describe('how much of a pass is done', () => {
  const sources = [{ of: 'users', role: 'a' } as const, { of: 'users', group: 'b' } as const]

  test('is all of it at the end, and where there is nothing to look at', () => {
    expect(progressOf(sources, null)).toBe(1)
    expect(progressOf([], { source: 0, after: '' })).toBe(1)
  })

  test('grows with every position, in the order of the IDs', () => {
    const ids = ['', 'usr_-', 'usr_00', 'usr_0z', 'usr_A', 'usr_Z', 'usr__', 'usr_a', 'usr_zz']
    const at = [0, 1].flatMap((source) =>
      ids.map((after) => progressOf(sources, { source, after })),
    )
    expect(at).toEqual([...at].sort((a, b) => a - b))
    expect(at[0]).toBe(0)
    expect(Math.max(...at)).toBeLessThan(1)
  })

  test('is told for an ID of one’s own, too', () => {
    for (const id of ['usr_ö', 'app', 'https://rp.example/client', '_', '']) {
      expect(shareOf(id)).toBeGreaterThanOrEqual(0)
      expect(shareOf(id)).toBeLessThan(1)
    }
  })
})
