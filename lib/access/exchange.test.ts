import { describe, expect, test } from 'vitest'
import {
  all,
  answer,
  ask,
  assigned,
  grant,
  item,
  orders,
  policy,
  role,
  type World,
} from '../../e2e/support/policy'
import { seeded } from '../../e2e/torture/seeded'
import { compileCondition } from './condition'
import { decideScopes, type Question } from './decide-scopes'
import { explainScope } from './explain'
import { type Exchange, grantSet } from './policy'
import { atOnce } from './turns'

/** Which grants a token exchange (RFC 8693) can use; docs/attacks.md, X1. */

const FROM: Exchange = {
  from: 'shop',
  first: 'shop',
  depth: 1,
  scope: ['orders:read'],
  audience: ['https://orders.test'],
  registration: 'admin',
}

const question = (more: Partial<Question> = {}, exchange = FROM): Partial<Question> => ({
  exchangeFrom: exchange.from,
  userId: 'usr',
  withheld: new Set(),
  context: {
    request: { time: new Date(), grant_type: 'exchange', exchange },
    client: { id: 'app' },
    resource: {},
    user: {},
    auth: {},
    subject: {},
    action: {},
  },
  ...more,
})

const when = (condition: string) =>
  grant('orders:*', { exchangeFrom: 'shop', condition: compileCondition(condition) })

describe('a token exchange', () => {
  test.each<[what: string, world: World, answer: string, asked?: Partial<Question>]>([
    [
      'by a grant for it',
      { application: [grant('orders:read', { exchangeFrom: 'shop' })] },
      'granted',
    ],
    ['by a pattern', { application: [grant('orders:*', { exchangeFrom: 'shop' })] }, 'granted'],
    [
      'from any application',
      { application: [grant('orders:*', { exchangeFrom: '*' })] },
      'granted',
    ],
    ['X1: ordinary grants do not count', all, 'client_not_granted'],
    [
      'X1: nor a role of the service',
      { service: [assigned(role('clerk', [grant('orders:read')]))] },
      'client_not_granted',
    ],
    [
      'X1: nor a grant for tokens of another application',
      { application: [grant('orders:read', { exchangeFrom: 'other' })] },
      'client_not_granted',
    ],
    [
      'X1: nor one for another permission',
      { application: [grant('orders:write', { exchangeFrom: 'shop' })] },
      'client_not_granted',
    ],
    [
      'an ordinary deny counts',
      {
        application: [
          grant('orders:*', { exchangeFrom: 'shop' }),
          grant('orders:read', { effect: 'deny' }),
        ],
      },
      'client_not_granted',
    ],
    [
      'a deny of a role counts',
      {
        application: [grant('orders:*', { exchangeFrom: 'shop' })],
        service: [assigned(role('none', [grant('orders:read', { effect: 'deny' })]))],
      },
      'client_not_granted',
    ],
    [
      'expired',
      { application: [grant('orders:*', { exchangeFrom: 'shop', validUntil: 1 })] },
      'grant_expired',
    ],
    [
      'condition on the chain met',
      { application: [when('request.exchange.depth < 2')] },
      'granted',
    ],
    [
      'condition on the scopes of the subject token',
      { application: [when('"orders:write" in request.exchange.scope')] },
      'condition_failed',
    ],
    [
      'condition on who made the first application',
      { application: [when('request.exchange.registration != "admin"')] },
      'condition_failed',
    ],
    [
      'X2: the user lacks the role',
      { application: [grant('orders:*', { exchangeFrom: 'shop' })] },
      'user_not_permitted',
      { scopes: ['orders:refund'] },
    ],
    [
      'X2: the user refused it',
      { application: [grant('orders:*', { exchangeFrom: 'shop' })] },
      'consent_withheld',
      { withheld: new Set(['orders:read']) },
    ],
    [
      'an access key narrows it',
      { application: [grant('orders:*', { exchangeFrom: 'shop' })] },
      'key_restricted',
      { accessKey: { id: 'ak', scopes: ['orders:write'] } },
    ],
    [
      'X11: the token was for the API, and carried less of it',
      { application: [grant('orders:*', { exchangeFrom: '*' })] },
      'client_not_granted',
      { scopes: ['orders:write'], carried: [['orders:read', 'openid']] },
    ],
    [
      'X11: the same for a token that it comes from',
      { application: [grant('orders:*', { exchangeFrom: '*' })] },
      'client_not_granted',
      { scopes: ['orders:write'], carried: [['stock:read'], ['orders:read']] },
    ],
    [
      'the token carried it',
      { application: [grant('orders:*', { exchangeFrom: '*' })] },
      'granted',
      { carried: [['stock:read'], ['orders:read']] },
    ],
    [
      'the token was for other APIs: the grant decides',
      { application: [grant('orders:*', { exchangeFrom: '*' })] },
      'granted',
      { scopes: ['orders:write'], carried: [['closed:read', 'openid', 'gone:read']] },
    ],
    ...['openid', 'email', 'offline_access', 'users:read'].map(
      (scope): [string, World, string, Partial<Question>] => [
        `X1: never ${scope}`,
        { application: [grant(scope, { exchangeFrom: '*' })] },
        'client_not_granted',
        { scopes: [scope] },
      ],
    ),
  ])('%s', (_what, world, expected, more = {}) => {
    expect(answer({ key: [], ...world }, question(more))).toBe(expected)
  })

  test('X1: a grant for an exchange gives nothing to any other request', () => {
    const world = { application: [grant('orders:*', { exchangeFrom: '*' })] }
    expect(answer(world)).toBe('client_not_granted')
    expect(answer(world, { userId: 'usr' })).toBe('client_not_granted')
    expect(grantSet(world.application).patterns).toEqual([])
  })

  test('a condition on the exchange is never met without one', () => {
    const needs = compileCondition('request.exchange.from == "shop"')
    expect(answer({ application: [grant('orders:*', { condition: needs })] })).toBe(
      'context_missing',
    )
  })

  test('the explanation names the grant that decided, and what would change a refusal', () => {
    const given = grant('orders:read', { exchangeFrom: 'shop' })
    const world = policy({ application: [given] })
    const asked = { ...base, ...question() } as Question
    const [yes, no] = atOnce(
      decideScopes(world, { ...asked, scopes: ['orders:read', 'orders:write'] }),
    )
    if (!yes || !no) throw new Error('two scopes, two decisions')
    expect(explainScope(world, yes, asked).path).toMatchObject([{ grant: given.id }])
    expect(explainScope(world, no, asked).wouldChange).toEqual([
      { rule: 'application', oneOf: [[{ do: 'grant_application', item: 'orders:write' }]] },
    ])
  })
})

