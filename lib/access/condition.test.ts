import { describe, expect, test } from 'vitest'
import { ConditionError, compileCondition, MAX_STEPS, MAX_STEPS_OF_DECISION } from './condition'
import { CONDITION_EXAMPLES } from './condition-examples'
import { decideScopes, type Question } from './decide-scopes'
import { type Context, type Grant, grantSet, type Holder, type Policy } from './policy'
import { compileStored } from './stored-condition'
import { atOnce } from './turns'
import { outcomeOfTerms } from './ways'

const context: Context = {
  request: { time: new Date('2026-11-15T12:00:00Z'), ip: '10.1.2.3' },
  client: { id: 'app', application_id: 'app' },
  resource: { scope: 'orders:read' },
  user: { department: 'sales', level: 3 },
  auth: {},
  subject: {},
  action: {},
}

const hundred = Array.from({ length: 100 }, (_, at) => at).join(',')

describe('a condition', () => {
  test.each([
    ['met', 'inNetwork(request.ip, "10.0.0.0/8")'],
    ['condition_failed', 'inNetwork(request.ip, "192.168.0.0/16")'],
    ['unanswerable', 'inNetwork(request.ip, "nonsense")'],
    ['unanswerable', 'inNetwork(request.ip, "10.0.0.0")'],
    ['unanswerable', 'inNetwork(request.ip, "10.0.0.0/33")'],
    ['unanswerable', '1 / 0 == 1'],
    ['unanswerable', 'int(request.ip) > 3'],
    ['condition_failed', 'inNetwork(request.ip, "2001:db8::/32")'],
    ['met', 'user.department == "sales" && resource.scope == "orders:read"'],
    ['condition_failed', 'user.department == "legal"'],
    ['met', 'request.time.getDayOfWeek("Europe/Zurich") == 0'],
    ['met', 'request.time.getHours("Asia/Shanghai") == 20'],
    ['met', 'request.time.getHours() == 12 && request.time.getMinutes("UTC") == 0'],
    ['met', 'request.time.getDate("UTC") == 15 && request.time.getMonth("UTC") == 10'],
    ['met', 'user.department.startsWith("s") && user.department.contains("ale")'],
    ['met', 'user.department.size() == 5 && [1, 2].exists(x, x == 2) && [1].all(x, x > 0)'],
    ['met', 'user.level > 2 && user.level < 4'],
    ['context_missing', 'atLeast(auth.acr, "mfa")'],
    ['context_missing', 'resource.properties.status == "archived"'],
    ['met', '!has(resource.properties) || resource.properties.status != "archived"'],
    ['context_missing', 'auth.acr == "mfa"'],
    ['context_missing', 'user.nothing == "x"'],
    // CEL lets a false term absorb the error of its neighbour, on either side.
    ['condition_failed', 'user.department == "legal" && auth.acr == "mfa"'],
    ['condition_failed', 'auth.acr == "mfa" && user.department == "legal"'],
    ['met', 'user.department == "sales" || auth.acr == "mfa"'],
    ['met', 'auth.acr == "mfa" || user.department == "sales"'],
  ])('%s: %s', (result, source) => {
    expect(compileCondition(source).evaluate(context)).toBe(result)
  })

  test.each(['user.', 'nobody.name == "x"', '1 + 1', 'inNetwork(1, 2)', 'x'.repeat(3000)])(
    'that is not one is refused: %s',
    (source) => {
      expect(() => compileCondition(source)).toThrow(ConditionError)
    },
  )

  test.each<[keyof typeof CONDITION_EXAMPLES, Partial<Context>]>([
    ['network', {}],
    ['hours', { request: { time: new Date('2026-11-16T08:00:00Z') } }],
    ['login', { auth: { acr: 'mfa', amr: ['pwd', 'otp', 'mfa'], age: 60 } }],
    ['attribute', {}],
    ['attribute', { user: { department: 'legal', teams: ['auditors'] } }],
    ['resource', { resource: { properties: { status: 'active' } } }],
    ['authzen', { action: { name: 'delete' }, subject: { properties: { role: 'admin' } } }],
  ])('to start from is met in its context: %s', (name, fitting) => {
    const condition = compileCondition(CONDITION_EXAMPLES[name])
    expect(condition.evaluate({ ...context, ...fitting })).toBe('met')
  })

  test('that is stored and no longer compiles is never skipped', () => {
    expect(compileStored('user.').evaluate(context)).toBe('unanswerable')
  })

  test.each<[string, string, { start: number; end: number } | null]>([
    ['1 +', 'Unexpected token: EOF', { start: 3, end: 3 }],
    ['user.a && foo', 'Unknown variable: foo', { start: 10, end: 13 }],
    ['user.a == "x" && "a" + 1 == "b"', 'no such overload: string + int', { start: 17, end: 24 }],
    ['user.name.matches("(a+)+$")', 'matches() is not available', { start: 0, end: 27 }],
    ['1 + 1', 'this one returns int', null],
    ['bytes("{}").json() == {}', 'json() is not available', { start: 0, end: 18 }],
    [
      `user.a == 1 || [${hundred}].all(x, [${hundred}].all(y, x + y > 1))`,
      'this part takes more than 20000 steps',
      { start: 15, end: 624 },
    ],
    [
      'user.a.exists(x, user.b.exists(y, user.c.exists(z, x == z)))',
      'macros such as all() and exists() are nested too deeply',
      { start: 34, end: 58 },
    ],
  ])('says where the mistake is: %s', (source, message, position) => {
    const mistake = mistakeOf(source)
    expect(mistake.message).toContain(message)
    expect(mistake.position).toEqual(position)
  })
})

