/**
 * What does an evaluation cost? Every node of an expression is counted when it is evaluated. Every
 * operator and function pays for the size of its input before it reads it. Steps are counted and
 * not time, so that the same question gets the same answer on every machine; one step takes at most
 * about 60 ns. What has no price here is not available in conditions.
 */

export type Meter = { left: number }

/** Thrown repeatedly while an expression unwinds, so it has no stack of its own. */
const TOO_COSTLY = new Error('the condition is too costly')

function charge(meter: Meter, steps: number): void {
  meter.left -= steps
  if (meter.left < 0) throw TOO_COSTLY
}

// ---------------------------------------------------------------- sizes

/** The cost of walking through a whole value; what occurs twice is walked twice. */
export function weigh(value: unknown, limit: number): number {
  if (typeof value === 'string') return 1 + (value.length >> 6)
  if (typeof value !== 'object' || value === null) return 1
  if (value instanceof Uint8Array) return 1 + (value.length >> 4)
  let steps = 1
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && steps <= limit; at += 1) {
      steps += weigh(value[at], limit - steps)
    }
    return steps
  }
  for (const key in value) {
    if (steps > limit) break
    steps += 1 + weigh((value as Record<string, unknown>)[key], limit - steps)
  }
  return steps
}

/**
 * The library derives the type of a value from its first member, recursively. To find the first
 * member of a map it lists all names: sixteen of them are one step.
 */
function depthOf(value: unknown): number {
  let steps = 0
  for (let at = value; typeof at === 'object' && at !== null; ) {
    const names: readonly string[] = Array.isArray(at) ? FIRST : Object.keys(at)
    steps += 1 + (names.length >> 4)
    at = (at as Record<string, unknown>)[names[0] ?? '']
  }
  return steps
}

const FIRST = ['0']

function lengthOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  if (value instanceof Uint8Array) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

// ---------------------------------------------------------------- operators

type OperatorPrice = (left: unknown, right: unknown, limit: number) => number

/** Scalars are compared at once, long texts character by character, the rest member by member. */
const comparing: OperatorPrice = (left, right, limit) => {
  if (typeof left === 'string') return left.length >> 6
  if (typeof left !== 'object' || typeof right !== 'object') return 0
  const first = weigh(left, limit)
  return first > limit ? first : first + weigh(right, limit - first)
}

/** A key is converted to text: a list or a map that is used as a key is written out in full. */
function naming(key: unknown, limit: number): number {
  if (typeof key === 'string') return key.length >> 6
  return typeof key === 'object' ? 4 * weigh(key, limit) : 0
}

/**
 * A scalar is compared with each element once; an object is compared with each of them to its full
 * depth.
 */
const searching: OperatorPrice = (value, list, limit) => {
  if (!Array.isArray(list)) return depthOf(list) + naming(value, limit)
  if (typeof value !== 'object') return depthOf(list) + list.length * (1 + (lengthOf(value) >> 6))
  const each = weigh(value, limit)
  const all = list.length * each
  return all > limit ? all : all + weigh(list, limit - all)
}

const joining: OperatorPrice = (left, right) => {
  const both = lengthOf(left) + lengthOf(right)
  if (Array.isArray(left)) return depthOf(left) + depthOf(right) + (both >> 1)
  return both >> 5
}

const free: OperatorPrice = () => 0

const OPERATORS: Readonly<Record<string, OperatorPrice>> = {
  '==': comparing,
  '!=': comparing,
  '<': comparing,
  '<=': comparing,
  '>': comparing,
  '>=': comparing,
  in: searching,
  '[]': (_left, key, limit) => naming(key, limit),
  '+': joining,
  '-': free,
  '*': free,
  '/': free,
  '%': free,
}

// ---------------------------------------------------------------- functions

/** The receiver is the first argument. */
type FunctionPrice = (args: readonly unknown[], limit: number) => number

const flat =
  (steps: number): FunctionPrice =>
  () =>
    steps
/** `2 ** shift` characters are one step. */
const byLength =
  (shift: number): FunctionPrice =>
  ([text]) =>
    lengthOf(text) >> shift
/** The worst case: the searched text almost matches at every position. */
const seeking: FunctionPrice = ([text, sought]) =>
  (lengthOf(text) >> 4) + Math.floor((lengthOf(text) * lengthOf(sought)) / 256)
