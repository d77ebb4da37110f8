import { adminLocales, english, loaders } from './compiled/load'
import { dictionary, type Messages } from './dictionary'
import { DEFAULT_LOCALE, type Locale } from './locales'

export type { Messages } from './dictionary'
export { directionOf, isLocale, type Locale, languages, locales } from './locales'
export { negotiateLocale } from './negotiate'

const loaded = new Map<Locale, Promise<Messages>>()

/** The words of a language. They are loaded when somebody first asks for them. */
export function messagesFor(locale: Locale): Promise<Messages> {
  const known = loaded.get(locale)
  if (known) return known
  const loading = load(locale)
  loaded.set(locale, loading)
  // Whoever asks next tries again.
  loading.catch(() => loaded.delete(locale))
  return loading
}

async function load(locale: Locale): Promise<Messages> {
  const { people, admin } = await loaders[locale]()
  return dictionary(people, admin ?? (await english()).admin)
}

/** These pages need words that not every language has. */
const FOR_ADMINS = /^\/(admin|docs|setup)(?![\w-])/

/** The language of a page: that of its reader, or English as a whole, if it lacks words for it. */
export function localeOfPage(reader: Locale, path: string, complete = adminLocales): Locale {
  return FOR_ADMINS.test(path) && !complete.includes(reader) ? DEFAULT_LOCALE : reader
}
