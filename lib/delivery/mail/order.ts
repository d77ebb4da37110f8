import { z } from 'zod'
import type { Op, Transaction } from '../../context/op'
import { seal, unseal } from '../../crypto/seal'
import { newId } from '../../crypto/secrets'
import { locales } from '../../i18n/locales'
import { enqueue, type NewMessage } from '../../store/delivery/outbox'
import { mailMode } from './mode'

/**
 * A page orders a mail; the outbox worker writes it. So the answer to "I forgot my password" takes
 * the same time whether or not the account exists (attack M1): nobody looks it up before the answer
 * was sent.
 */

const locale = z.enum(locales)
const returnTo = z.string()
const userId = z.string()
/** The server for this mail, whatever the settings say later; it is encrypted with the mail. */
const server = z.object({ url: z.string(), from: z.string(), guarded: z.boolean() })

/** Changes that the user has to know about, because somebody else may have made them. */
export const NOTICES = [
  'password_changed',
  'factor_added',
  'factor_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'wrong_codes',
  'mail_server_changed',
  'provider_changed',
  'email_changed',
  'email_left',
  'new_device',
  'deletion_asked',
  'deletion_cancelled',
  'app_signed_out',
  'impersonated',
  'account_merged',
  'account_merged_away',
] as const
export type Notice = (typeof NOTICES)[number]

export const FACTORS = ['totp', 'passkey', 'identity'] as const

/** What is told of an access request: to those who decide or review, and to the user who asked. */
const NEWS_TO_OTHERS = ['asked', 'emergency', 'review_reminder', 'review_missed'] as const
export const REQUEST_NEWS = [
  ...NEWS_TO_OTHERS,
  ...(['asked_for_you', 'approved', 'denied', 'expired', 'failed', 'revoked'] as const),
  ...(['opened', 'reviewed', 'right_lost'] as const),
] as const

export function isNewsToOthers(news: (typeof REQUEST_NEWS)[number]): boolean {
  return NEWS_TO_OTHERS.some((one) => one === news)
}

/** What reviewers are told: at the start, and before the deadline. */
const REVIEW_NEWS = ['asked', 'reminded'] as const

const noticeSchema = z.object({
  letter: z.literal('notice'),
  notice: z.enum(NOTICES),
  userId,
  locale,
  at: z.coerce.date(),
  ip: z.string().nullable(),
  userAgent: z.string().optional(),
  /** The kind of factor that it is about. */
  factor: z.enum(FACTORS).optional(),
  /** The name of the application that it is about. */
  app: z.string().optional(),
  /** The previous address, which gets a notice too. */
  to: z.string().optional(),
  /** The values before and after, and who changed them: names and hosts, never a secret. */
  change: z
    .object({
      what: z.string().optional(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      by: z.string(),
    })
    .optional(),
  /** Who looks at the account of the user, and why. */
  look: z.object({ by: z.string(), reason: z.string() }).optional(),
  via: server.optional(),
})

const orderSchema = z.discriminatedUnion('letter', [
  z.object({ letter: z.literal('reset'), identifier: z.string(), locale, returnTo }),
  z.object({
    letter: z.literal('sign_in'),
    identifier: z.string(),
    locale,
    returnTo,
    at: z.coerce.date(),
    ip: z.string().nullable(),
    userAgent: z.string(),
    /** Of the secret of the browser that asks: the code works only there. */
    browserHash: z.string(),
  }),
  z.object({ letter: z.literal('verify'), userId, locale, returnTo }),
  z.object({ letter: z.literal('address_taken'), userId, locale, returnTo }),
  z.object({ letter: z.literal('change_email'), userId, locale, email: z.string() }),
  z.object({
    letter: z.literal('invitation'),
    userId,
    locale,
    /** The ID of the user who invites; orders of earlier releases have none. */
    invitedBy: z.string().nullable().default(null),
  }),
  z.object({
    letter: z.literal('access_request'),
    userId,
    locale,
    news: z.enum(REQUEST_NEWS),
    request: z.string(),
    scope: z.string(),
  }),
  z.object({
    letter: z.literal('review'),
    userId,
    locale,
    news: z.enum(REVIEW_NEWS),
    review: z.string(),
    name: z.string(),
    deadline: z.coerce.date(),
  }),
  noticeSchema,
])

const mailSchema = z.object({
  letter: z.literal('written'),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** After this time the mail is of no use. */
  until: z.coerce.date(),
  via: server.optional(),
})

const payloadSchema = z.union([orderSchema, mailSchema])

export type Order = z.infer<typeof orderSchema>
export type SignInOrder = Extract<Order, { letter: 'sign_in' }>
export type NoticeOrder = z.infer<typeof noticeSchema>
export type Mail = z.infer<typeof mailSchema>

/** In the caller's transaction; if mail is off, nothing is stored. */
export function orderMail(op: Op, tx: Transaction, order: Order): Promise<void> {
  return orderMails(op, tx, [order])
}

/** In one statement, however many they are. */
export async function orderMails(op: Op, tx: Transaction, orders: readonly Order[]): Promise<void> {
  const isOff = mailMode(op) === 'off'
  const wanted = orders.filter((one) => !isOff || (one.letter === 'notice' && one.via))
  await enqueue(
    tx,
    wanted.map((order) => messageOf(op, order)),
  )
}

function messageOf(op: Op, order: Order): NewMessage {
  const id = newId('out')
  const payloadEncrypted = sealMail(op.outboxKey, id, order)
  return {
    id,
    kind: 'mail',
    dedupeKey: id,
    about: order.letter === 'notice' ? order.notice : order.letter,
    // A name that a visitor typed is looked up when the mail is written (attack M1).
    targetId: 'identifier' in order ? null : order.userId,
    payloadEncrypted,
    createdAt: op.now(),
  }
}

export function sealMail(key: Buffer, id: string, payload: Order | Mail): string {
  return seal(key, id, JSON.stringify(payload))
}

export function openMail(key: Buffer, id: string, sealed: string): Order | Mail {
  return payloadSchema.parse(JSON.parse(unseal(key, id, sealed)))
}
