import { describe, expect, test } from 'vitest'
import { assigned, grant, NOW, policy, role, type World as Small } from '../../e2e/support/policy'
import { HOUR_MS } from '../base/time'
import { attributesText, basisIn, basisOf, namedBasis } from './basis'
import { compileCondition } from './condition'
import { decideScopes, type Question } from './decide-scopes'
import type { Policy } from './policy'
import {
  type DecisionToReplay,
  questionOf,
  type ReplayedClient,
  type ReplayState,
  replayDecision,
} from './replay'
import { settlingsOf } from './settle'
import { atOnce } from './turns'

const ASKER: ReplayedClient = {
  accessKey: null,
  mayRefresh: true,
  requiredScopes: [],
  strictScopes: false,
  usable: true,
}

function past(more: Partial<DecisionToReplay> = {}): DecisionToReplay {
  return {
    scopes: ['orders:refund'],
    granted: new Set(),
    applicationId: 'app',
    userId: 'usr',
    withheld: new Set(),
    audiences: [],
    context: {
      request: { time: NOW, ip: '10.1.2.3' },
      client: { id: 'app', application_id: 'app' },
      resource: {},
      user: {},
      auth: {},
      subject: {},
      action: {},
    },
    hadAttributes: had({}),
    userAgentCut: false,
    ...more,
  }
}

const had = (then: object) => (now: object) =>
  attributesText({ ...now }) === attributesText({ ...then })

const all = [grant('orders:*')]
const clerk = role('clerk', [grant('orders:read')])
const before: Small = { application: all, user: [assigned(clerk)] }
const refunding: Small = { application: all, user: [assigned(role('c', [grant('orders:refund')]))] }

const world = (small: Small, asker: Partial<ReplayedClient> = {}): ReplayState => ({
  policy: policy(small),
  asker: { ...ASKER, ...asker },
})
const withUser = (
  small: Small,
  attributes: Record<string, unknown>,
  enabled = true,
): ReplayState => {
  const made = policy(small)
  const user = made.users.get('usr')
  const users = new Map(user && [['usr', { ...user, attributes, enabled }]])
  return { policy: { ...made, users } satisfies Policy, asker: ASKER }
}

describe('a past decision under a draft', () => {
  test('flips to allowed where the draft gives it, and to refused where it takes it', () => {
    const [gained] = atOnce(replayDecision(past(), world(before), world(refunding)))
    expect(gained).toEqual({
      scope: 'orders:refund',
      past: false,
      before: false,
      after: true,
      code: 'user_not_permitted',
    })
    const then = past({ granted: new Set(['orders:refund']) })
    const [lost] = atOnce(replayDecision(then, world(refunding), world(before)))
    expect(lost).toMatchObject({ past: true, before: true, after: false })
  })

  test('is the same where only time has passed since: that is told apart', () => {
    const [outcome] = atOnce(replayDecision(past(), world(refunding), world(refunding)))
    expect(outcome).toMatchObject({ past: false, before: true, after: true })
  })

  test('is asked at its own time, from its own address', () => {
    const until = grant('orders:refund', { validUntil: NOW.getTime() - HOUR_MS })
    const here = grant('orders:refund', {
      condition: compileCondition('inNetwork(request.ip, "10.0.0.0/8")'),
    })
    const held = (one: typeof until) => ({ application: all, user: [assigned(role('r', [one]))] })
    const [ended] = atOnce(replayDecision(past(), world(before), world(held(until))))
    const [inside] = atOnce(replayDecision(past(), world(before), world(held(here))))
    expect([ended, inside]).toMatchObject([
      { after: false, code: 'grant_expired' },
      { after: true },
    ])
  })

  test.each<[string, Partial<ReplayedClient>]>([
    ['client_unusable', { usable: false }],
    ['not_admitted', { requiredScopes: ['orders:refund'] }],
    ['strict', { strictScopes: true }],
  ])('the whole request is refused: %s', (code, asker) => {
    const scopes = ['orders:read', 'orders:refund']
    const outcomes = atOnce(replayDecision(past({ scopes }), world(before), world(before, asker)))
    expect(outcomes[0]).toMatchObject({ before: true, after: false, code })
  })

  test('a required scope keeps out whom it kept out: who said no, not who was not asked', () => {
    const required = { requiredScopes: ['orders:read'] }
    const asked = past({ scopes: ['orders:read', 'orders:refund'] })
    const unanswered = { ...asked, withheld: new Set(['orders:read']) }
    const [, gained] = atOnce(
      replayDecision(
        unanswered,
        world(before, required),
        world({ application: all, user: [assigned(role('c', all))] }, required),
      ),
    )
    expect(gained).toMatchObject({ before: false, after: true, code: 'user_not_permitted' })
    const saidNo = { ...past({ scopes: ['openid'] }), withheldRequired: new Set(['orders:read']) }
    expect(atOnce(replayDecision(saidNo, world(before, required), world(before)))).toMatchObject([
      { before: false, after: true, code: 'not_admitted' },
    ])
    expect(
      atOnce(replayDecision(saidNo, world(before, required), world(refunding, required))),
    ).toMatchObject([{ before: false, after: false }])
  })

  test('whom a draft disables gets nothing', () => {
    const asked = past({ scopes: ['orders:read'] })
    const [outcome] = atOnce(
      replayDecision(asked, withUser(before, {}), withUser(before, {}, false)),
    )
    expect(outcome).toMatchObject({ before: true, after: false, code: 'user_unusable' })
  })
})

