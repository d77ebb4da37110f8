import { cleanText } from '../base/plain-text'
import { mistakes } from './en/mistakes'
import { fillUnchecked } from './fill'
import type { NamesOf, Values } from './text'

/**
 * What is wrong with an input, as a code with values. The code has a sentence in every language, so
 * the API answers in English and a page in the language of its reader.
 */

export type Sentences = typeof mistakes
export type MistakeCode = keyof Sentences
export type Mistake = { code: MistakeCode; values: Readonly<Record<string, string>> }

/** The values that the sentence of this code needs; none for most. */
type Needed<Code extends MistakeCode> = [NamesOf<Sentences[Code]>] extends [never]
  ? []
  : [values: Values<Sentences[Code]>]

export function mistake<Code extends MistakeCode>(code: Code, ...[values]: Needed<Code>): Mistake {
  return { code, values: values ?? {} }
}

/** A field of a form may have a sentence of its own: `{ 'name.required': 'Give it a name.' }`. */
export type OwnSentences = Readonly<Partial<Record<`${string}.${MistakeCode}`, string>>>

export function sentenceOf(
  { code, values }: Mistake,
  sentences: Sentences = mistakes,
  own?: string,
): string {
  const told = Object.entries(values).map(([name, value]) => [name, shown(value)])
  return fillUnchecked(own ?? sentences[code], Object.fromEntries(told))
}

const LONGEST_SHOWN = 200

/** A sentence may name what somebody typed: without hidden characters, and not all of it. */
function shown(value: string): string {
  const text = cleanText(value)
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

// ---------------------------------------------------------------- in a schema

const MARK = 'mistake:'

/**
 * For the rules of a schema, which can only carry a text: `z.string().regex(KEY, rule('key_shape'))`.
 */
export function rule<Code extends MistakeCode>(code: Code, ...values: Needed<Code>): string {
  return ruleFor(mistake(code, ...values))
}

export function ruleFor(told: Mistake): string {
  return MARK + JSON.stringify(told)
}

/** What a rule carried; null for the text of a schema that has no rule of ours. */
export function mistakeIn(text: string): Mistake | null {
  return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as Mistake) : null
}