/** With a time zone, a formatter is created: about 60 microseconds. */
const ofTime: FunctionPrice = (args) => (args.length > 1 ? 700 + lengthOf(args[1]) : 1)

/** `duration()` uses a regular expression that takes cubic time for digits without a unit. */
const cubic: FunctionPrice = ([text]) => 30 + Math.ceil(lengthOf(text) ** 3 / 100)

const TIME_PARTS = [
  'getDate',
  'getDayOfMonth',
  'getDayOfWeek',
  'getDayOfYear',
  'getFullYear',
  'getHours',
  'getMilliseconds',
  'getMinutes',
  'getMonth',
  'getSeconds',
]

/** All functions that conditions may call, besides macros. Not available: matches, json. */
const FUNCTIONS: Readonly<Record<string, FunctionPrice>> = {
  dyn: flat(1),
  type: flat(1),
  bool: byLength(5),
  double: byLength(3),
  int: byLength(4),
  uint: byLength(4),
  string: byLength(1),
  bytes: byLength(1),
  hex: byLength(1),
  base64: byLength(1),
  at: flat(1),
  size: ([value]) => (Array.isArray(value) ? 1 : lengthOf(value) >> 2),
  startsWith: ([, sought]) => lengthOf(sought) >> 5,
  endsWith: ([, sought]) => lengthOf(sought) >> 5,
  contains: seeking,
  indexOf: seeking,
  lastIndexOf: seeking,
  lowerAscii: byLength(1),
  upperAscii: byLength(1),
  trim: byLength(3),
  substring: byLength(5),
  split: (args, limit) => lengthOf(args[0]) + seeking(args, limit),
  join: ([list, by], limit) => weigh(list, limit) + lengthOf(list) * (1 + (lengthOf(by) >> 5)),
  timestamp: flat(10),
  duration: cubic,
  ...Object.fromEntries(TIME_PARTS.map((name) => [name, ofTime])),
  inNetwork: ([ip, network]) => 120 + (lengthOf(ip) >> 3) + (lengthOf(network) >> 1),
  atLeast: flat(5),
}

/** Every function that conditions may call, besides macros. */
export const CONDITION_FUNCTIONS: readonly string[] = Object.keys(FUNCTIONS)

const MACROS: ReadonlySet<string> = new Set([
  'has',
  'all',
  'exists',
  'exists_one',
  'map',
  'filter',
  'bind',
])

export function hasPrice(name: string): boolean {
  return Object.hasOwn(FUNCTIONS, name) || MACROS.has(name)
}

/** For an estimate, before the arguments are known. */
export function leastPriceOf(name: string, argumentCount: number): number {
  if (!Object.hasOwn(FUNCTIONS, name)) return 0
  return FUNCTIONS[name]?.(Array(argumentCount).fill(''), Infinity) ?? 0
}

// ---------------------------------------------------------------- counting

/** The part of the library's tree that evaluates; `handle` exists once the types were checked. */
export type Node = {
  op: string
  args: unknown
  start: number
  end: number
  meta: { evaluate: Evaluate; alternate?: Node; macro?: Macro }
  evaluate: Evaluate
  handle?: (...values: readonly unknown[]) => unknown
}
type Evaluate = (evaluator: unknown, node: unknown, scope: unknown) => unknown
type Macro = { evaluate: Evaluate; val?: Node; exp?: Node; macroHasProps?: Node[] }
type Loop = {
  iterable: Node
  init: Node
  step: Node
  condition?: (value: unknown) => boolean
}

/** An error is created with its position and a stack: expensive if a loop swallows many. */
const ERROR_STEPS = 300

export class NotMetered extends Error {}

/** Makes a type-checked expression count its steps. */
export function countSteps(root: Node, meter: Meter): void {
  const seen = new Set<Node>()
  const visit = (node: Node): void => {
    if (seen.has(node)) return
    seen.add(node)
    for (const child of operandsOf(node)) visit(child)
    countNode(node, meter)
    for (const child of swallowedIn(node)) countErrors(child, meter)
    for (const child of keysIn(node)) countKey(child, meter)
  }
  visit(root)
}

function operandsOf({ op, args, meta }: Node): Node[] {
  if (meta.alternate) return [meta.alternate]
  if (meta.macro) return nodesIn([meta.macro.val, meta.macro.exp, meta.macro.macroHasProps?.at(-1)])
  if (op !== 'comprehension') return nodesIn(args)
  const { iterable, init, step } = args as Loop
  return [iterable, init, step]
}

