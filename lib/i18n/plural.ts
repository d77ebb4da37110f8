import { fillUnchecked } from './fill'
import { numberFormat, pluralRules } from './formats'
import type { Locale } from './locales'
import type { NamesOf } from './text'

/**
 * A sentence with a number, in the forms of a language: “1 user”, “2 users”. Arabic has six,
 * Japanese has one.
 */
export type Plural<Sentence extends string = string> = {
  readonly [Form in Exclude<Intl.LDMLPluralRule, 'other'>]?: string
} & { readonly other: Sentence }

type MoreValues<Message extends string> = {
  readonly [Name in Exclude<NamesOf<Message>, 'count'>]: string
}

/**
 * The form that the rules of the language choose (`Intl.PluralRules`), with `{count}` written as the
 * language writes numbers.
 */
export function plural<Sentence extends string>(
  locale: Locale,
  forms: Plural<Sentence>,
  count: number,
  ...[values]: [keyof MoreValues<Sentence>] extends [never] ? [] : [MoreValues<Sentence>]
): string {
  const form = forms[pluralRules(locale).select(count)] ?? forms.other
  return fillUnchecked(form, { ...values, count: numberFormat(locale).format(count) })
}
