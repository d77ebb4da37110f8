import { describe, expect, test } from 'vitest'
import { item, NOW } from '../../../e2e/support/policy'
import { problemIn } from '../../../e2e/support/problem-in'
import type { RequestRule, RequestStage } from '../../access/policy'
import type { Op } from '../../context/op'
import { accessRequestOf } from '../../oidc/access-request'
import { agrees, newRequest, pendingKeyOf, type RefusedScopeRef, requireBinding } from './create'

/** From a refusal to a request. */

let time = NOW
const OP = {
  now: () => time,
  origin: 'https://id.example',
  accessRequestKey: Buffer.alloc(32, 3),
} as unknown as Op

const REFUSED: RefusedScopeRef = {
  userId: 'usr_1',
  applicationId: 'app_1',
  scope: 'orders:read',
  audience: 'https://orders.test',
  resourceType: null,
  resourceId: null,
  contextDigest: 'digest',
  lacks: ['user', 'application'],
  policyVersion: 7,
  decisionId: 'dec_1',
}

describe('Q19, Q20: the binding of a refusal', () => {
  const sealed = (more: Partial<RefusedScopeRef> = {}, op = OP) =>
    accessRequestOf(op, { ...REFUSED, ...more }).binding_token
  const told = (token: string, userId = 'usr_1') =>
    problemIn(() => requireBinding(OP, userId, token))
  const INVALID = 'invalid /binding binding_invalid'

  test('opens for the user whom it refused, with exactly what was refused', () => {
    expect(requireBinding(OP, 'usr_1', sealed())).toMatchObject(REFUSED)
  })

  test('of somebody else, of another portal, or changed, is none', async () => {
    const token = sealed()
    expect(await told(token, 'usr_2')).toBe(INVALID)
    expect(await told(sealed({}, { ...OP, accessRequestKey: Buffer.alloc(32) } as Op))).toBe(
      INVALID,
    )
    expect(await told(token.slice(0, -2))).toBe(INVALID)
    expect(await told(`${token}A`)).toBe(INVALID)
    expect(await told('')).toBe(INVALID)
    expect(await told(Buffer.from(JSON.stringify(REFUSED)).toString('base64url'))).toBe(INVALID)
  })

  test('is valid for an hour', async () => {
    const token = sealed()
    time = new Date(NOW.getTime() + 3_599_999)
    expect(await told(token)).toBe('not refused')
    time = new Date(NOW.getTime() + 3_600_000)
    expect(await told(token)).toBe(INVALID)
    time = NOW
  })
})

describe('whoever asks', () => {
  const asked = (madeBy: string | null, more: Partial<RefusedScopeRef> = {}) =>
    agrees({ refused: { ...REFUSED, ...more }, madeBy })

  test('in person for what an application asked of them, agrees to it', () => {
    expect(asked(null, { tokenGrantId: 'tgr_1' })).toBe(true)
    // At the page of consent there is no grant yet.
    expect(asked(null, { tokenGrantId: null })).toBe(true)
  })

  test('agrees to nothing by the question of an application, nor without an application', () => {
    expect(asked(null)).toBe(false)
    expect(asked(null, { tokenGrantId: 'tgr_1', applicationId: null })).toBe(false)
    expect(asked('app_1', { tokenGrantId: 'tgr_1' })).toBe(false)
  })
})

describe('what is pending already', () => {
  const key = (more: Partial<RefusedScopeRef> = {}, madeBy: string | null = null) =>
    pendingKeyOf({ ...REFUSED, ...more }, madeBy)

  test('is the same question, whatever the refusal was called', () => {
    expect(key({ decisionId: 'dec_2', policyVersion: 8, contextDigest: 'x' })).toBe(key())
    expect(key({ lacks: ['application', 'user'] })).toBe(key())
  })

  test('is another question of another user, application, permission, instance or lack', () => {
    const all = [
      key(),
      key({}, 'app_1'),
      key({ userId: 'usr_2' }),
      key({ applicationId: null }),
      key({ scope: 'orders:write' }),
      key({ resourceId: '4711' }),
      key({ lacks: ['user'] }),
    ]
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('a new request', () => {
  const HOUR = 3_600
  const stage = (deadlineSeconds: number, escalates = false): RequestStage => ({
    approvers: [{ type: 'user', id: 'usr_2' }],
    needed: 1,
    deadlineSeconds,
    escalateTo: escalates ? [{ type: 'api_owners' }] : [],
  })
  const made = (stages: RequestStage[], until: Date | null = null) => {
    const rule = { id: 'rqr_1', name: 'R', reasonRequired: true, maxSeconds: 9, stages }
    const rest = { reason: null, emergency: false, callback: null, madeBy: null }
    return newRequest(OP, { refused: REFUSED, until, ...rest }, item('orders:read'), {
      ...rule,
      emergency: { people: [], reviewers: [], seconds: 1, reviewSeconds: 1 },
    } as unknown as RequestRule)
  }
  const hours = (date: Date) => (date.getTime() - NOW.getTime()) / 3_600_000

  test('can be decided as long as its stages take; one that escalates takes twice as long', () => {
    const request = made([stage(HOUR), stage(2 * HOUR, true)])
    expect([hours(request.stageDeadline), hours(request.expiresAt)]).toEqual([1, 5])
  })

  test('can be decided no longer than it was asked for', () => {
    const until = new Date(NOW.getTime() + 30 * 60_000)
    expect(hours(made([stage(HOUR)], until).expiresAt)).toBe(0.5)
  })

  test('keeps the terms under which it was made, and opens nothing by itself', () => {
    const request = made([stage(HOUR)])
    expect(request).toMatchObject({
      status: 'pending',
      stage: 0,
      approvedUntil: null,
      reviewDeadline: null,
      terms: { name: 'R', maxSeconds: 9, emergency: null },
      lacks: ['user', 'application'],
    })
  })
})
