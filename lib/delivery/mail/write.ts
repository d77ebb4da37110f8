import { cleanText } from '../../base/plain-text'
import type { Reader as Db, Op, Transaction } from '../../context/op'
import { newSecret } from '../../crypto/secrets'
import { isLocale, type Messages, messagesFor } from '../../i18n'
import { fill } from '../../i18n/fill'
import { written, zoneAmong } from '../../i18n/moments'
import { type LinkBearer, saveLink } from '../../store/accounts/links'
import { findByIdentifier, findUser, type UserRecord } from '../../store/accounts/users'
import { greetingOf } from './greeting'
import { LINK_MS } from './link-times'
import { factsOf, type Language } from './notices'
import { isNewsToOthers, type Mail, type Notice, type Order, type SignInOrder } from './order'
import { hasCodesLeft, newSignInCode, shownCode } from './sign-in-code'
import { asHtml, asText, type Letter } from './template'

/** From an order to a mail: the recipient, their language, and a link that is created for it. */

const NEWS_MS = 24 * 60 * 60 * 1000
const MAX_RETURN_LENGTH = 1024

type Reader = UserRecord & { email: string }
type Words = Omit<Letter, 'from' | 'locale' | 'greeting'>

/** Null if there is no recipient. */
export async function writeLetter(
  op: Op,
  tx: Transaction,
  order: Order,
): Promise<{ mail: Mail; readerId: string } | null> {
  const reader = await readerOf(op, tx, order)
  if (!reader) return null
  const locale = isLocale(reader.locale) ? reader.locale : order.locale
  const messages = await messagesFor(locale)
  const greeting = greetingOf(messages.mail.letters, reader.name)
  const from = cleanText(op.settings.known().branding.name)
  const letter = {
    from,
    locale,
    greeting,
    ...(await wordsOf(op, tx, order, reader, { locale, messages })),
  }
  const mail: Mail = {
    letter: 'written',
    to: (order.letter === 'notice' && order.to) || reader.email,
    subject: letter.subject,
    text: asText(letter),
    html: asHtml(letter),
    until: new Date(op.now().getTime() + lifeOf(order)),
    ...(order.letter === 'notice' && order.via && { via: order.via }),
  }
  return { mail, readerId: reader.id }
}

async function readerOf(op: Op, tx: Transaction, order: Order): Promise<Reader | null> {
  const user =
    'identifier' in order
      ? await findByIdentifier(tx, order.identifier)
      : await findUser(tx, order.userId)
  // The mail about a new address goes to that new address.
  const left = order.letter === 'notice' ? (order.to ?? null) : null
  const email = order.letter === 'change_email' ? order.email : (user?.email ?? left)
  if (!user || user.disabledAt !== null || email === null) return null
  if (order.letter === 'verify' && user.emailVerified) return null
  if (order.letter === 'sign_in') {
    if (!user.emailVerified || !(await hasCodesLeft(op, tx, user.id))) return null
  }
  return { ...user, email }
}

const PURPOSES = {
  reset: 'reset',
  sign_in: 'sign_in',
  verify: 'verify',
  change_email: 'email',
  invitation: 'invite',
} as const

function lifeOf({ letter }: Order): number {
  return letter in PURPOSES ? LINK_MS[PURPOSES[letter as keyof typeof PURPOSES]] : NEWS_MS
}

async function wordsOf(
  op: Op,
  tx: Transaction,
  order: Order,
  reader: Reader,
  language: Language,
): Promise<Words> {
  const { letters } = language.messages.mail
  const host = new URL(op.origin).host
  const returnTo = 'returnTo' in order ? order.returnTo : '/'
  const bearer = { userId: reader.id, email: reader.email }
  const link = (purpose: keyof typeof LINK_MS, path: string) =>
    newLink(op, tx, bearer, { purpose, path, returnTo })
  switch (order.letter) {
    case 'reset': {
      const { subject, text, button, note, ignore } = letters.reset
      const href = await link('reset', '/reset')
      return words(subject, [fill(text, { host })], { label: button, href }, [note, ignore])
    }
    case 'sign_in': {
      const facts = factsOf(op, order, reader, language)
      return { ...(await signInWords(op, tx, bearer, order, letters.signIn)), facts }
    }
    case 'verify': {
      const { subject, text, button, note, ignore } = letters.verify
      const href = await link('verify', '/verify')
      const about = fill(text, { host, email: reader.email })
      return words(subject, [about], { label: button, href }, [note, ignore])
    }
    case 'change_email': {
      const { subject, text, button, note, ignore } = letters.changeEmail
      const href = await link('email', '/email')
      const about = fill(text, { host, email: reader.email })
      return words(subject, [about], { label: button, href }, [note, ignore])
    }
    case 'invitation':
      return invitationWords(op, tx, { ...bearer, invitedBy: order.invitedBy }, letters.invitation)
    case 'address_taken': {
      const { subject, text, button, ignore } = letters.addressTaken
      const href = address(op.origin, '/login', { returnTo })
      return words(subject, [fill(text, { host })], { label: button, href }, [ignore])
    }
    case 'access_request': {
      const { subject, text, button } = letters.accessRequest[order.news]
      const page = isNewsToOthers(order.news) ? '/account/approvals' : '/account/access'
      const href = address(op.origin, `${page}/${order.request}`, {})
      const about = fill(text, { host, scope: order.scope })
      return words(subject, [about], { label: button, href }, [])
    }
    case 'review': {
      const { subject, text, button } = letters.review[order.news]
      const href = address(op.origin, `/account/reviews/${order.review}`, {})
      const clock = { locale: language.locale, zone: zoneAmong(reader.profile.zoneinfo) }
      const day = written(order.deadline, 'letter', clock)
      const about = fill(text, { host, name: order.name, day })
      return words(subject, [about], { label: button, href }, [])
    }
    case 'notice': {
      const { subject, text } = letters.notices[order.notice]
      const facts = factsOf(op, order, reader, language)
      const paragraphs = [fill(text, { host, email: reader.email })]
      const notMe = () => link('not_me', '/not-me')
      const out = await wayOut(op, order.notice, letters, notMe)
      return { subject, paragraphs, facts, ...out, notes: [] }
    }
  }
}

