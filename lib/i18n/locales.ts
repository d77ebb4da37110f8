import table from './languages.json' with { type: 'json' }

/** What the product knows about a language besides its words. */
type Language = {
  /** In the language itself. */
  name: string
  rightToLeft?: boolean
  /** Subtags that name another way to write this language: `tw` is not for `zh-Hans`. */
  notFor?: readonly string[]
}

export type Locale = keyof typeof table
export const languages: Readonly<Record<Locale, Language>> = table

/** In this order they are listed. `Object.keys` types the keys of a table as `string`. */
export const locales = Object.keys(table) as readonly Locale[]

/** For whoever asks for a language that is not there, until an admin sets another. */
export const DEFAULT_LOCALE: Locale = 'en'

export function isLocale(value: string | null | undefined): value is Locale {
  return locales.some((locale) => locale === value)
}

export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return languages[locale].rightToLeft ? 'rtl' : 'ltr'
}
