import type { Config } from '../config'
import type { Incoming, Reply } from '../http'
import { frontDoorEn } from '../i18n/front-door-en'
import { frontDoorZh } from '../i18n/front-door-zh'
import { PLAIN_PAGE_HEADERS, plainPage, wishedLocale } from '../plain-page'
import { isForeignChange } from '../same-origin'
import { askedHost, FOREIGN_HOST, isKnownHost, ownOrigins } from './known-host'

type Asked = Pick<Incoming, 'method' | 'headers'>

const WORDS = { en: frontDoorEn, 'zh-Hans': frontDoorZh }

/**
 * Whom no page answers, in either host: strangers' names and other sites' forms (attack-list M13,
 * M19). The endpoints of the direct line have rules of their own; everything else comes through here.
 */
export function refusedAtTheDoor(config: Config, asked: Asked): Reply | null {
  const host = askedHost(config, asked.headers)
  if (host === null || !isKnownHost(config, host)) return FOREIGN_HOST
  return isForeignChange(asked, ownOrigins(config, host)) ? foreignForm(asked) : null
}

function foreignForm({ headers }: Asked): Reply {
  const locale = wishedLocale(headers)
  const { title, text, link } = WORDS[locale]
  const main = `<p>${text}</p>\n<p><a href="/">${link}</a></p>`
  return {
    status: 403,
    headers: {
      ...PLAIN_PAGE_HEADERS,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      Connection: 'close', // whatever else was sent is not read
    },
    body: plainPage(locale, title, main),
  }
}
