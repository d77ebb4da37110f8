import { en } from './en'
import type { Locale } from './locales'
import { zh } from './zh'

export { isLocale, type Locale, localeNames, locales } from './locales'
export { negotiateLocale } from './negotiate'

type Shape<T> = { [K in keyof T]: T[K] extends string ? string : Shape<T[K]> }
export type Messages = Shape<typeof en>

const dictionaries: Record<Locale, Messages> = { en, 'zh-Hans': zh }

export function messagesFor(locale: Locale): Messages {
  return dictionaries[locale]
}
