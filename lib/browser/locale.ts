import { cookies, headers } from 'next/headers'
import { PATH_HEADER } from '../base/page-headers'
import { type Locale, type Messages, messagesFor, negotiateLocale } from '../i18n'
import { pickText, type WrittenTexts } from '../i18n/pick-text'
import { op } from '../op'
import type { Settings } from '../settings/effective'

export const LOCALE_COOKIE = 'gatehouse.locale'

/** Path and query of the current page, as the proxy saw it. */
export async function currentPath(): Promise<string> {
  return (await headers()).get(PATH_HEADER) ?? '/'
}

export async function currentLocale(): Promise<Locale> {
  const query = (await currentPath()).split('?')[1]
  const wishes = {
    cookie: (await cookies()).get(LOCALE_COOKIE)?.value,
    uiLocales: new URLSearchParams(query).get('ui_locales'),
    acceptLanguage: (await headers()).get('accept-language'),
  }
  return negotiateLocale(wishes, (await currentSettings()).languages)
}

/** The settings for the current page. */
export async function currentSettings(): Promise<Settings> {
  await headers() // pages that are built in advance must not read the settings
  return (await op()).settings.current()
}

export async function currentMessages(): Promise<Messages> {
  return messagesFor(await currentLocale())
}

export type TextPicker = (texts: WrittenTexts) => string | undefined

/** Chooses among texts in several languages for the reader. */
export async function currentTextPicker(): Promise<TextPicker> {
  const locale = await currentLocale()
  const { default: portalDefault } = (await currentSettings()).languages
  return (texts) => pickText(texts, locale, portalDefault)
}
