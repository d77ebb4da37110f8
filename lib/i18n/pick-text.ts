import { DEFAULT_LOCALE, type Locale } from './locales'

/** What somebody wrote in one or more languages, by locale. */
export type WrittenTexts = Readonly<Partial<Record<string, string>>>

/** In the reader's language, else in the portal's, else in English; never in any other. */
export function pickText(
  texts: WrittenTexts,
  locale: Locale,
  portalDefault: Locale,
): string | undefined {
  const wanted = [locale, portalDefault, DEFAULT_LOCALE].find((one) => Object.hasOwn(texts, one))
  return wanted && texts[wanted]
}
