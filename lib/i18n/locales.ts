import { language as en } from './en/language'
import type { Language } from './language'
import { language as zhHans } from './zh-Hans/language'

/** The languages of the product. A new language is a folder beside these, and a line here. */
const table = {
  en,
  'zh-Hans': zhHans,
}

export type Locale = keyof typeof table
export const languages: Record<Locale, Language> = table

/** In this order they are listed. `Object.keys` types the keys of a table as `string`. */
export const locales = Object.keys(table) as readonly Locale[]

/** For whoever asks for a language that is not there, until an admin sets another. */
export const DEFAULT_LOCALE: Locale = 'en'

export function isLocale(value: string | null | undefined): value is Locale {
  return locales.some((locale) => locale === value)
}
