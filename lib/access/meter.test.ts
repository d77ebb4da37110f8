import { Environment } from '@marcbachmann/cel-js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CONDITION_VARIABLES, compileCondition, MAX_STEPS } from './condition'
import { hasPrice, weigh } from './meter'
import type { Context } from './policy'

/** Nothing that fits into a condition and a context takes more than its steps. */

const LIST = Array.from({ length: 256 }, (_, at) => at)
const TEXT = 'a'.repeat(4_096)
const MAP = Object.fromEntries(LIST.map((at) => [`k${at}`, at]))

const said = {
  l: LIST,
  ll: LIST.slice(0, 40).map(() => LIST),
  s: TEXT,
  almost: `${'a'.repeat(2_000)}b`,
  digits: '1'.repeat(4_096),
  wide: '\u0390'.repeat(4_096),
  texts: LIST.map((at) => `${at}`),
  m: MAP,
  maps: LIST.map(() => MAP),
  deep: [[[[[[1]]]]]],
}

function contextOf(properties: object): Context {
  return {
    request: { time: new Date('2026-11-15T12:00:00Z'), ip: '10.1.2.3', context: { ...properties } },
    client: {},
    resource: {},
    user: {},
    auth: {},
    subject: {},
    action: {},
  }
}

const MUCH = 1_000_000_000

function stepsOf(source: string, properties: object = said) {
  const budget = { left: MUCH }
  const result = compileCondition(source).evaluate({ ...contextOf(properties), budget })
  return { result, steps: MUCH - budget.left }
}

const C = 'request.context'

describe('too much is stopped', () => {
  test.each([
    `${C}.l.all(x, ${C}.l.all(y, x + y > -1.0))`,
    `${C}.l.exists(x, ${C}.l.exists(y, x == -1.0))`,
    `${C}.l.exists_one(x, ${C}.l.exists_one(y, x == y))`,
    `${C}.l.map(x, ${C}.l.map(y, [x, y])).size() > 0`,
    `${C}.l.filter(x, ${C}.l.filter(y, y > x).size() > 0).size() > 0`,
    `${C}.m.all(x, ${C}.m.all(y, x != "" && y != ""))`,
    // What a loop throws away was work too, and so is the rest of it.
    `${C}.l.exists(x, x.nothing == 1)`,
    `${C}.l.exists(x, ${C}.l.exists(y, x.nothing == 1) || true) || true`,
    `${C}.l.all(x, int(${C}.s) > 3 || true)`,
    // Comparing and searching.
    `${C}.l.all(x, ${C}.l == ${C}.l.map(y, y))`,
    `${C}.l.all(x, ${C}.ll == ${C}.ll.map(y, y))`,
    `${C}.l.all(x, ${C}.m in ${C}.maps)`,
    `${C}.l.all(x, {} in ${C}.maps || true)`,
    `${C}.l.all(x, x in ${C}.l)`,
    `${C}.l.all(x, ${C}.wide in ${C}.texts || true)`,
    // Growing.
    `${C}.l.all(x, size(${C}.l + ${C}.l + ${C}.l) > 0)`,
    `${C}.l.all(x, size(${C}.s + ${C}.s + ${C}.s) > 0)`,
    `cel.bind(a, ${C}.l + ${C}.l, cel.bind(b, a + a, cel.bind(c, b + b, cel.bind(d, c + c, cel.bind(e, d + d, cel.bind(f, e + e, f.all(x, true)))))))`,
    `cel.bind(a, ${C}.s + ${C}.s, cel.bind(b, a + a, cel.bind(c, b + b, cel.bind(d, c + c, cel.bind(e, d + d, cel.bind(f, e + e, f + f != f + f + "x"))))))`,
    // The same thing many times over: little to hold, much to walk.
    `cel.bind(a, [1,1,1,1,1,1], cel.bind(b, [a,a,a,a,a,a], cel.bind(c, [b,b,b,b,b,b], cel.bind(d, [c,c,c,c,c,c], cel.bind(e, [d,d,d,d,d,d], cel.bind(f, [e,e,e,e,e,e], f == [e,e,e,e,e,[d,d,d,d,d,d]]))))))`,
    // Texts.
    `duration(${C}.digits) == duration("1s")`,
    `${C}.s.lastIndexOf(${C}.almost) < 0`,
    `${C}.l.all(x, ${C}.s.contains(${C}.almost) || true)`,
    `${C}.l.all(x, ${C}.s.split("").size() > 0)`,
    `${C}.l.all(x, ${C}.texts.join(${C}.s).size() > 0)`,
    `${C}.l.all(x, ${C}.wide.upperAscii() != "")`,
    `${C}.l.all(x, bytes(${C}.wide).hex() != "")`,
    `${C}.l.all(x, string(bytes(${C}.wide)) == ${C}.wide)`,
    `${C}.l.all(x, size(${C}.s) > 0)`,
    // A list that is used as a name is written out.
    `${C}.l.all(x, ${C}.ll in ${C}.m || true)`,
    `${C}.l.all(x, dyn(${C}.m)[${C}.ll] == 1 || true)`,
    `${C}.l.all(x, {${C}.ll: 1}.size() > 0)`,
    // What is dear by itself.
    `${C}.l.all(x, request.time.getHours("Asia/Shanghai") >= 0)`,
    `${C}.l.all(x, inNetwork(request.ip, "10.0.0.0/8"))`,
  ])('%s', (source) => {
    const { result } = stepsOf(source)
    expect(result).toBe('condition_too_costly')
  })

  test('whatever is beside it: what was stopped has no answer', () => {
    const dear = `${C}.l.all(x, ${C}.l.all(y, x + y > -1.0))`
    for (const source of [`${dear} || true`, `true || ${dear}`, `!(${dear} && false)`]) {
      const expected = source.startsWith('true') ? 'met' : 'condition_too_costly'
      expect(stepsOf(source).result).toBe(expected)
    }
  })

  test('and the next evaluation of the same condition starts anew', () => {
    const condition = compileCondition(`${C}.l.all(x, ${C}.l.all(y, x + y > -1.0))`)
    expect(condition.evaluate(contextOf(said))).toBe('condition_too_costly')
    expect(condition.evaluate(contextOf({ l: [1, 2, 3] }))).toBe('met')
  })
})

