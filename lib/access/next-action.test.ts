import { describe, expect, test } from 'vitest'
import { decidePermission } from './check'
import { compileCondition } from './condition'
import { decideScopes, type Question } from './decide-scopes'
import { nextForCheck, nextForScope } from './next-action'
import {
  type Api,
  type Context,
  type Grant,
  grantSet,
  type Item,
  type Policy,
  type RequestRule,
} from './policy'
import {
  conditionForInstance,
  conditionForUser,
  decidedByRule,
  isNotRefused,
  ruleFor,
} from './request-rules'
import { atOnce } from './turns'

const NOW = new Date('2026-11-17T12:00:00Z')
const USER = 'usr_ann'
const stage = { approvers: [], needed: 1, deadlineSeconds: 60, escalateTo: [] }

function rule(more: Partial<RequestRule> = {}): RequestRule {
  return {
    id: 'rqr_1',
    name: 'Refunds',
    patterns: ['orders:refund'],
    askers: null,
    reasonRequired: true,
    maxSeconds: 3600,
    stages: [stage],
    autoApprove: null,
    autoRefuse: null,
    emergency: null,
    ...more,
  }
}

type World = {
  rules?: RequestRule[]
  application?: Partial<Grant>[]
  user?: Partial<Grant>[]
  enabled?: boolean
  attributes?: Record<string, unknown>
}

function policyOf({ rules, application = [], user = [], ...more }: World): Policy {
  const api: Api = {
    id: 'api_1',
    spaceId: 'spc',
    audience: 'https://orders.test',
    subpaths: false,
    prefix: 'orders',
    enabled: true,
    tokenSeconds: 60,
    tokenAlg: null,
    tokenType: 'at+jwt' as const,
    owners: [],
    openToAppManagers: false,
    introspectors: [],
    published: null,
    ...(rules && { requestRules: rules }),
  }
  const item = (scope: string): Item => ({
    scope,
    api,
    userBound: false,
    needsRole: true,
    sensitive: false,
  })
  const open = { effect: 'allow', condition: null, validFrom: null, validUntil: null } as const
  const grants = (some: Partial<Grant>[]) =>
    grantSet(
      some.map((one, at) => ({ id: `grn_${at}`, pattern: 'orders:refund', ...open, ...one })),
    )
  return {
    items: new Map(['orders:refund', 'orders:read'].map((scope) => [scope, item(scope)])),
    apisByAudience: new Map([[api.audience, api]]),
    roles: new Map(),
    users: new Map([
      [USER, { grants: grants(user), assignments: [], enabled: true, attributes: {}, ...more }],
    ]),
    applications: new Map([['app', { grants: grants(application), assignments: [] }]]),
    accessKeyGrants: new Map([['ak', grantSet([])]]),
  }
}

function contextOf(attributes: Record<string, unknown> = {}): Context {
  return {
    request: { time: NOW },
    client: {},
    resource: {},
    auth: { acr: 'pwd' },
    user: { id: USER, ...attributes },
    subject: {},
    action: {},
  }
}

function question(more: Partial<Question> = {}): Question {
  return {
    scopes: ['orders:refund'],
    applicationId: 'app',
    accessKey: null,
    mayRefresh: true,
    userId: USER,
    withheld: null,
    audiences: [],
    context: contextOf(),
    ...more,
  }
}

function nextIn(world: World, more: Partial<Question> = {}) {
  const policy = policyOf(world)
  const asked = question(more)
  const [decision] = atOnce(decideScopes(policy, asked))
  if (!decision || decision.granted) throw new Error('it was granted')
  const next = nextForScope(policy, asked, decision)
  return next.action === 'request' ? [next.action, ...next.lacks] : [next.action]
}

const past = { validUntil: NOW.getTime() - 1 }
const rules = [rule()]
const met = [{}]

