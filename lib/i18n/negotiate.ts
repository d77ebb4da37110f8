import { DEFAULT_LOCALE, type Locale, languages, locales } from './locales'

const MAX_LENGTH = 512
const MAX_TAGS = 24

type LocaleWishes = {
  cookie?: string | null | undefined
  uiLocales?: string | null | undefined
  acceptLanguage?: string | null | undefined
}

export type OfferedLocales = { default: Locale; offered: readonly Locale[] }

const ALL: OfferedLocales = { default: DEFAULT_LOCALE, offered: locales }

/** The person's own choice, then the application's wish, then the browser's; of those on offer. */
export function negotiateLocale(
  { cookie, uiLocales, acceptLanguage }: LocaleWishes,
  { offered, default: otherwise }: OfferedLocales = ALL,
): Locale {
  const chosen = offered.find((locale) => locale === cookie)
  if (chosen) return chosen
  for (const tag of [...spaceSeparated(uiLocales), ...byQuality(acceptLanguage)]) {
    const locale = offered.find((one) => isFor(one, tag))
    if (locale) return locale
  }
  return otherwise
}

// OpenID Connect Core §3.1.2.1: space-separated tags, in order of preference.
function spaceSeparated(value: string | null | undefined): string[] {
  return (value ?? '').slice(0, MAX_LENGTH).split(/\s+/, MAX_TAGS)
}

// RFC 9110 §12.5.4: `zh-CN,zh;q=0.9,en;q=0.8`; q=0 means "not this one".
function byQuality(value: string | null | undefined): string[] {
  return (value ?? '')
    .slice(0, MAX_LENGTH)
    .split(',', MAX_TAGS)
    .map(weighted)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}

function weighted(range: string): { tag: string; quality: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
  const q = parameters.find((parameter) => /^q=/i.test(parameter))
  const quality = q === undefined ? 1 : Number(q.slice(2))
  return { tag, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** `zh-CN` and `zh-Hans-HK` are for `zh-Hans`; `zh-TW` is not. */
function isFor(locale: Locale, tag: string): boolean {
  const [own, ...written] = locale.toLowerCase().split('-')
  const [language, ...subtags] = tag.toLowerCase().split(/[-_]/)
  if (language !== own) return false
  if (written.some((subtag) => subtags.includes(subtag))) return true
  return !languages[locale].notFor?.some((subtag) => subtags.includes(subtag))
}