describe('what is ordinary costs little', () => {
  test.each<[number, string]>([
    [20, 'request.ip == "10.1.2.3" && request.context.s.startsWith("a")'],
    [300, `"200" in ${C}.texts`],
    [200, 'inNetwork(request.ip, "10.0.0.0/8")'],
    [2_100, 'request.time.getHours("Asia/Shanghai") >= 8 && request.time.getHours("UTC") < 18'],
    [3_000, `${C}.texts.exists(one, one == "zzz") || true`],
    [150, 'duration("24h") > duration("90m")'],
    [20_000, `${C}.l.exists(x, ["1", "2", "3", "4"].exists(y, string(x) == y)) || true`],
  ])('at most %d steps: %s', (most, source) => {
    const { result, steps } = stepsOf(source)
    expect(result).not.toBe('condition_too_costly')
    expect(steps).toBeLessThanOrEqual(most)
  })
})

describe('everything has its price', () => {
  test('or is not offered: what the library has and conditions have not', () => {
    const { functions } = new Environment().getDefinitions()
    const left = functions.map(({ name }) => name).filter((name) => !hasPrice(name))
    expect([...new Set(left)].sort()).toEqual(
      ['hasValue', 'json', 'matches', 'none', 'of', 'or', 'orValue', 'value'].sort(),
    )
  })

  test('a walk through a value is counted up to its limit, and never further', () => {
    const shared = Array.from({ length: 10 }, () => LIST)
    const much = Array.from({ length: 1_000 }, () => Array.from({ length: 1_000 }, () => shared))
    expect(weigh(LIST, 1_000)).toBe(257)
    expect(weigh(much, 1_000)).toBeLessThanOrEqual(1_200)
  })
})

// ---------------------------------------------------------------- expressions that nobody thought of

const RUNS = { numRuns: 1_500, seed: 20_261_116 }