describe('all conditions of one decision', () => {
  const dear = 'user.l.all(x, user.l.all(y, x + y > -1.0))'
  const large = { ...context, user: { l: Array.from({ length: 256 }, (_, at) => at) } }

  test('share its budget: what comes when it is used up is not evaluated', () => {
    const budget = { left: 2 * MAX_STEPS }
    const condition = compileCondition(dear)
    expect(condition.evaluate({ ...large, budget })).toBe('condition_too_costly')
    expect(condition.evaluate({ ...large, budget })).toBe('condition_too_costly')
    expect(budget.left).toBeLessThanOrEqual(0)
    expect(compileCondition('true').evaluate({ ...large, budget })).toBe('condition_too_costly')
    expect(compileCondition('true').evaluate(large)).toBe('met')
  })

  test('take no more than that, however many they are', () => {
    const { steps, decision } = decided(Array.from({ length: 200 }, () => 'allow' as const))
    expect(decision).toMatchObject({ granted: false, code: 'condition_too_costly' })
    expect(steps).toBeGreaterThan(MAX_STEPS_OF_DECISION - MAX_STEPS)
    expect(steps).toBeLessThan(MAX_STEPS_OF_DECISION + MAX_STEPS)
  })

  test('deny where one of them, a deny, is too costly', () => {
    expect(decided(['deny']).decision).toMatchObject({ granted: false, code: 'client_not_granted' })
    const plain: Grant = { ...grantOf('allow'), condition: null }
    expect(decided(['deny'], [plain]).decision).toMatchObject({ granted: false })
    expect(decided([], [plain]).decision).toMatchObject({ granted: true })
  })

  test('a stronger login is not tried where the answer was too costly', () => {
    const strong = { ...large, auth: { acr: 'pwd', amr: ['pwd'], age: 1 } }
    let asked = 0
    const evaluate = () => {
      asked += 1
      return 'condition_too_costly' as const
    }
    const condition = { source: dear, evaluate }
    expect(outcomeOfTerms({ ...grantOf('allow'), condition }, strong)).toEqual({
      outcome: 'condition_too_costly',
    })
    expect(asked).toBe(1)
  })

  function grantOf(effect: 'allow' | 'deny'): Grant {
    const condition = compileCondition(dear)
    return { id: 'grn', pattern: 'a:b', effect, condition, validFrom: null, validUntil: null }
  }

  /** The steps are those that the conditions were asked for, one by one. */
  function decided(effects: ('allow' | 'deny')[], more: Grant[] = []) {
    let steps = 0
    const counted = effects.map((effect): Grant => {
      const grant = grantOf(effect)
      const evaluate = (given: Context) => {
        const before = given.budget?.left ?? 0
        const result = compileCondition(dear).evaluate(given)
        steps += before - (given.budget?.left ?? 0)
        return result
      }
      return { ...grant, condition: { source: dear, evaluate } }
    })
    const holder = { grants: grantSet([...counted, ...more]), assignments: [] }
    const [decision] = atOnce(decideScopes(policyWith(holder), { ...QUESTION, context: large }))
    return { steps, decision }
  }
})

const API = {
  id: 'api',
  spaceId: 'spc',
  audience: 'https://a.test',
  prefix: 'a',
  enabled: true,
  tokenSeconds: 60,
  tokenAlg: null,
  tokenType: 'at+jwt' as const,
  owners: [],
  openToAppManagers: false,
  introspectors: [],
  subpaths: false,
  published: null,
}
const ITEM = { scope: 'a:b', api: API, userBound: false, needsRole: false, sensitive: false }

function policyWith(holder: Holder): Policy {
  return {
    items: new Map([['a:b', ITEM]]),
    apisByAudience: new Map(),
    roles: new Map(),
    applications: new Map([['app', holder]]),
    accessKeyGrants: new Map(),
    users: new Map(),
  }
}

const QUESTION: Question = {
  scopes: ['a:b'],
  applicationId: 'app',
  accessKey: null,
  mayRefresh: false,
  userId: null,
  withheld: null,
  audiences: [],
  context,
}

function mistakeOf(source: string): ConditionError {
  try {
    compileCondition(source)
  } catch (error) {
    if (error instanceof ConditionError) return error
  }
  throw new Error('there was no mistake')
}