const base = { applicationId: 'app', accessKey: null, mayRefresh: false, audiences: [] }

describe('X11: a chain of exchanges', () => {
  const APIS = ['a', 'b', 'c'].map((prefix) => ({
    ...orders,
    id: `api_${prefix}`,
    prefix,
    audience: `https://${prefix}.test`,
  }))
  const ITEMS = APIS.flatMap((api) =>
    ['read', 'write', 'delete'].map((action) => item(`${api.prefix}:${action}`, { api })),
  )
  const ALL = ITEMS.map(({ scope }) => scope)
  const PATTERNS = [...ALL, ...APIS.map(({ prefix }) => `${prefix}:*`)]
  const SERVICES = ['shop', 'one', 'two', 'three', 'four']
  const SEED = 20_261_119

  const apiOf = (scope: string) => scope.split(':')[0]
  /** Of the APIs that a token was for, what another one has beyond it. */
  const beyond = (token: readonly string[], later: readonly string[]) => {
    const apis = new Set(token.map(apiOf))
    return later.filter((scope) => apis.has(apiOf(scope)) && !token.includes(scope))
  }

  /** Scopes of each token, the first one first. */
  function chainOf(random: () => number): string[][] {
    const some = <T>(from: readonly T[], chance: number) => from.filter(() => random() < chance)
    const tokens = [some(ALL, 0.3)]
    for (const [at, from] of SERVICES.slice(0, -1).entries()) {
      const exchangeFrom = random() < 0.5 ? '*' : from
      const given = some(PATTERNS, 0.4).map((pattern) => grant(pattern, { exchangeFrom }))
      const own = some(ALL, 0.5).map((scope) => grant(scope))
      const carried = [...tokens].reverse()
      const exchange = { ...FROM, from, depth: at + 1, scope: carried[0] ?? [] }
      const asked = question({ scopes: some(ALL, 0.7), carried }, exchange)
      const decisions = ask({ items: ITEMS, application: [...given, ...own] }, asked)
      const granted = decisions.filter((one) => one.granted).map(({ scope }) => scope)
      if (granted.length === 0) break
      tokens.push(granted)
    }
    return tokens
  }

  test(`never ends with more than any token of it had (seed ${SEED})`, () => {
    const random = seeded(SEED)
    let hops = 0
    for (let run = 0; run < 3_000; run += 1) {
      const tokens = chainOf(random)
      for (const [at, token] of tokens.entries()) {
        for (const later of tokens.slice(at + 1)) expect(beyond(token, later)).toEqual([])
      }
      hops += tokens.length - 1
    }
    // It would prove nothing of chains that get nothing.
    expect(hops).toBeGreaterThan(5_000)
  })
})
