import { deviceOf } from '../../base/device'
import { cleanText } from '../../base/plain-text'
import type { Op, Transaction } from '../../context/op'
import type { Locale, Messages } from '../../i18n'
import { fill } from '../../i18n/fill'
import { written, zoneAmong } from '../../i18n/moments'
import { listOwners, type UserRecord } from '../../store/accounts/users'
import { type NoticeOrder, orderMail } from './order'

/** A notice for each change that somebody else could have made: what, when, from where. */

type News = Pick<NoticeOrder, 'notice' | 'factor' | 'app' | 'to' | 'change' | 'look' | 'via'>
/** The language of the reader, with its words. */
export type Language = { locale: Locale; messages: Messages }
type Origin = { ip: string | null; userAgent?: string; locale?: Locale }

/** In the transaction of the change itself. */
export function orderNotice(
  op: Op,
  tx: Transaction,
  userId: string,
  news: News,
  { ip, userAgent, locale = op.settings.known().languages.default }: Origin,
): Promise<void> {
  const from = { ip, ...(userAgent !== undefined && { userAgent }) }
  return orderMail(op, tx, { letter: 'notice', userId, locale, at: op.now(), ...from, ...news })
}

/** To every owner: who has changed how users sign in. */
export async function tellOwners(
  op: Op,
  tx: Transaction,
  news: News,
  origin: Origin,
): Promise<void> {
  for (const userId of await listOwners(tx)) await orderNotice(op, tx, userId, news, origin)
}

type Facts = Pick<
  NoticeOrder,
  'at' | 'ip' | 'userAgent' | 'factor' | 'app' | 'change' | 'look' | 'via'
>

export function factsOf(
  op: Pick<Op, 'places'>,
  { at, ip, userAgent, factor, app, change, look, via }: Facts,
  { profile }: UserRecord,
  { locale, messages }: Language,
): [string, string][] {
  const { facts, factors } = messages.mail.letters
  const place = op.places.of(ip, locale)
  // Where the admin is at work is nothing that the user has to know.
  const address: [string, string][] = look ? [] : [[facts.address, ip ?? facts.unknownAddress]]
  return [
    ...(factor ? [[facts.what, factors[factor]] as [string, string]] : []),
    ...(app ? [[facts.app, app] as [string, string]] : []),
    ...(change ? changeOf(change, facts) : []),
    ...(look ? lookOf(look, facts) : []),
    [facts.when, written(at, 'letter', { locale, zone: zoneAmong(profile.zoneinfo) })],
    ...(userAgent ? [[facts.device, deviceInWords(userAgent, messages)] as [string, string]] : []),
    ...address,
    ...(place === null ? [] : [[facts.place, place] as [string, string]]),
    ...(via ? [[facts.via, new URL(via.url).host] as [string, string]] : []),
  ]
}

type FactNames = Messages['mail']['letters']['facts']

function changeOf(
  { what, before, after, by }: NonNullable<NoticeOrder['change']>,
  facts: FactNames,
): [string, string][] {
  return [
    ...(what ? [[facts.what, what] as [string, string]] : []),
    [facts.before, before ?? facts.nothing],
    [facts.after, after ?? facts.nothing],
    [facts.by, by],
  ]
}

function lookOf({ by, reason }: NonNullable<NoticeOrder['look']>, facts: FactNames) {
  return [
    [facts.admin, cleanText(by)],
    [facts.reason, cleanText(reason)],
  ] satisfies [string, string][]
}

function deviceInWords(userAgent: string, { account }: Messages): string {
  const words = account.sessions
  const { browser, system } = deviceOf(userAgent)
  return fill(words.device, {
    browser: browser ?? words.unknownBrowser,
    system: system ?? words.unknownSystem,
  })
}
