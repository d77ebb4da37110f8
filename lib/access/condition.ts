import { BlockList, isIP } from 'node:net'
import { Environment, EvaluationError } from '@marcbachmann/cel-js'
import { satisfies } from './acr'
import { membersRead, otherThanUser, readsWhole, unknownMember } from './condition-members'
import { timesKnownTo } from './condition-times'
import {
  calledIn,
  countSteps,
  hasPrice,
  leastPriceOf,
  type Meter,
  type Node,
  NotMetered,
  nodesIn,
} from './meter'
import type { Budget, Condition, ConditionResult, Context } from './policy'

/** Conditions are CEL expressions that return true or false for the context of a request. */

const LIMITS = {
  maxAstNodes: 500,
  maxDepth: 30,
  maxListElements: 100,
  maxMapEntries: 50,
  maxCallArguments: 10,
}
export const MAX_CONDITION_LENGTH = 2_000
/** The most steps of one evaluation; an ordinary condition takes ten to a hundred. */
export const MAX_STEPS = 20_000
/** The most steps of all conditions for one question about one subject. */
export const MAX_STEPS_OF_DECISION = 100_000
/** The steps of every evaluation besides its expression, and of one that ends in an error. */
const STEPS_TO_START = 4
const STEPS_TO_FAIL = 300
const MISSING_ATTRIBUTE = /no such key|unknown variable/i

/** What is wrong, by a name that has a sentence in each language, and what the sentence names. */
export type ConditionFault =
  | { code: 'matches' | 'nested' | 'operands' | 'unfinished' | 'unreadable' }
  | { code: 'long'; maximum: number }
  | { code: 'type'; type: string }
  | { code: 'unavailable' | 'variable' | 'call'; name: string }
  | { code: 'costly'; steps: number }
  | { code: 'member'; name: string; instead: string }

/** Where the mistake is, in characters from the start; null for the whole text. */
export class ConditionError extends Error {
  readonly fault: ConditionFault
  readonly position: { start: number; end: number } | null

  constructor(message: string, fault: ConditionFault, position: ConditionError['position'] = null) {
    super(message)
    this.fault = fault
    this.position = position
  }
}

export const CONDITION_VARIABLES = [
  'request',
  'client',
  'resource',
  'user',
  'auth',
  'subject',
  'action',
] as const satisfies readonly (keyof Context)[]

const environment = CONDITION_VARIABLES.reduce(
  (known, name) => known.registerVariable(name, 'map'),
  new Environment({ limits: LIMITS }),
)
  .registerFunction('inNetwork(string, string): bool', inNetwork, { async: false })
  .registerFunction('atLeast(string, string): bool', satisfies, { async: false })

const knowTimes = timesKnownTo(environment)

type Expression = ReturnType<typeof environment.parse>

/**
 * Compiling takes a hundred times longer than evaluating, so recently compiled conditions are
 * cached.
 */
export const KEPT_CHARACTERS = 200_000
/** `mistake`: a condition that was saved before still works, and is not saved again. */
type Compiled = Condition & { mistake: ConditionError | null }
const kept = new Map<string, Compiled | ConditionError>()
let keptCharacters = 0

/** For a condition that is about to be saved: it must be able to be met. */
export function requireMeetable(source: string): void {
  const { mistake } = compileCondition(source)
  if (mistake) throw mistake
}

/** The attributes of the user that a condition reads by name; none if it cannot be understood. */
export function attributesRead(source: string): Set<string> {
  try {
    // The types of the library show less of its tree than evaluation needs: see meter.ts.
    return membersRead(parsed(source).ast as unknown as Node, 'user')
  } catch (error) {
    if (error instanceof ConditionError) return new Set()
    throw error
  }
}

/** Whether it reads one of these attributes of the user by name, or all of them together. */
export function readsAttributes(source: string, keys: ReadonlySet<string>): boolean {
  try {
    const node = parsed(source).ast as unknown as Node
    return readsWhole(node, 'user') || [...membersRead(node, 'user')].some((key) => keys.has(key))
  } catch (error) {
    if (error instanceof ConditionError) return false
    throw error
  }
}

