import { failures } from './compiled/failures'
import type { Locale } from './locales'
import english from './words/en/people/failure.json' with { type: 'json' }

/** What the browser says when a page has failed: the only words that it may have to ask for. */
export type Failure = { locale: Locale; words: typeof english }

export const ENGLISH_FAILURE: Failure = { locale: 'en', words: english }

/** In English if the words cannot be had, because the portal cannot be reached either. */
export async function failureIn(locale: Locale): Promise<Failure> {
  if (locale === 'en') return ENGLISH_FAILURE
  try {
    return { locale, words: await failures[locale]() }
  } catch {
    return ENGLISH_FAILURE
  }
}