describe('what cannot be told', () => {
  const engineers = role('eng', [
    grant('orders:refund', { condition: compileCondition('user.team == "a"') }),
  ])
  const conditional: Small = { application: all, user: [assigned(engineers)] }

  test('a client or a user that is gone', () => {
    const gone = { ...world(before), asker: null }
    expect(atOnce(replayDecision(past(), gone, gone))).toEqual([
      { scope: 'orders:refund', untold: 'subject_gone' },
    ])
    const asked = past({ userId: 'usr_2' })
    expect(atOnce(replayDecision(asked, world(before), world(refunding)))).toMatchObject([
      { untold: 'subject_gone' },
    ])
  })

  test('a condition on attributes that have changed since, and only that', () => {
    const asked = past({ hadAttributes: had({ team: 'b' }) })
    const told = (after: ReplayState, one = asked) =>
      atOnce(replayDecision(one, withUser(before, { team: 'a' }), after))
    expect(told(withUser(conditional, { team: 'a' }))).toMatchObject([
      { untold: 'attributes_changed' },
    ])
    expect(told(withUser(refunding, { team: 'a' }))).toMatchObject([{ after: true }])
    const same = past({ hadAttributes: had({ team: 'a' }) })
    expect(told(withUser(conditional, { team: 'a' }), same)).toMatchObject([{ after: true }])
  })

  test('what the draft does not touch is told, whatever has changed', () => {
    const asked = past({ hadAttributes: had({ team: 'b' }) })
    const now = withUser(conditional, { team: 'a' })
    expect(atOnce(replayDecision(asked, now, now))).toMatchObject([{ before: true, after: true }])
  })

  test('with strict scopes nothing is told if one of them is not', () => {
    const scopes = ['orders:read', 'orders:refund']
    const asked = past({ scopes, hadAttributes: had({ team: 'b' }) })
    const strict = { ...ASKER, strictScopes: true }
    const outcomes = atOnce(
      replayDecision(
        asked,
        { ...withUser(before, { team: 'a' }), asker: strict },
        {
          ...withUser(
            { application: all, user: [assigned(clerk), assigned(engineers)] },
            { team: 'a' },
          ),
          asker: strict,
        },
      ),
    )
    expect(outcomes).toEqual(scopes.map((scope) => ({ scope, untold: 'attributes_changed' })))
  })

  test('a condition on attributes that could not be read then', () => {
    const after = { ...withUser(conditional, {}), readsMore: true }
    expect(atOnce(replayDecision(past(), withUser(before, {}), after))).toMatchObject([
      { untold: 'attributes_changed' },
    ])
  })

  test('a condition on a user agent that was cut off', () => {
    const agents = grant('orders:refund', {
      condition: compileCondition('request.user_agent.endsWith("x")'),
    })
    const after = world({ application: all, user: [assigned(role('a', [agents]))] })
    const asked = past({ userAgentCut: true })
    expect(atOnce(replayDecision(asked, world(before), after))).toMatchObject([
      { untold: 'context_not_stored' },
    ])
  })
})

