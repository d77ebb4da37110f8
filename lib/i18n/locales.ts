export const locales = ['en', 'zh-Hans'] as const
export type Locale = (typeof locales)[number]

export const localeNames: Record<Locale, string> = { en: 'English', 'zh-Hans': '简体中文' }

export function isLocale(value: string | null | undefined): value is Locale {
  return locales.some((locale) => locale === value)
}