describe('what helps after a refused scope', () => {
  test.each<[string, World, Partial<Question>, string[]]>([
    ['the user lacks it', { rules, application: met }, {}, ['request', 'user']],
    ['both lack it', { rules }, {}, ['request', 'application', 'user']],
    ['the application lacks it', { rules, user: met }, {}, ['request', 'application']],
    ['it has expired', { rules, application: met, user: [past] }, {}, ['request', 'user']],
    ['no rule', { application: met }, {}, ['none']],
    ['a rule for something else', { rules: [rule({ patterns: ['orders:read'] })] }, {}, ['none']],
    [
      'a rule by pattern',
      { rules: [rule({ patterns: ['orders:*'] })], application: met },
      {},
      ['request', 'user'],
    ],
    ['no user', { rules }, { userId: null }, ['none']],
    ['a token exchange', { rules, user: met }, { exchangeFrom: 'other' }, ['none']],
    ['a deny', { rules, application: met, user: [{ effect: 'deny' }] }, {}, ['none']],
    [
      'a narrow key',
      { rules, user: met, application: met },
      { accessKey: { id: 'ak', scopes: [] } },
      ['none'],
    ],
    ['a limit of the application', { rules, user: met }, { scopeLimit: [] }, ['none']],
    ['a disabled user', { rules, application: met, enabled: false }, {}, ['none']],
    [
      'consent',
      { rules, application: met, user: met },
      { withheld: new Set(['orders:refund']) },
      ['consent'],
    ],
    ['another audience', { rules }, { audiences: ['https://else.test'] }, ['none']],
    ['an unknown scope', { rules }, { scopes: ['nope'] }, ['none']],
  ])('%s', (_what, world, more, expected) => {
    expect(nextIn(world, more)).toEqual(expected)
  })

  test('a condition of the policy is not gone around, a grant for another user does not count', () => {
    const condition = compileCondition('request.ip == "10.0.0.1"')
    expect(nextIn({ rules, application: [{ condition }], user: met })).toEqual(['none'])
    const other = compileCondition(conditionForUser('usr_bob'))
    expect(nextIn({ rules, application: [{ condition: other }], user: met })).toEqual([
      'request',
      'application',
    ])
    const mfa = compileCondition('atLeast(auth.acr, "mfa")')
    expect(nextIn({ rules, application: [{ condition: mfa }], user: met })).toEqual(['step_up'])
  })

  test('only for those who may ask', () => {
    const sales = rule({ askers: compileCondition('user.department == "sales"') })
    const asks = (attributes: Record<string, unknown>, askers = sales) =>
      nextIn({ rules: [askers], application: met, attributes }, { context: contextOf(attributes) })
    expect(asks({ department: 'sales' })).toEqual(['request', 'user'])
    expect(asks({ department: 'it' })).toEqual(['none'])
    expect(asks({})).toEqual(['none'])
    // The context of the refusal is not that of the access request.
    const here = rule({ askers: compileCondition('auth.acr == "pwd"') })
    expect(asks({}, here)).toEqual(['none'])
  })
})

test('what helps after a check', () => {
  const next = (world: World, kind: 'user' | 'client' = 'user') => {
    const policy = policyOf(world)
    const subject = { kind, id: kind === 'user' ? USER : 'app' }
    const check = { subject, permission: 'orders:refund', instance: null, context: contextOf() }
    const decision = decidePermission(policy, check)
    return decision.allowed ? 'allowed' : nextForCheck(policy, check, decision).action
  }
  expect(next({ rules })).toBe('request')
  expect(next({ rules, user: [past] })).toBe('request')
  expect(next({ rules, user: met })).toBe('allowed')
  expect(next({ rules, user: [{ effect: 'deny' }] })).toBe('none')
  expect(next({ rules, enabled: false })).toBe('none')
  expect(next({ rules }, 'client')).toBe('none')
  expect(next({})).toBe('none')
})

test('Q42: after one approved instance, another can be asked for', () => {
  const condition = compileCondition(conditionForInstance('a'))
  const policy = policyOf({ rules, application: met, user: [{ condition }] })
  const subject = { kind: 'user', id: USER } as const
  const next = (instance: string) => {
    const context = { ...contextOf(), resource: { id: instance } }
    const check = { subject, permission: 'orders:refund', instance, context }
    const decision = decidePermission(policy, check)
    return decision.allowed ? 'allowed' : nextForCheck(policy, check, decision).action
  }
  expect(['a', 'b'].map(next)).toEqual(['allowed', 'request'])
  const whole = nextIn({ rules, application: met, user: [{ condition }, past] })
  expect(whole).toEqual(['request', 'user'])
})

test('a grant whose time is over costs no evaluation', () => {
  const evaluate = () => {
    throw new Error('evaluated')
  }
  const over = { condition: { source: 'user.id == "usr_ann"', evaluate }, ...past }
  expect(nextIn({ rules, application: met, user: [over] })).toEqual(['request', 'user'])
})

test('of several rules the closest counts, with the smallest maximum', () => {
  const wide = rule({ id: 'rqr_0', patterns: ['orders:*'], maxSeconds: 60 })
  const item = policyOf({ rules: [wide, rule()] }).items.get('orders:refund')
  const found = item && ruleFor(item, contextOf())
  expect([found?.id, found?.maxSeconds]).toEqual(['rqr_1', 60])
})

test('a rule may decide by itself: refusing wins, and what cannot be answered is for people', () => {
  const yes = compileCondition('user.id == "usr_ann"')
  const no = compileCondition('user.id == "usr_bob"')
  const unknown = compileCondition('user.risk == "low"')
  const by = (autoApprove: RequestRule['autoApprove'], autoRefuse: RequestRule['autoRefuse']) =>
    decidedByRule({ autoApprove, autoRefuse }, contextOf())
  expect(by(yes, null)).toBe('approve')
  expect(by(yes, yes)).toBe('refuse')
  expect(by(yes, no)).toBe('approve')
  expect(by(yes, unknown)).toBe(null)
  expect(by(unknown, null)).toBe(null)
  expect(by(null, null)).toBe(null)
})

test('Q70: alone, nobody opens what a condition refuses, or cannot answer', () => {
  const opens = (source: string | null) =>
    isNotRefused({ autoRefuse: source === null ? null : compileCondition(source) }, contextOf())
  expect(opens(null)).toBe(true)
  expect(opens('user.id == "usr_bob"')).toBe(true)
  expect(opens('user.id == "usr_ann"')).toBe(false)
  expect(opens('user.on_call == false')).toBe(false)
  expect(opens('auth.acr == "pwd"')).toBe(false)
  expect(opens('client.id == "app"')).toBe(false)
})