const { expression } = fc.letrec<Record<'expression' | 'list' | 'text' | 'bool' | 'any', string>>(
  (tie) => ({
    list: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(`${C}.l`, `${C}.ll`, `${C}.texts`, `${C}.maps`, `${C}.deep`, '[1, 2, 3]'),
      fc.tuple(tie('list'), tie('list')).map(([a, b]) => `(${a} + ${b})`),
      fc.tuple(tie('list'), tie('any')).map(([a, b]) => `${a}.map(x, ${b})`),
      fc.tuple(tie('list'), tie('bool')).map(([a, b]) => `${a}.filter(y, ${b})`),
      fc.tuple(tie('text'), tie('text')).map(([a, b]) => `${a}.split(${b})`),
      fc.tuple(tie('any'), tie('any')).map(([a, b]) => `[${a}, ${b}]`),
    ),
    text: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(`${C}.s`, `${C}.almost`, `${C}.digits`, `${C}.wide`, '"a"', '""'),
      fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a} + ${b})`),
      tie('text').map((a) => `${a}.upperAscii()`),
      fc.tuple(tie('list'), tie('text')).map(([a, b]) => `${a}.join(${b})`),
      tie('text').map((a) => `string(bytes(${a}))`),
    ),
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('x', 'y', '1', 'null', `${C}.m`, `${C}.nothing`, 'request.time'),
      tie('list'),
      tie('text'),
      tie('bool'),
      tie('any').map((a) => `{"k": ${a}}`),
      fc.tuple(tie('any'), tie('any')).map(([a, b]) => `{${a}: ${b}}`),
      fc.tuple(tie('any'), tie('any')).map(([a, b]) => `${a}[${b}]`),
      tie('any').map((a) => `dyn(${a})`),
      tie('any').map((a) => `type(${a})`),
      fc.tuple(tie('any'), tie('any')).map(([a, b]) => `cel.bind(x, ${a}, ${b})`),
    ),
    bool: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('true', 'false'),
      fc
        .tuple(tie('any'), fc.constantFrom('==', '!=', '<', '>=', 'in'), tie('any'))
        .map(([a, op, b]) => `(${a} ${op} ${b})`),
      fc
        .tuple(tie('list'), fc.constantFrom('all', 'exists', 'exists_one'), tie('bool'))
        .map(([a, name, b]) => `${a}.${name}(x, ${b})`),
      fc
        .tuple(tie('text'), fc.constantFrom('contains', 'startsWith', 'endsWith'), tie('text'))
        .map(([a, name, b]) => `${a}.${name}(${b})`),
      fc.tuple(tie('any'), tie('text')).map(([a, b]) => `(size(${a}) > ${b}.lastIndexOf("a"))`),
      tie('text').map((a) => `(duration(${a}) > duration("1s"))`),
      fc
        .tuple(tie('bool'), fc.constantFrom('&&', '||'), tie('bool'))
        .map(([a, op, b]) => `(${a} ${op} ${b})`),
      fc.tuple(tie('bool'), tie('bool'), tie('bool')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    ),
    expression: fc
      .tuple(fc.constantFrom('all', 'exists'), tie('bool'))
      .map(([name, a]) => `${C}.l.${name}(x, [x].${name}(y, ${a}))`),
  }),
)

/** Lists and maps that count, by themselves, how often anybody reads of them. */
function watched<T extends object>(value: T, reads: { count: number }): T {
  const seen = new Map<object, object>()
  const watch = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return one
    const known = seen.get(one) ?? new Proxy(one, handler)
    seen.set(one, known)
    return known
  }
  const handler: ProxyHandler<object> = {
    get(target, name) {
      if (typeof name === 'string' && /^(\d+|k\d+)$/.test(name)) reads.count += 1
      const member = Reflect.get(target, name)
      return typeof member === 'function' ? member : watch(member)
    },
    ownKeys(target) {
      const keys = Reflect.ownKeys(target)
      reads.count += Array.isArray(target) ? 0 : keys.length / 16
      return keys
    },
  }
  return watch(value) as T
}

function compiledOrNull(source: string) {
  try {
    return compileCondition(source)
  } catch {
    return null
  }
}

test('nobody reads more of the context than the steps allow, whatever the expression', () => {
  let stopped = 0
  let answered = 0
  fc.assert(
    fc.property(expression, (source) => {
      const condition = compiledOrNull(source)
      if (!condition) return
      const reads = { count: 0 }
      const context = contextOf(watched(said, reads))
      const result = condition.evaluate(context)
      // Each step may read a member when it is weighed, when its type is named and when it is used.
      expect(reads.count).toBeLessThanOrEqual(4 * MAX_STEPS)
      if (result === 'condition_too_costly') stopped += 1
      else answered += 1
    }),
    RUNS,
  )
  expect(stopped).toBeGreaterThan(50)
  expect(answered).toBeGreaterThan(50)
})

test('counting changes no answer', () => {
  const plain = CONDITION_VARIABLES.reduce(
    (known, name) => known.registerVariable(name, 'map'),
    new Environment(),
  )
  const small = { ...said, l: [1, 2], ll: [[1], [2]], texts: ['a', 'b'], maps: [{ k1: 1 }] }
  const short = { ...small, s: 'aaa', almost: 'ab', digits: '1', wide: '\u0390', m: { k1: 1 } }
  const context = contextOf(short)
  fc.assert(
    fc.property(expression, (source) => {
      const result = compiledOrNull(source)?.evaluate(context)
      if (result === undefined || result === 'condition_too_costly') return
      const answer = answerOf(() => plain.evaluate(source, context))
      expect({ source, met: result === 'met' }).toEqual({ source, met: answer === true })
      const failed = result === 'context_missing' || result === 'unanswerable'
      expect({ source, failed }).toEqual({ source, failed: answer instanceof Error })
    }),
    RUNS,
  )
})

function answerOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
