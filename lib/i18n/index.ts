import type { Messages } from './language'
import { type Locale, languages, locales } from './locales'

export type { Messages } from './language'
export { isLocale, type Locale, languages, locales } from './locales'
export { negotiateLocale } from './negotiate'

const dictionaries = await load()

async function load(): Promise<Record<Locale, Messages>> {
  const all = locales.map(async (locale) => [locale, await languages[locale].load()] as const)
  // `fromEntries` types the keys of its answer as `string`.
  return Object.fromEntries(await Promise.all(all)) as Record<Locale, Messages>
}

export function messagesFor(locale: Locale): Messages {
  return dictionaries[locale]
}
