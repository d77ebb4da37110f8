import { deviceOf } from '../accounts/device'
import { type Locale, messagesFor } from '../i18n'
import { fill } from '../i18n/fill'
import type { Op } from '../op'
import type { Transaction } from '../store/database'
import type { UserRecord } from '../store/users'
import { type NoticeOrder, orderMail } from './order'

/** A letter for each change that could be somebody else's: what, when, from where. */

type News = Pick<NoticeOrder, 'notice' | 'factor' | 'app' | 'to'>
type Origin = { ip: string | null; userAgent?: string; locale?: Locale }

/** In the transaction of the change itself. */
export function orderNotice(
  op: Op,
  tx: Transaction,
  userId: string,
  news: News,
  { ip, userAgent, locale = 'en' }: Origin,
): Promise<void> {
  const from = { ip, ...(userAgent !== undefined && { userAgent }) }
  return orderMail(op, tx, { letter: 'notice', userId, locale, at: op.now(), ...from, ...news })
}

export function factsOf(
  { at, ip, userAgent, factor, app }: NoticeOrder,
  { profile }: UserRecord,
  locale: Locale,
): [string, string][] {
  const { facts, factors } = messagesFor(locale).mail.letters
  return [
    ...(factor ? [[facts.what, factors[factor]] as [string, string]] : []),
    ...(app ? [[facts.app, app] as [string, string]] : []),
    [facts.when, moment(at, locale, profile.zoneinfo)],
    ...(userAgent ? [[facts.device, deviceInWords(userAgent, locale)] as [string, string]] : []),
    [facts.address, ip ?? facts.unknownAddress],
  ]
}

function deviceInWords(userAgent: string, locale: Locale): string {
  const words = messagesFor(locale).account.sessions
  const { browser, system } = deviceOf(userAgent)
  return fill(words.device, {
    browser: browser ?? words.unknownBrowser,
    system: system ?? words.unknownSystem,
  })
}

function moment(at: Date, locale: Locale, zone: unknown): string {
  const format = { dateStyle: 'long', timeStyle: 'long' } as const
  const inZone = (timeZone: string) =>
    new Intl.DateTimeFormat(locale, { ...format, timeZone }).format(at)
  try {
    return inZone(typeof zone === 'string' ? zone : 'UTC')
  } catch {
    return inZone('UTC') // a zone that this build of Intl has never heard of
  }
}
