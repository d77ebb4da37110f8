import { z } from 'zod'
import { ConditionError, requireMeetable } from '../../access/condition'
import { OPENID_SCOPES } from '../../access/decide-scopes'
import { isPortalPrefix, isPortalScope } from '../../access/portal-api'
import { isPlainText } from '../../base/plain-text'
import { errorMessage, rule, ruleFor } from '../../i18n/error-message'
import { locales } from '../../i18n/locales'
import { isPlainHttps } from '../../oidc/redirect-uri'
import { invalidField } from './problem'

/** Schemas that several routes share. A body may contain only what its schema names. */

/** The message for every name (attack N17). */
export const NOT_PLAIN = rule('not_plain')

export const keySchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, rule('key_shape'))
  // A path names an object by ID or by key: a key must not look like the ID of another object.
  .refine((key) => !/^(spc|rol|grp)_/.test(key), rule('key_like_id'))
export const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}]*$/u, rule('control_characters'))
  .refine(isPlainText, NOT_PLAIN)
export const prefixSchema = z
  .string()
  .regex(/^[a-z][a-z0-9._-]{0,62}$/, rule('prefix_shape'))
  .refine((prefix) => !isPortalPrefix(prefix), rule('prefix_reserved'))
export const textSchema = z
  .string()
  .max(1_000)
  .regex(/^[^\p{Cc}]*$/u, rule('control_characters'))
/** What people write about something: it may have several lines. */
export const wordsSchema = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .regex(/^(?:[^\p{Cc}]|[\r\n\t])*$/u, rule('control_characters'))
export const idSchema = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}]*$/u, rule('control_characters'))
/** PostgreSQL has no year 0, and after 9999 a date is written differently. */
export const dateSchema = z.iso.datetime({ offset: true }).refine((text) => {
  const year = new Date(text).getUTCFullYear()
  return year >= 1970 && year <= 9999
}, rule('date_range'))
/** In a query, every value is text. */
export const yesOrNo = z.enum(['true', 'false'])

export function isYes(said: z.infer<typeof yesOrNo> | undefined): boolean | undefined {
  return said === undefined ? undefined : said === 'true'
}

/** What users read on the consent page. A language may be left out. */
export const languageSchema = z.partialRecord(
  z.enum(locales),
  textSchema.refine(isPlainText, NOT_PLAIN),
)

/** RFC 6749 §3.3; neither a pattern nor a reserved name. */
export const itemKeySchema = z
  .string()
  .max(255)
  .regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/, rule('printable_needed'))
  .refine((key) => !key.includes('*'), rule('permission_star'))
  .refine((key) => !OPENID_SCOPES.has(key), rule('permission_openid'))
  .refine((key) => !isPortalScope(key), rule('permission_portal'))

export const patternSchema = z
  .string()
  .max(255)
  .regex(/^[\x21\x23-\x29\x2B-\x5B\x5D-\x7E]+(:\*)?$/, rule('pattern_shape'))

/**
 * A chosen client ID is the same in every portal. It must not look like an access key or a user ID.
 */
export const chosenClientId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{2,62}$/, rule('client_id_shape'))
  .refine((id) => !/^(usr|ak)_/.test(id), rule('client_id_like_id'))
  .describe(
    'A client ID of your own: 3 to 63 letters, digits, dots, underscores or hyphens. If it is missing, one is generated',
  )

/** A chosen ID is the same in every portal. Names and clients never look like it. */
export const chosenUserId = z
  .string()
  .regex(/^usr_[A-Za-z0-9_-]{3,60}$/, rule('user_id_shape'))
  .describe(
    'An ID of your own, which applications see as sub: usr_ and 3 to 60 letters, digits, underscores or hyphens. If it is missing, one is generated',
  )

export const chosenAccessKey = z
  .string()
  .regex(/^ak_[A-Za-z0-9_-]{3,60}$/, rule('access_key_shape'))

const SECRET_RULE = rule('secret_shape')

/** A chosen secret must be as long as a generated one. */
export const chosenSecret = z
  .string()
  .min(32, SECRET_RULE)
  .max(255, SECRET_RULE)
  .regex(/^[\x21-\x7E]+$/, SECRET_RULE)
  .describe(
    'A secret of your own: 32 to 255 printable ASCII characters without spaces. If it is missing, one is generated',
  )

/** RFC 6749 §3.3. The scope need not be registered. */
export const scopeSchema = z
  .string()
  .max(255)
  .regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/, rule('printable_needed'))

/** Links and images that users see must be https (attack N17). */
const MAX_LOGO_LENGTH = 64 * 1024

/** A raster image as a data: URI, so that browsers of users fetch nothing from elsewhere. */
export const logoSchema = z
  .string()
  .max(MAX_LOGO_LENGTH)
  .refine((uri) => RASTER.test(uri) || httpsSchema.safeParse(uri).success, rule('logo_needed'))

const RASTER = /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/

export const httpsSchema = z.string().refine(isPlainHttps, rule('https_needed'))

/** As long as `max_age` of a request can be. */
export const maxAgeSchema = z.int().min(0).max(999_999_999)

/** Parsed, type-checked and limited before it is stored; an error says where the mistake is. */
export const conditionSchema = z.string().superRefine((source, context) => {
  try {
    requireMeetable(source)
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    context.addIssue({ code: 'custom', message: ruleFor(conditionMistake(error)), input: source })
  }
})

/** `at`: the character, from 1, where the mistake begins. */
export function conditionMistake({ fault, position }: ConditionError) {
  const { code, ...values } = fault
  const all = { ...values, ...(position && { at: position.start + 1 }) }
  const named = Object.entries(all).map(([name, value]) => [name, String(value)])
  return { code: `condition_${code}` as const, values: Object.fromEntries(named) }
}

/** The terms of a grant or an assignment. */
export const termsShape = {
  effect: z.enum(['allow', 'deny']).default('allow'),
  condition: conditionSchema.nullable().default(null),
  validFrom: dateSchema.nullable().default(null),
  validUntil: dateSchema.nullable().default(null),
}

export const termsWire = {
  effect: z.enum(['allow', 'deny']),
  condition: z.string().nullable(),
  validFrom: z.string().nullable(),
  validUntil: z.string().nullable(),
}

export const stampsWire = { createdAt: z.string(), updatedAt: z.string() }

export function iso(date: Date): string
export function iso(date: Date | null): string | null
export function iso(date: Date | null): string | null {
  return date === null ? null : date.toISOString()
}

export function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

export function requireFuture(pointer: string, date: Date | null, now: Date): void {
  if (date !== null && date <= now) throw invalidField(pointer, errorMessage('future_needed'))
}
