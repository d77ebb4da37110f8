import { cookies, headers } from 'next/headers'
import { PATH_HEADER } from '../base/page-headers'
import { type Locale, type Messages, messagesFor, negotiateLocale } from '../i18n'
import { pickText, type WrittenTexts } from '../i18n/pick-text'
import { op } from '../op'
import type { Settings } from '../settings/effective'

export const LOCALE_COOKIE = 'gatehouse.locale'

/** Path and query of the page being shown, as the proxy saw it. */
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

/** What admins set, for whatever is on the screen. */
export async function currentSettings(): Promise<Settings> {
  await headers() // nothing is asked of the house while pages are built
  return (await op()).settings.current()
}

export async function currentMessages(): Promise<Messages> {
  return messagesFor(await currentLocale())
}

export type TextPicker = (texts: WrittenTexts) => string | undefined

/** Chooses for the reader among texts that somebody wrote in several languages. */
export async function currentTextPicker(): Promise<TextPicker> {
  const locale = await currentLocale()
  const { default: portalDefault } = (await currentSettings()).languages
  return (texts) => pickText(texts, locale, portalDefault)
}
