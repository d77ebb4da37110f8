import { fillUnchecked } from './fill'
import { numberFormat, pluralRules } from './formats'
import type { Locale } from './locales'
import type { NamesOf } from './text'

/** A sentence with a number, in the forms of a language: “1 user”, “2 users”. */
export type Plural<One extends string = string, Other extends string = string> = {
  readonly one: One
  readonly other: Other
}

type MoreValues<Message extends string> = {
  readonly [Name in Exclude<NamesOf<Message>, 'count'>]: string
}

/**
 * The form that the rules of the language choose (`Intl.PluralRules`), with `{count}` written as the
 * language writes numbers. A language with one form, such as Chinese, says the same twice.
 */
export function plural<One extends string, Other extends string>(
  locale: Locale,
  { one, other }: Plural<One, Other>,
  count: number,
  ...[values]: [keyof MoreValues<One | Other>] extends [never] ? [] : [MoreValues<One | Other>]
): string {
  const form = pluralRules(locale).select(count) === 'one' ? one : other
  return fillUnchecked(form, { ...values, count: numberFormat(locale).format(count) })
}
