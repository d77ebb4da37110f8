import { z } from 'zod'
import { parseEmail } from '../base/email'
import { isPlainText } from '../base/plain-text'
import { withinSize } from './context-size'
import { httpsSchema, NOT_PLAIN } from './schemas'

/** What may be said about a person. */

const LARGEST_ATTRIBUTES = 8 * 1024

/** One plain address: looked at as typed, then normalised, then checked (attack M26). */
export const emailSchema = z
  .string()
  .max(1_000)
  .regex(/^[^\p{Cc}\p{Cf},]*$/u, 'one address, without commas or control characters')
  .normalize('NFKC')
  .trim()
  .refine((email) => parseEmail(email) !== null, 'an e-mail address')

/** Letters of one alphabet: `аdmin` with a Cyrillic letter is somebody else (attack M27). */
const LOOKALIKES = /\p{Script=Latin}/u
const OTHER_ALPHABETS =
  /\p{Script=Cyrillic}|\p{Script=Greek}|\p{Script=Armenian}|\p{Script=Cherokee}/u

export const usernameSchema = z
  .string()
  .max(255)
  .normalize('NFKC')
  .trim()
  .regex(/^[\p{L}\p{M}\p{N}._-]{1,64}$/u, 'letters, digits, dots and dashes; at most 64')
  .refine((name) => !/^usr_/i.test(name), 'this looks like an id')
  .refine(
    (name) => !(LOOKALIKES.test(name) && OTHER_ALPHABETS.test(name)),
    'letters of one alphabet',
  )

export const localeSchema = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'a language tag such as en or zh-Hans')

/** What conditions read as `user.*`. */
export const attributesSchema = z
  .record(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'a name that a condition can write'),
    z.unknown(),
  )
  .superRefine(withinSize)
  .refine(
    (attributes) => Buffer.byteLength(JSON.stringify(attributes)) <= LARGEST_ATTRIBUTES,
    `at most ${LARGEST_ATTRIBUTES / 1024} KiB`,
  )

const claimSchema = z
  .string()
  .max(200)
  .regex(/^[^\p{Cc}]*$/u, 'no control characters')
  .refine(isPlainText, NOT_PLAIN)
/** An address has lines. */
const linesSchema = z
  .string()
  .max(500)
  .regex(/^(?:[^\p{Cc}]|\n)*$/u, 'no control characters')

/** The standard claims that no column holds (OpenID Connect Core §5.1). */
export const profileSchema = z
  .strictObject({
    given_name: claimSchema,
    family_name: claimSchema,
    middle_name: claimSchema,
    nickname: claimSchema,
    profile: httpsSchema,
    picture: httpsSchema,
    website: httpsSchema,
    gender: claimSchema,
    birthdate: z.string().regex(/^(\d{4}|\d{4}-\d{2}-\d{2})$/, 'YYYY-MM-DD, or YYYY'),
    zoneinfo: claimSchema,
    locale: localeSchema,
    phone_number: z.string().regex(/^\+?[0-9 ().;=a-z-]{3,40}$/, 'a telephone number'),
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
