import { z } from 'zod'
import { isWebAddress } from '../../accounts/profile'
import { mixesAlphabets } from '../../base/alphabets'
import { parseEmail } from '../../base/email'
import { isPlainText } from '../../base/plain-text'
import { rule } from '../../i18n/error-message'
import { isTimeZone } from '../../i18n/moments'
import { MAX_ATTRIBUTES_SIZE } from '../../settings/model'
import { httpsSchema, NOT_PLAIN } from '../http/schemas'
import { withinSize } from './context-size'

/** What the API accepts about a user. */

/** One plain address: checked as typed, then normalised, then parsed (attack M26). */
export const emailSchema = z
  .string()
  .max(1_000)
  .regex(/^[^\p{Cc}\p{Cf},]*$/u, rule('one_email_needed'))
  .normalize('NFKC')
  .trim()
  .refine((email) => parseEmail(email) !== null, rule('email_needed'))

/** Letters of one alphabet only (attack M27). */
export const usernameSchema = z
  .string()
  .max(255)
  .normalize('NFKC')
  .trim()
  .regex(/^[\p{L}\p{M}\p{N}._-]{1,64}$/u, rule('username_shape'))
  // `.` and `..` would be another path in the URLs of applications that put it there.
  .refine((name) => /[\p{L}\p{N}]/u.test(name), rule('username_shape'))
  .refine((name) => !/^usr_/i.test(name), rule('username_like_id'))
  .refine((name) => !mixesAlphabets(name), rule('one_alphabet'))
  .describe('1 to 64 letters, digits, dots, underscores or hyphens; letters of one alphabet')

export const localeSchema = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/, rule('language_tag'))

/** The attributes that conditions read as `user.*`. */
export const attributesSchema = z
  .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, rule('attribute_shape')), z.unknown())
  .superRefine(withinSize)
  .refine(
    (attributes) => Buffer.byteLength(JSON.stringify(attributes)) <= MAX_ATTRIBUTES_SIZE,
    rule('too_many_bytes', { maximum: String(MAX_ATTRIBUTES_SIZE / 1024) }),
  )

const claimSchema = z
  .string()
  .max(200)
  .regex(/^[^\p{Cc}]*$/u, rule('control_characters'))
  .refine(isPlainText, NOT_PLAIN)
/** As users may give it themselves: a page is a link, so it may still be at http. */
const pageSchema = z
  .string()
  .max(500)
  .refine(isPlainText, NOT_PLAIN)
  .refine(isWebAddress, rule('web_address_needed'))
/** A postal address may contain line breaks. */
const linesSchema = z
  .string()
  .max(500)
  .regex(/^(?:[^\p{Cc}]|\n)*$/u, rule('control_characters'))

/** Standard claims that have no column of their own (OpenID Connect Core §5.1). */
export const profileSchema = z
  .strictObject({
    given_name: claimSchema,
    family_name: claimSchema,
    middle_name: claimSchema,
    nickname: claimSchema,
    profile: pageSchema,
    picture: httpsSchema,
    website: pageSchema,
    gender: claimSchema,
    birthdate: z.string().regex(/^(\d{4}|\d{4}-\d{2}-\d{2})$/, rule('birthdate_needed')),
    zoneinfo: claimSchema.refine(isTimeZone, rule('time_zone_needed')),
    locale: localeSchema,
    phone_number: z.string().regex(/^\+?[0-9 ().;=a-z-]{3,40}$/, rule('phone_needed')),
    phone_number_verified: z.boolean(),
    address: z
      .strictObject({
        formatted: linesSchema,
        street_address: linesSchema,
        locality: claimSchema,
        region: claimSchema,
        postal_code: claimSchema,
        country: claimSchema,
      })
      .partial(),
  })
  .partial()
