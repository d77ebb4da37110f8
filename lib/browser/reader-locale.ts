import { queryOf } from '../base/http'
import type { Op } from '../context/op'
import { isLocale, type Locale, negotiateLocale } from '../i18n'
import { findOwnInteraction } from '../oidc/authorize'
import { readCookie } from '../oidc/cookies'
import type { Browser } from './browser'
import { interactionIn } from './return-to'

export const LOCALE_COOKIE = 'gatehouse.locale'

type Reader = Pick<Browser, 'headers'>

/** The language that the reader of this page chose or asked for. */
export async function localeOfReader(op: Op, reader: Reader, path: string): Promise<Locale> {
  const cookie = readCookie(reader, LOCALE_COOKIE)
  const wishes = {
    cookie,
    uiLocales: isLocale(cookie) ? null : await wishOfApplication(op, reader, path),
    acceptLanguage: reader.headers.get('accept-language'),
  }
  return negotiateLocale(wishes, (await op.settings.current()).languages)
}

/**
 * The languages that the application asked for: in the address, or in its request, of which the
 * page is one step. OpenID Connect Core §3.1.2.1, `ui_locales`.
 */
async function wishOfApplication(op: Op, reader: Reader, path: string): Promise<string | null> {
  const query = new URLSearchParams(queryOf(path))
  const wish = query.get('ui_locales')
  const id = query.get('interaction') ?? interactionIn(query.get('returnTo') ?? '')
  if (wish !== null || id === undefined) return wish
  const own = await findOwnInteraction(op, reader, id)
  return own?.ask.uiLocales ?? null
}
