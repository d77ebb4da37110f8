import { describe, expect, test } from 'vitest'
import {
  APP,
  accessKey,
  application,
  incoming,
  item,
  NOW,
  opOf,
  outcomeOf,
  policyOf,
  USER,
  type World,
} from '../../e2e/support/protocol'
import type { Question, Refusal } from '../access/decide-scopes'
import { grantSet } from '../access/policy'
import type { Application, Client } from './client'
import { clientContext } from './context'
import { isOAuthError } from './errors'
import {
  type Admission,
  admissionOf,
  askedBy,
  type DecidedScopes,
  isAdmitted,
  rejectedMembers,
  settleScopes,
} from './scopes'

const NONE = { action: 'none' } as const

function client(more: Partial<Application> = {}, confidential = true): Client {
  return { id: APP, application: application(more), accessKey: null, confidential }
}

function question(who: Client, scopes: string[], more: Partial<Question> = {}): Question {
  return {
    ...askedBy(who),
    scopes,
    userId: null,
    withheld: null,
    audiences: [],
    context: clientContext(opOf(), incoming(), who, null),
    ...more,
  }
}

describe('settleScopes (RFC 6749 §3.3)', () => {
  type Expected = { granted: string[]; refused: Refusal[] } | 'invalid_scope'
  const strict: Partial<Application> = { strictScopes: true }
  const read: World = { granted: ['orders:read'] }

  test.each<[string, World, Partial<Application>, string[], Expected]>([
    ['all of it', read, {}, ['orders:read'], { granted: ['orders:read'], refused: [] }],
    [
      'B6, B7: a part of it',
      read,
      {},
      ['nope', 'orders:read', 'orders:write'],
      { granted: ['orders:read'], refused: ['unknown_scope', 'client_not_granted'] },
    ],
    ['G2: none of it', read, {}, ['orders:write'], 'invalid_scope'],
    ['a part of it, where all is wanted', read, strict, ['orders:read', 'nope'], 'invalid_scope'],
    [
      'all of it, where all is wanted',
      read,
      strict,
      ['orders:read'],
      { granted: ['orders:read'], refused: [] },
    ],
    [
      'G4: openid without a user',
      read,
      {},
      ['openid', 'orders:read'],
      { granted: ['orders:read'], refused: ['user_required'] },
    ],
    [
      'a pattern grants what it covers',
      { granted: ['orders:*'] },
      {},
      ['orders:read', 'orders:write'],
      { granted: ['orders:read', 'orders:write'], refused: [] },
    ],
    ['nothing is asked for', read, {}, [], 'invalid_scope'],
  ])('%s', async (_what, world, more, scopes, expected) => {
    const who = client(more)
    const settle = () => settleScopes(opOf(world), policyOf(world), who, question(who, scopes))
    const outcome = await outcomeOf(settle)
    const told =
      typeof outcome === 'string'
        ? outcome
        : { granted: outcome.granted, refused: outcome.refused.map(({ code }) => code) }
    expect(told).toEqual(expected)
  })

  test('what is refused is said in the error, too', async () => {
    const who = client()
    const error = await settleScopes(
      opOf(),
      policyOf({}),
      who,
      question(who, ['orders:read']),
    ).catch((cause: unknown) => cause)
    expect(isOAuthError(error) && error.members).toMatchObject({ scope_rejected: 'orders:read' })
  })

  test('every refusal is counted by its reason', async () => {
    const counted: string[] = []
    const world: World = { granted: ['orders:read'] }
    const op = opOf({
      ...world,
      op: { meter: { ...opOf().meter, scopeRefused: (code) => counted.push(code) } },
    })
    const who = client()
    await settleScopes(op, policyOf(world), who, question(who, ['orders:read', 'nope']))
    expect(counted).toEqual(['unknown_scope'])
  })
})