/** For a condition on a user: another variable that it reads; null if there is none. */
export function readsBesideUser(source: string): string | null {
  return otherThanUser(parsed(source).ast as unknown as Node)
}

export function compileCondition(source: string): Compiled {
  if (source.length > MAX_CONDITION_LENGTH) {
    const fault = { code: 'long', maximum: MAX_CONDITION_LENGTH } as const
    throw new ConditionError('the condition is too long', fault)
  }
  const made = kept.get(source) ?? keep(source, tryToCompile(source))
  if (made instanceof ConditionError) throw made
  return made
}

/** Not compiled yet, and there is a place for it. */
export function canBeCompiledAhead(source: string): boolean {
  return !kept.has(source) && keptCharacters + source.length <= KEPT_CHARACTERS
}

function keep(source: string, made: Compiled | ConditionError): Compiled | ConditionError {
  kept.set(source, made)
  keptCharacters += source.length
  for (const oldest of kept.keys()) {
    if (keptCharacters <= KEPT_CHARACTERS) break
    kept.delete(oldest)
    keptCharacters -= oldest.length
  }
  return made
}

function tryToCompile(source: string): Compiled | ConditionError {
  try {
    return compiled(source)
  } catch (error) {
    if (error instanceof ConditionError) return error
    throw error
  }
}

function compiled(source: string): Compiled {
  const expression = parsed(source)
  const checked = expression.check()
  if (!checked.valid) throw mistakeIn(checked.error)
  if (checked.type !== 'bool' && checked.type !== 'dyn') {
    throw new ConditionError(
      `a condition must return true or false, but this one returns ${checked.type}`,
      { code: 'type', type: checked.type ?? '' },
    )
  }
  // The types of the library show less of its tree than evaluation needs: see meter.ts.
  const root = expression.ast as unknown as Node
  requireOffered(root)
  requireCheap(root)
  const unknown = unknownMember(root)
  const mistake = unknown && mistakeAt(unknown.node, unknown.message, unknown.fault)
  return { source, evaluate: counted(expression, root), mistake }
}

function parsed(source: string): Expression {
  try {
    return environment.parse(source)
  } catch (error) {
    throw mistakeIn(error)
  }
}

function counted(expression: Expression, root: Node): Condition['evaluate'] {
  const meter: Meter = { left: 0 }
  try {
    countSteps(root, meter)
  } catch (error) {
    if (!(error instanceof NotMetered)) throw error
    throw new ConditionError(`${error.message} is not available in conditions`, {
      code: 'unavailable',
      name: error.message,
    })
  }
  return (context) => resultWithin(context.budget, meter, () => resultOf(expression, context))
}

/** Limited by the steps of one evaluation, and by what is left for the decision. */
function resultWithin(
  budget: Budget | undefined,
  meter: Meter,
  work: () => ConditionResult,
): ConditionResult {
  const most = Math.min(MAX_STEPS, budget?.left ?? MAX_STEPS)
  if (most <= 0) return 'condition_too_costly'
  meter.left = most
  const result = work()
  if (budget) budget.left -= most - meter.left + stepsBeside(result)
  return meter.left < 0 ? 'condition_too_costly' : result
}

function stepsBeside(result: ConditionResult): number {
  const failed = result === 'context_missing' || result === 'unanswerable'
  return failed ? STEPS_TO_START + STEPS_TO_FAIL : STEPS_TO_START
}

function mistakeIn(error: unknown): ConditionError {
  const { code, summary, range } = (error ?? {}) as {
    code?: string
    summary?: string
    range?: { start: number; end: number }
  }
  const position = range ? { start: range.start, end: range.end } : null
  const fault = faultOf(code ?? '', summary ?? '')
  return new ConditionError(summary ?? 'this is not a CEL expression', fault, position)
}

