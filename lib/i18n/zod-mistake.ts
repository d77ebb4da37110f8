import type { z } from 'zod'
import { type Mistake, mistake, mistakeIn, sentenceOf } from './mistake'

/** What zod found, as a mistake of ours. No text of zod leaves this file. */

type Issue = z.core.$ZodIssue

export function mistakeOf(issue: Issue): Mistake {
  // Nothing was typed: which form it should have had is the second question.
  if (issue.input === '') return mistake('required')
  const own = mistakeIn(issue.message)
  if (own) return own
  switch (issue.code) {
    case 'invalid_type':
      return ofType(issue)
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum))
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum))
    case 'invalid_format':
      return ofFormat(issue.format)
    case 'invalid_value':
      return mistake('one_of', { choices: issue.values.map(String).join(', ') })
    case 'unrecognized_keys':
      return mistake('unrecognized_keys')
    case 'invalid_key':
    case 'invalid_element':
      return firstOf(issue.issues)
    case 'invalid_union':
      return ofUnion(issue)
    default:
      return mistake('invalid')
  }
}

/** The first of several. */
export function firstMistakeIn({ issues }: z.ZodError): Mistake {
  return firstOf(issues)
}

/** For those who read English: an operator at a command, or the caller of the API. */
export function englishOf(issue: Issue): string {
  const keys = issue.code === 'unrecognized_keys' ? ` (${issue.keys.join(', ')})` : ''
  return sentenceOf(mistakeOf(issue)) + keys
}

const TYPES: Readonly<Record<string, Mistake>> = {
  number: mistake('number_needed'),
  int: mistake('whole_number_needed'),
  string: mistake('text_needed'),
  boolean: mistake('yes_or_no_needed'),
  array: mistake('list_needed'),
  object: mistake('object_needed'),
  record: mistake('object_needed'),
}

/** Only the text of zod says whether there was a value at all. */
function ofType({ expected, message }: z.core.$ZodIssueInvalidType): Mistake {
  const isMissing = / received (undefined|null)$/.test(message)
  const isNumber = expected === 'number' || expected === 'int'
  if (isMissing) return mistake(isNumber ? 'number_needed' : 'required')
  return TYPES[expected] ?? mistake('invalid')
}

function tooSmall(origin: string, minimum: number): Mistake {
  const least = { minimum: String(minimum) }
  if (origin === 'string') return minimum === 1 ? mistake('required') : mistake('too_short', least)
  if (origin === 'array') return minimum === 1 ? mistake('choose') : mistake('too_few', least)
  return mistake('too_small', least)
}

function tooBig(origin: string, maximum: number): Mistake {
  const most = { maximum: String(maximum) }
  if (origin === 'string') return mistake('too_long', most)
  return mistake(origin === 'array' ? 'too_many' : 'too_big', most)
}

const FORMATS: Readonly<Record<string, Mistake>> = {
  email: mistake('email_needed'),
  url: mistake('url_needed'),
  datetime: mistake('date_needed'),
  ipv4: mistake('ip_needed'),
  ipv6: mistake('ip_needed'),
  base64: mistake('base64_needed'),
  safeint: mistake('whole_number_needed'),
}

function ofFormat(format: string): Mistake {
  return FORMATS[format] ?? mistake('invalid')
}

/** Of several forms that a value may have, the first one is the usual one. */
function ofUnion(issue: z.core.$ZodIssueInvalidUnion): Mistake {
  if ('options' in issue && Array.isArray(issue.options)) {
    return mistake('one_of', { choices: issue.options.map(String).join(', ') })
  }
  return firstOf(issue.errors[0] ?? [])
}

function firstOf([first]: readonly Issue[]): Mistake {
  return first ? mistakeOf(first) : mistake('invalid')
}