export function nodesIn(args: unknown): Node[] {
  if (Array.isArray(args)) return args.flatMap(nodesIn)
  return typeof args === 'object' && args !== null && 'op' in args ? [args as Node] : []
}

function countNode(node: Node, meter: Meter): void {
  const { alternate, macro, evaluate } = node.meta
  if (alternate) {
    node.evaluate = (evaluator, _node, scope) => alternate.evaluate(evaluator, alternate, scope)
  } else if (macro) {
    const steps = macro.macroHasProps?.length ?? 1
    node.evaluate = (evaluator, _node, scope) => {
      charge(meter, steps)
      return macro.evaluate(evaluator, macro, scope)
    }
  } else {
    node.evaluate = (evaluator, self, scope) => {
      meter.left -= 1
      if (meter.left < 0) throw TOO_COSTLY
      return evaluate(evaluator, self, scope)
    }
    countHandling(node, meter)
  }
}

/** Nodes that cost the same whatever they contain. */
const FREE_NODES: ReadonlySet<string> = new Set(
  'value id . list map ?: || && !_ -_ accuValue accuInc accuPush'.split(' '),
)

function countHandling(node: Node, meter: Meter): void {
  const { op } = node
  if (op === 'comprehension') countLoop(node, meter)
  else if (op === 'call' || op === 'rcall') countCall(node, meter)
  else if (Object.hasOwn(OPERATORS, op)) countOperator(node, meter, OPERATORS[op] ?? free)
  else if (!FREE_NODES.has(op)) throw new NotMetered(op)
}

function countOperator(node: Node, meter: Meter, price: OperatorPrice): void {
  const work = handlerOf(node)
  if (price === free) return
  node.handle = (left, right, third, fourth) => {
    charge(meter, price(left, right, meter.left))
    return work(left, right, third, fourth)
  }
}

export function calledIn({ op, args }: Node): string | null {
  if (op !== 'call' && op !== 'rcall') return null
  return Array.isArray(args) ? String(args[0]) : null
}

function handlerOf({ op, handle }: Node): NonNullable<Node['handle']> {
  if (!handle) throw new NotMetered(op)
  return handle
}

function countCall(node: Node, meter: Meter): void {
  const name = calledIn(node) ?? ''
  const price = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
  if (!price) throw new NotMetered(name)
  const work = handlerOf(node)
  node.handle = (args, second, third) => {
    // The library passes the arguments, the receiver first, as one list.
    const given = args as readonly unknown[]
    charge(meter, price(given, meter.left))
    for (const one of given) if (typeof one === 'object') charge(meter, depthOf(one))
    return work(args, second, third)
  }
}

function countLoop(node: Node, meter: Meter): void {
  const loop = node.args as Loop
  const work = handlerOf(node)
  node.handle = (items, second, third, fourth) => {
    charge(meter, Array.isArray(items) ? 1 : lengthOf(items))
    return work(items, second, third, fourth)
  }
  const { condition } = loop
  // `all` and `exists` swallow errors of an iteration, but not errors of their condition.
  if (condition) {
    loop.condition = (value) => {
      if (meter.left < 0) throw TOO_COSTLY
      return condition(value)
    }
  }
}

/** Where CEL absorbs errors: left of && and ||, and in the iterations of all and exists. */
function swallowedIn({ op, args }: Node): Node[] {
  if (op === '&&' || op === '||') return nodesIn(args).slice(0, 1)
  if (op !== 'comprehension') return []
  return [(args as Loop).step]
}

/** The keys of a map that is written in the expression. */
function keysIn({ op, args }: Node): Node[] {
  if (op !== 'map' || !Array.isArray(args)) return []
  return args.flatMap((entry) => nodesIn(entry).slice(0, 1))
}

function countKey(node: Node, meter: Meter): void {
  const { evaluate } = node
  node.evaluate = (evaluator, self, scope) => {
    const key = evaluate(evaluator, self, scope)
    charge(meter, naming(key, meter.left))
    return key
  }
}

function countErrors(node: Node, meter: Meter): void {
  const { evaluate } = node
  node.evaluate = (evaluator, self, scope) => {
    try {
      return evaluate(evaluator, self, scope)
    } catch (error) {
      if (error !== TOO_COSTLY) charge(meter, ERROR_STEPS)
      throw error
    }
  }
}
