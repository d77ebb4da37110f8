import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { cache } from 'react'
import { PATH_HEADER } from '../base/page-headers'
import { type Locale, localeOfPage, type Messages, messagesFor } from '../i18n'
import { pickText, type WrittenTexts } from '../i18n/pick-text'
import { op } from '../op'
import type { Settings } from '../settings/effective'
import { currentPreview } from './preview'
import { localeOfReader } from './reader-locale'

/** Path and query of the current page, as the proxy saw it. */
export async function currentPath(): Promise<string> {
  return (await headers()).get(PATH_HEADER) ?? '/'
}

/** The language that the reader chose or asked for. */
export const readerLocale = cache(async (): Promise<Locale> => {
  const preview = await currentPreview()
  if (preview) return preview.locale
  return localeOfReader(await op(), { headers: await headers() }, await currentPath())
})

/** The language of the current page, once for all its parts. */
export const currentLocale = cache(
  async (): Promise<Locale> => localeOfPage(await readerLocale(), await currentPath()),
)

/** The settings for the current page. */
export const currentSettings = cache(async (): Promise<Settings> => {
  await headers() // pages that are built in advance must not read the settings
  const settings = await (await op()).settings.current()
  const preview = await currentPreview()
  return preview ? { ...settings, branding: preview.branding } : settings
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
