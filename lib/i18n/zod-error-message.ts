import type { z } from 'zod'
import { type ErrorMessage, errorMessage, errorMessageIn, sentenceOf } from './error-message'

/** What zod found, as a mistake of ours. No text of zod leaves this file. */

type Issue = z.core.$ZodIssue

export function errorMessageOf(issue: Issue): ErrorMessage {
  // Nothing was typed: which form it should have had is the second question.
  if (issue.input === '') return errorMessage('required')
  const own = errorMessageIn(issue.message)
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
      return errorMessage('one_of', { choices: issue.values.map(String).join(', ') })
    case 'unrecognized_keys':
      return errorMessage('unrecognized_keys')
    case 'invalid_key':
    case 'invalid_element':
      return firstOf(issue.issues)
    case 'invalid_union':
      return ofUnion(issue)
    default:
      return errorMessage('invalid')
  }
}

/** The first of several. */
export function firstMistakeIn({ issues }: z.ZodError): ErrorMessage {
  return firstOf(issues)
}

/** For those who read English: an operator at a command, or the caller of the API. */
export function englishOf(issue: Issue): string {
  const keys = issue.code === 'unrecognized_keys' ? ` (${issue.keys.join(', ')})` : ''
  return sentenceOf(errorMessageOf(issue)) + keys
}

const TYPES: Readonly<Record<string, ErrorMessage>> = {
  number: errorMessage('number_needed'),
  int: errorMessage('whole_number_needed'),
  string: errorMessage('text_needed'),
  boolean: errorMessage('yes_or_no_needed'),
  array: errorMessage('list_needed'),
  object: errorMessage('object_needed'),
  record: errorMessage('object_needed'),
}

/** Only the text of zod says whether there was a value at all. */
function ofType({ expected, message }: z.core.$ZodIssueInvalidType): ErrorMessage {
  const isMissing = / received (undefined|null)$/.test(message)
  const isNumber = expected === 'number' || expected === 'int'
  if (isMissing) return errorMessage(isNumber ? 'number_needed' : 'required')
  return TYPES[expected] ?? errorMessage('invalid')
}

function tooSmall(origin: string, minimum: number): ErrorMessage {
  const least = { minimum: String(minimum) }
  if (origin === 'string')
    return minimum === 1 ? errorMessage('required') : errorMessage('too_short', least)
  if (origin === 'array')
    return minimum === 1 ? errorMessage('choose') : errorMessage('too_few', least)
  return errorMessage('too_small', least)
}

function tooBig(origin: string, maximum: number): ErrorMessage {
  const most = { maximum: String(maximum) }
  if (origin === 'string') return errorMessage('too_long', most)
  return errorMessage(origin === 'array' ? 'too_many' : 'too_big', most)
}

const FORMATS: Readonly<Record<string, ErrorMessage>> = {
  email: errorMessage('email_needed'),
  url: errorMessage('url_needed'),
  datetime: errorMessage('date_needed'),
  ipv4: errorMessage('ip_needed'),
  ipv6: errorMessage('ip_needed'),
  base64: errorMessage('base64_needed'),
  safeint: errorMessage('whole_number_needed'),
}

function ofFormat(format: string): ErrorMessage {
  return FORMATS[format] ?? errorMessage('invalid')
}

/** Of several forms that a value may have, the first one is the usual one. */
function ofUnion(issue: z.core.$ZodIssueInvalidUnion): ErrorMessage {
  if ('options' in issue && Array.isArray(issue.options)) {
    return errorMessage('one_of', { choices: issue.options.map(String).join(', ') })
  }
  return firstOf(issue.errors[0] ?? [])
}

function firstOf([first]: readonly Issue[]): ErrorMessage {
  return first ? errorMessageOf(first) : errorMessage('invalid')
}
