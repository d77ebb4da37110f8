import type { Metadata } from 'next'
import { cookies, headers } from 'next/headers'
import { cache } from 'react'
import { PATH_HEADER } from '../base/page-headers'
import {
  isLocale,
  type Locale,
  localeOfPage,
  type Messages,
  messagesFor,
  negotiateLocale,
} from '../i18n'
import { pickText, type WrittenTexts } from '../i18n/pick-text'
import { findOwnInteraction } from '../oidc/authorize'
import { op } from '../op'
import type { Settings } from '../settings/effective'
import { interactionIn } from './return-to'

export const LOCALE_COOKIE = 'gatehouse.locale'

/** Path and query of the current page, as the proxy saw it. */
export async function currentPath(): Promise<string> {
  return (await headers()).get(PATH_HEADER) ?? '/'
}

/** The language that the reader chose or asked for. */
export const readerLocale = cache(async (): Promise<Locale> => {
  const cookie = (await cookies()).get(LOCALE_COOKIE)?.value
  const wishes = {
    cookie,
    uiLocales: isLocale(cookie) ? null : await wishOfApplication(),
    acceptLanguage: (await headers()).get('accept-language'),
  }
  return negotiateLocale(wishes, (await currentSettings()).languages)
})

/** The language of the current page, once for all its parts. */
export const currentLocale = cache(
  async (): Promise<Locale> => localeOfPage(await readerLocale(), await currentPath()),
)

/**
 * The languages that the application asked for: in the address, or in its request, of which the
 * page is one step. OpenID Connect Core §3.1.2.1, `ui_locales`.
 */
const wishOfApplication = cache(async (): Promise<string | null> => {
  const query = new URLSearchParams((await currentPath()).split('?')[1])
  const wish = query.get('ui_locales')
  const id = query.get('interaction') ?? interactionIn(query.get('returnTo') ?? '')
  if (wish !== null || id === undefined) return wish
  const own = await findOwnInteraction(await op(), { headers: await headers() }, id)
  return own?.ask.uiLocales ?? null
})

/** The settings for the current page. */
export const currentSettings = cache(async (): Promise<Settings> => {
  await headers() // pages that are built in advance must not read the settings
  return (await op()).settings.current()
})

export const currentMessages = cache(
  async (): Promise<Messages> => messagesFor(await currentLocale()),
)

/** A page's `generateMetadata`: its title in the language of the reader. */
export function pageTitle(titleIn: (messages: Messages) => string): () => Promise<Metadata> {
  return async () => ({ title: titleIn(await currentMessages()) })
}

export type TextPicker = (texts: WrittenTexts) => string | undefined

/** Chooses among texts in several languages for the reader. */
export async function currentTextPicker(): Promise<TextPicker> {
  const locale = await currentLocale()
  const { default: portalDefault } = (await currentSettings()).languages
  return (texts) => pickText(texts, locale, portalDefault)
}