type Letters = Messages['mail']['letters']

async function signInWords(
  op: Op,
  tx: Transaction,
  bearer: LinkBearer,
  order: SignInOrder,
  { subject, text, where, button, note, ignore }: Letters['signIn'],
): Promise<Words> {
  const { host } = new URL(op.origin)
  const { code, token } = await newSignInCode(op, tx, bearer, order)
  const href = address(op.origin, '/login/code', { token, returnTo: order.returnTo })
  const about = words(subject, [fill(text, { host })], { label: button, href }, [note, ignore])
  return { ...about, code: shownCode(code), advice: where }
}

async function invitationWords(
  op: Op,
  tx: Transaction,
  bearer: LinkBearer,
  { subject, by, text, button, note, ignore }: Letters['invitation'],
): Promise<Words> {
  const { host } = new URL(op.origin)
  const inviter = await inviterOf(tx, bearer)
  const href = await newLink(op, tx, bearer, { purpose: 'invite', path: '/invite' })
  const named = inviter === null ? [] : [fill(by, { name: cleanText(inviter), host })]
  const paragraphs = [...named, fill(text, { host })]
  return words(subject, paragraphs, { label: button, href }, [note, ignore])
}

/** What the person is called who invites; null for an application, or if they are gone. */
export async function inviterOf(
  db: Db,
  { invitedBy }: Pick<LinkBearer, 'invitedBy'>,
): Promise<string | null> {
  const inviter = invitedBy ? await findUser(db, invitedBy) : null
  return inviter && (inviter.name ?? inviter.email ?? inviter.username)
}

/** What to do if it was somebody else. */
async function wayOut(
  op: Op,
  notice: Notice,
  letters: Letters,
  notMe: () => Promise<string>,
): Promise<Pick<Words, 'advice' | 'button'>> {
  switch (notice) {
    // If the change was not theirs, the reader of the old address has lost the account: no link
    // helps them.
    case 'email_left':
    case 'account_merged_away':
      return { advice: letters.notYouAskForHelp }
    case 'wrong_codes':
      return { advice: letters.codesLocked, button: { label: letters.notMe, href: await notMe() } }
    case 'mail_server_changed':
    case 'provider_changed': {
      const href = address(op.origin, '/admin/audit', { event: 'settings.*' })
      return { advice: letters.notOneOfYou, button: { label: letters.auditLog, href } }
    }
    case 'impersonated': {
      const { advice, button: label } = letters.lookedAt
      return { advice, button: { label, href: address(op.origin, '/account/activity', {}) } }
    }
    default:
      return { advice: letters.notYou, button: { label: letters.notMe, href: await notMe() } }
  }
}

function words(
  subject: string,
  paragraphs: string[],
  button: { label: string; href: string },
  notes: string[],
): Words {
  return { subject, paragraphs, button, notes }
}

type LinkTo = { purpose: keyof typeof LINK_MS; path: string; returnTo?: string }

/** Works once, for the user and the address that it was created for. */
export async function newLink(
  op: Op,
  tx: Transaction,
  bearer: LinkBearer,
  { purpose, path, returnTo = '/' }: LinkTo,
): Promise<string> {
  const token = newSecret('ghlk')
  const now = op.now()
  await saveLink(tx, {
    tokenHash: op.hashSecret(token),
    purpose,
    ...bearer,
    createdAt: now,
    expiresAt: new Date(now.getTime() + LINK_MS[purpose]),
  })
  return address(op.origin, path, { token, returnTo })
}

/** The address of the issuer, whatever Host a request had (attack M25). */
function address(origin: string, path: string, fields: Record<string, string>): string {
  const kept = Object.entries(fields).filter(
    ([name, value]) => name !== 'returnTo' || (value !== '/' && value.length <= MAX_RETURN_LENGTH),
  )
  const query = new URLSearchParams(kept).toString()
  return `${origin}${path}${query && `?${query}`}`
}