describe('isAdmitted: may the user use the application at all?', () => {
  const role = item('orders:refund', { needsRole: true })

  test.each<[string, string[], World, boolean]>([
    ['nothing is required', [], {}, true],
    ['what is required is granted', ['orders:read'], { granted: ['orders:read'] }, true],
    ['what is required is refused', ['orders:read'], {}, false],
    ['one of two is refused', ['orders:read', 'orders:write'], { granted: ['orders:read'] }, false],
    [
      'B43: a role is needed, and the user has none',
      ['orders:refund'],
      { granted: ['orders:*'], items: [role] },
      false,
    ],
    [
      'the user is disabled',
      ['orders:refund'],
      { granted: ['orders:*'], items: [role], userEnabled: false },
      false,
    ],
  ])('%s', async (_what, requiredScopes, world, admitted) => {
    const who = client({ requiredScopes })
    const asked = question(who, ['openid'], { userId: USER, withheld: new Set() })
    expect(await isAdmitted(policyOf(world), who.application, asked)).toBe(admitted)
  })

  test('nobody gets in by naming another resource (RFC 8707)', async () => {
    const who = client({ requiredScopes: ['orders:read'] })
    const asked = question(who, [], { userId: USER, audiences: ['https://other.test'] })
    expect(await isAdmitted(policyOf({}), who.application, asked)).toBe(false)
    const granted = policyOf({ granted: ['orders:read'] })
    expect(await isAdmitted(granted, who.application, asked)).toBe(true)
  })

  test('a token ends with what a required scope rests on, even if it was not requested', async () => {
    const terms = { effect: 'allow', condition: null, validFrom: null } as const
    const grants = grantSet([
      { ...terms, id: 'grn 1', pattern: 'orders:read', validUntil: NOW + 60_000 },
      { ...terms, id: 'grn 2', pattern: 'orders:write', validUntil: NOW + 90_000 },
    ])
    const applications = new Map([[APP, { grants, assignments: [] }]])
    const policy = { ...policyOf({}), applications }
    const who = client({ requiredScopes: ['orders:read'] })
    const asked = question(who, ['orders:write'], { userId: USER, withheld: new Set() })
    const admission = await admissionOf(policy, who.application, asked)
    expect(admission).toEqual({ until: NOW + 60_000 })
    const settle = (more?: Admission) => settleScopes(opOf(), policy, who, asked, more)
    expect((await settle()).until).toBe(NOW + 90_000)
    expect((await settle(admission ?? undefined)).until).toBe(NOW + 60_000)
  })
})

describe('rejectedMembers', () => {
  const refused = [
    {
      scope: 'a',
      granted: false,
      code: 'unknown_scope',
      rules: [],
      next: NONE,
      audience: '',
    },
    {
      scope: 'b',
      granted: false,
      code: 'mfa_required',
      rules: [],
      acr: 'mfa',
      next: { action: 'step_up' },
      audience: '',
    },
  ] satisfies DecidedScopes['refused']
  const asked = null
  const members = (who: Client, refusals: DecidedScopes['refused']) =>
    rejectedMembers(opOf(), who, { refused: refusals, asked }, 'dec_1')

  test('nothing where nothing is refused', () => {
    expect(members(client(), [])).toEqual({})
  })

  test('with reasons for a client that proved itself (RFC 9470 for acr_values)', () => {
    expect(members(client(), [...refused])).toEqual({
      scope_rejected: 'a b',
      scope_rejected_reasons: [
        { scope: 'a', code: 'unknown_scope', next_action: 'none' },
        { scope: 'b', code: 'mfa_required', acr_values: 'mfa', next_action: 'step_up' },
      ],
    })
  })

  test('without reasons for a public client', () => {
    expect(members(client({}, false), [...refused])).toEqual({ scope_rejected: 'a b' })
  })
})

test.each<[string, Partial<Application>, boolean]>([
  ['may', { grantTypes: ['refresh_token'] }, true],
  ['may not', { grantTypes: ['client_credentials'] }, false],
])('askedBy: an application that %s use refresh tokens', (_what, more, mayRefresh) => {
  const key = accessKey({ expiresAt: NOW })
  expect(askedBy({ application: application(more), accessKey: key })).toEqual({
    applicationId: APP,
    accessKey: key,
    scopeLimit: null,
    mayRefresh,
  })
})
