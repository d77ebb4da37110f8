import { BlockList, isIP } from 'node:net'
import { Environment, EvaluationError } from '@marcbachmann/cel-js'
import type { Condition, Context, Verdict } from './policy'

/** Conditions are CEL expressions that answer true or false over the request's context. */

const LIMITS = {
  maxAstNodes: 500,
  maxDepth: 30,
  maxListElements: 100,
  maxMapEntries: 50,
  maxCallArguments: 10,
}
const LONGEST_CONDITION = 2_000
const MISSING_ATTRIBUTE = /no such key|unknown variable/i

export class ConditionError extends Error {}

const environment = new Environment({ limits: LIMITS })
  .registerVariable('request', 'map')
  .registerVariable('client', 'map')
  .registerVariable('resource', 'map')
  .registerVariable('user', 'map')
  .registerVariable('auth', 'map')
  .registerFunction('inNetwork(string, string): bool', inNetwork)

export function compileCondition(source: string): Condition {
  if (source.length > LONGEST_CONDITION) throw new ConditionError('the condition is too long')
  const checked = environment.check(source)
  if (!checked.valid) throw new ConditionError(checked.error?.message ?? 'not a CEL expression')
  if (checked.type !== 'bool' && checked.type !== 'dyn') {
    throw new ConditionError(`a condition answers true or false, this one gives ${checked.type}`)
  }
  const expression = environment.parse(source)
  return { source, evaluate: (context) => verdictOf(expression, context) }
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
