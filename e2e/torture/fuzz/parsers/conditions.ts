import fc from 'fast-check'
import { ConditionError, compileCondition } from '../../../../lib/access/condition'
import { nastyText } from '../nasty'
import { must } from './must'

const RESULTS = [
  'met',
  'condition_failed',
  'context_missing',
  'condition_too_costly',
  'unanswerable',
]
const MAX_EVALUATION_MS = 200

export function conditionsAreAnswered() {
  const words = ['request', '.ip', '.time', 'user', 'auth.acr', '"x"', '1', '-', '+', '*', '/', '%']
  const more = [
    '==',
    '!=',
    '<',
    '&&',
    '||',
    '!',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '?',
    ' in ',
  ]
  const calls = [
    'atLeast(',
    'inNetwork(',
    '.map(x, ',
    '.all(x, ',
    '.matches(',
    'size(',
    'x',
    'has(',
  ]
  const source = fc.oneof(
    nastyText,
    fc
      .array(fc.constantFrom(...words, ...more, ...calls), { maxLength: 25 })
      .map((all) => all.join('')),
  )
  const context = fc.record({
    request: fc.dictionary(fc.constantFrom('ip', 'time', '__proto__'), fc.jsonValue()),
    user: fc.dictionary(fc.string(), fc.jsonValue()),
  })
  return fc.asyncProperty(source, context, async (text, given) => {
    const condition = compiled(text)
    if (!condition) return
    const began = performance.now()
    const result = condition.evaluate(given as never)
    must(RESULTS.includes(result), `no result: ${result}`)
    must(performance.now() - began < MAX_EVALUATION_MS, 'it took too long')
  })
}

function compiled(text: string) {
  try {
    return compileCondition(text)
  } catch (error) {
    if (error instanceof ConditionError) return null
    throw error
  }
}