/** The errors of the library, as far as more can be said than that it cannot be read. */
function faultOf(code: string, summary: string): ConditionFault {
  const [, name = ''] = /: ([^\s']+)$/.exec(summary) ?? []
  if (code === 'unknown_variable') return { code: 'variable', name }
  if (code === 'no_such_overload') return { code: 'operands' }
  const [, called] = /^found no matching overload for '(\w+)\(/.exec(summary) ?? []
  if (called !== undefined) return { code: 'call', name: `${called}()` }
  if (code.startsWith('unterminated') || /\bEOF$/.test(summary)) return { code: 'unfinished' }
  return { code: 'unreadable' }
}

// ---------------------------------------------------------------- before it is saved

/** Macros iterate over lists, and nested macros iterate again for each element. */
const LOOPS = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])
const DEEPEST_LOOP = 2

/** Regular expressions can use unlimited processor time, so they are not available. */
function requireOffered(node: Node, loops = 0): void {
  const name = calledIn(node)
  if (name === 'matches') {
    const message = 'matches() is not available: use startsWith, endsWith or contains'
    throw mistakeAt(node, message, { code: 'matches' })
  }
  if (name !== null && !hasPrice(name)) {
    const fault = { code: 'unavailable', name: `${name}()` } as const
    throw mistakeAt(node, `${name}() is not available in conditions`, fault)
  }
  const depth = isLoop(name) ? loops + 1 : loops
  if (depth > DEEPEST_LOOP) {
    const message = 'macros such as all() and exists() are nested too deeply'
    throw mistakeAt(node, message, { code: 'nested' })
  }
  for (const child of nodesIn(node.args)) requireOffered(child, depth)
}

/**
 * A condition that would exceed its budget in an ordinary context is not saved; longer lists are
 * counted during evaluation.
 */
function requireCheap(root: Node): void {
  if (stepsOf(root) <= MAX_STEPS) return
  const fault = { code: 'costly', steps: MAX_STEPS } as const
  throw mistakeAt(dearestIn(root), `this part takes more than ${MAX_STEPS} steps`, fault)
}

/** The innermost part that is too costly by itself. */
function dearestIn(node: Node): Node {
  const part = nodesIn(node.args).find((child) => stepsOf(child) > MAX_STEPS)
  return part ? dearestIn(part) : node
}

function stepsOf(node: Node): number {
  const name = calledIn(node)
  const parts = nodesIn(node.args)
  if (!isLoop(name)) {
    return 1 + leastPriceOf(name ?? '', parts.length) + sum(parts.map(stepsOf))
  }
  const [list, ...body] = parts
  if (!list) return 1
  return stepsOf(list) + lengthOf(list) * (2 + sum(body.map(stepsOf)))
}

/** The assumed length of a list that is known only from the context. */
const ORDINARY_LENGTH = 16

function lengthOf(list: Node): number {
  const parts = nodesIn(list.args)
  const [first, second] = parts
  if (list.op === 'list') return parts.length
  if (list.op === '+' && first && second) return lengthOf(first) + lengthOf(second)
  if (isLoop(calledIn(list)) && first) return lengthOf(first)
  return ORDINARY_LENGTH
}

function isLoop(name: string | null): boolean {
  return name !== null && LOOPS.has(name)
}

function mistakeAt({ start, end }: Node, message: string, fault: ConditionFault): ConditionError {
  return new ConditionError(message, fault, { start, end })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

function resultOf(expression: (context: Context) => unknown, context: Context): ConditionResult {
  knowTimes()
  try {
    return expression(context) === true ? 'met' : 'condition_failed'
  } catch (error) {
    const missing = error instanceof EvaluationError && MISSING_ATTRIBUTE.test(error.message)
    return missing ? 'context_missing' : 'unanswerable'
  }
}

function inNetwork(ip: string, network: string): boolean {
  const [address = '', bits = ''] = network.split('/')
  const family = familyOf(address)
  if (!family || !isPrefix(family, bits))
    throw new ConditionError('not a network', { code: 'unreadable' })
  if (familyOf(ip) !== family) return false
  const list = new BlockList()
  list.addSubnet(address, Number(bits), family)
  return list.check(ip, family)
}

function isPrefix(family: 'ipv4' | 'ipv6', bits: string): boolean {
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv4' ? 32 : 128)
}

function familyOf(ip: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(ip)
  if (version === 0) return null
  return version === 4 ? 'ipv4' : 'ipv6'
}
