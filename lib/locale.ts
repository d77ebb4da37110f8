import { cookies, headers } from 'next/headers'
import { PATH_HEADER } from './host/page-headers'
import { type Locale, type Messages, messagesFor, negotiateLocale } from './i18n'

export const LOCALE_COOKIE = 'gatehouse.locale'

/** Path and query of the page being shown, as the proxy saw it. */
export async function currentPath(): Promise<string> {
  return (await headers()).get(PATH_HEADER) ?? '/'
}

export async function currentLocale(): Promise<Locale> {
  const query = (await currentPath()).split('?')[1]
  return negotiateLocale({
    cookie: (await cookies()).get(LOCALE_COOKIE)?.value,
    uiLocales: new URLSearchParams(query).get('ui_locales'),
    acceptLanguage: (await headers()).get('accept-language'),
  })
}

export async function currentMessages(): Promise<Messages> {
  return messagesFor(await currentLocale())
}
