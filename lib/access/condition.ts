import { BlockList, isIP } from 'node:net'
import { type ASTNode, Environment, EvaluationError } from '@marcbachmann/cel-js'
import { satisfies } from './acr'
import type { Condition, Context, Verdict } from './policy'

/** Conditions are CEL expressions that answer true or false over the request's context. */

const LIMITS = {
  maxAstNodes: 500,
  maxDepth: 30,
  maxListElements: 100,
  maxMapEntries: 50,
  maxCallArguments: 10,
}
export const LONGEST_CONDITION = 2_000
const MISSING_ATTRIBUTE = /no such key|unknown variable/i

/** Where the mistake is, in characters from the start; null: the whole of it. */
export class ConditionError extends Error {
  readonly position: { start: number; end: number } | null

  constructor(message: string, position: ConditionError['position'] = null) {
    super(message)
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
  .registerFunction('inNetwork(string, string): bool', inNetwork)
  .registerFunction('atLeast(string, string): bool', satisfies)

export function compileCondition(source: string): Condition {
  if (source.length > LONGEST_CONDITION) throw new ConditionError('the condition is too long')
  const checked = environment.check(source)
  if (!checked.valid) throw mistakeIn(checked.error)
  if (checked.type !== 'bool' && checked.type !== 'dyn') {
    throw new ConditionError(`a condition answers true or false, this one gives ${checked.type}`)
  }
  const expression = environment.parse(source)
  requireCheap(expression.ast)
  return { source, evaluate: (context) => verdictOf(expression, context) }
}

function mistakeIn(error: unknown): ConditionError {
  const { summary, range } = (error ?? {}) as {
    summary?: string
    range?: { start: number; end: number }
  }
  const position = range ? { start: range.start, end: range.end } : null
  return new ConditionError(summary ?? 'not a CEL expression', position)
}

/** Macros walk lists, and a macro within a macro walks them again and again. */
const MACROS = new Set(['all', 'exists', 'exists_one', 'map', 'filter', 'transformList'])
const DEEPEST_MACRO = 2

/** Regular expressions can run away with the processor, so there are none. */
function requireCheap(node: ASTNode, macros = 0): void {
  const name = calledIn(node)
  const at = { start: node.start, end: node.end }
  if (name === 'matches') {
    throw new ConditionError('matches() is not offered: use startsWith, endsWith or contains', at)
  }
  const depth = name !== null && MACROS.has(name) ? macros + 1 : macros
  if (depth > DEEPEST_MACRO) throw new ConditionError('lists are walked too deeply', at)
  for (const child of childrenOf(node.args)) requireCheap(child, depth)
}

function calledIn({ op, args }: ASTNode): string | null {
  if (op !== 'call' && op !== 'rcall') return null
  return Array.isArray(args) ? String(args[0]) : null
}

function childrenOf(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(childrenOf)
  const isNode = typeof args === 'object' && args !== null && 'op' in args
  return isNode ? [args as ASTNode] : []
}

/** A stored condition that no longer compiles is never skipped. */
export function compileStored(source: string): Condition {
  try {
    return compileCondition(source)
  } catch {
    return { source, evaluate: () => 'unanswerable' }
  }
}

function verdictOf(expression: (context: Context) => unknown, context: Context): Verdict {
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
  if (!family || !isPrefix(family, bits)) throw new ConditionError('not a network')
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
