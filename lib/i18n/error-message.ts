import { cleanText } from '../base/plain-text'
import { englishErrors } from './compiled/english-errors'
import { fillUnchecked } from './fill'
import type { NamesOf, Values } from './text'

/**
 * What is wrong with an input, as a code with values. The code has a sentence in every language, so
 * the API answers in English and a page in the language of its reader.
 */

type Sentences = typeof englishErrors
export type ErrorMessageCode = keyof Sentences
export type ErrorMessage = { code: ErrorMessageCode; values: Readonly<Record<string, string>> }

/** The values that the sentence of this code needs; none for most. */
type Needed<Code extends ErrorMessageCode> = [NamesOf<Sentences[Code]>] extends [never]
  ? []
  : [values: Values<Sentences[Code]>]

export function errorMessage<Code extends ErrorMessageCode>(
  code: Code,
  ...[values]: Needed<Code>
): ErrorMessage {
  return { code, values: values ?? {} }
}

/** A field of a form may have a sentence of its own: `{ 'name.required': 'Give it a name.' }`. */
export type OwnSentences = Readonly<Partial<Record<`${string}.${ErrorMessageCode}`, string>>>

export function sentenceOf(
  { code, values }: ErrorMessage,
  sentences: Sentences = englishErrors,
  own?: string,
): string {
  const told = Object.entries(values).map(([name, value]) => [name, shown(value)])
  return fillUnchecked(own ?? sentences[code], Object.fromEntries(told))
}

const MAX_SHOWN_LENGTH = 200

/** A sentence may name what somebody typed: without hidden characters, and not all of it. */
function shown(value: string): string {
  const text = cleanText(value)
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}

// ---------------------------------------------------------------- in a schema

const MARK = 'mistake:'

/**
 * For the rules of a schema, which can only carry a text: `z.string().regex(KEY, rule('key_shape'))`.
 */
export function rule<Code extends ErrorMessageCode>(code: Code, ...values: Needed<Code>): string {
  return ruleFor(errorMessage(code, ...values))
}

export function ruleFor(told: ErrorMessage): string {
  return MARK + JSON.stringify(told)
}

/** What a rule carried; null for the text of a schema that has no rule of ours. */
export function errorMessageIn(text: string): ErrorMessage | null {
  return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as ErrorMessage) : null
}