describe('the change that settles a refusal', () => {
  const settled = (
    small: Small,
    asker: Partial<ReplayedClient> = {},
    more: Partial<DecisionToReplay> = {},
  ) => {
    const { policy: known, asker: who } = world(small, asker)
    const question = questionOf(past(more), known, who ?? ASKER)
    const [decision] = atOnce(decideScopes(known, question))
    return decision && !decision.granted ? settlingsOf(known, decision, question) : null
  }

  test('a role that the user holds, the nearest first; then the roles above it', () => {
    const lead = role('lead', [], [clerk])
    expect(settled({ application: all, user: [assigned(lead)] })).toEqual([
      { do: 'add_to_role', id: lead.id },
      { do: 'add_to_role', id: clerk.id },
    ])
  })

  test('a role that is not in force settles nothing', () => {
    const ended = assigned(clerk, { validUntil: NOW.getTime() - HOUR_MS })
    expect(settled({ application: all, user: [ended] })).toEqual([])
  })

  test('the application, where only its grant is missing; nothing, where two are', () => {
    expect(settled({ user: [assigned(clerk)] }, {}, { scopes: ['orders:read'] })).toEqual([
      { do: 'grant_application', id: 'app' },
    ])
    expect(settled({ user: [assigned(clerk)] })).toEqual([])
  })

  test('no way around a condition', () => {
    const conditional = grant('orders:refund', {
      condition: compileCondition('user.team == "a"'),
    })
    const user = [assigned(clerk), assigned(role('eng', [conditional]))]
    expect(settled({ application: all, user })).toEqual([])
  })

  test('no single change where a deny or a withheld consent is in the way', () => {
    const denied = [...all, grant('orders:refund', { effect: 'deny' })]
    expect(settled({ application: denied, user: refunding.user ?? [] })).toEqual([])
    expect(settled(refunding, {}, { withheld: new Set(['orders:refund']) })).toEqual([])
  })
})

test('what is stored is small, says only what is there, and can be read again', () => {
  const asked: Question = { ...questionOf(past(), policy(before), ASKER), userId: null }
  expect(JSON.stringify(basisOf(asked))).toBe('{}')
  const long = { ...asked.context, request: { time: NOW, user_agent: 'x'.repeat(500) } }
  const text = JSON.stringify(basisOf({ ...asked, context: long }))
  expect([text.length < 230, basisIn(text)?.uc, basisIn('no')]).toEqual([true, 1, null])
  expect(namedBasis(basisIn('{"u":"curl","a":3}'))).toEqual({ userAgent: 'curl', authAge: 3 })
})

test('the grant type of a user’s token is kept as conditions saw it', () => {
  const asked = questionOf(past(), policy(before), ASKER)
  const request = { time: NOW, grant_type: 'authorization_code' }
  const seen = { ...asked, context: { ...asked.context, request } }
  expect(basisOf(seen)).toEqual({ g: 'authorization_code' })
  const refused = { withheldRequired: ['orders:read'] }
  expect(basisOf(seen, { refused })).toEqual({
    g: 'authorization_code',
    s: ['orders:refund'],
    n: 1,
    q: ['orders:read'],
  })
})
