import { cookies } from 'next/headers'
import { currentMessages, currentPath, currentSettings, readerLocale } from '@/lib/browser/locale'
import { isTheme, THEME_COOKIE, themes } from '@/lib/browser/theme'
import { languages } from '@/lib/i18n'
import type { Choices } from './preferences'

/** The languages that are offered, if there are several, and the themes. */
export async function preferenceChoices(): Promise<readonly Choices[]> {
  const { frame, login } = await currentMessages()
  const { offered } = (await currentSettings()).languages
  const stored = (await cookies()).get(THEME_COOKIE)?.value
  const locale: Choices = {
    name: 'locale',
    legend: frame.language,
    chosen: await readerLocale(),
    options: offered.map((value) => [value, languages[value].name]),
    returnTo: await currentPath(),
    change: login.change,
  }
  const theme: Choices = {
    name: 'theme',
    legend: frame.theme,
    chosen: isTheme(stored) ? stored : 'system',
    options: themes.map((value) => [value, frame.themes[value]]),
    returnTo: await currentPath(),
  }
  return offered.length > 1 ? [locale, theme] : [theme]
}
