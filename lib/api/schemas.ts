import { z } from 'zod'
import { ConditionError, compileCondition } from '../access/condition'
import { OPENID_SCOPES } from '../access/decide-scopes'
import { isPortalPrefix, isPortalScope } from '../access/portal-api'
import { isPlainText } from '../base/plain-text'
import { locales } from '../i18n/locales'
import { isPlainHttps } from '../oidc/redirect-uri'
import { invalidField } from './problem'

/** Words and things that several routes speak of. What a body may hold is all that it may hold. */

/** Said of every name (attack N17). */
export const NOT_PLAIN = 'no control, direction or invisible characters'

export const keySchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'lower-case letters, digits, dots, dashes; at most 63')
  // A path names things by id or by key: no key may be another one's id.
  .refine((key) => !/^(spc|rol|grp)_/.test(key), 'this looks like an id')
export const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}]*$/u, 'no control characters')
  .refine(isPlainText, NOT_PLAIN)
export const prefixSchema = z
  .string()
  .regex(/^[a-z][a-z0-9._-]{0,62}$/, 'lower-case letters, digits, dots, dashes; at most 63')
  .refine((prefix) => !isPortalPrefix(prefix), 'this prefix is the portal’s')
export const textSchema = z
  .string()
  .max(1_000)
  .regex(/^[^\p{Cc}]*$/u, 'no control characters')
export const idSchema = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}]*$/u, 'no control characters')
/** PostgreSQL has no year 0, and after 9999 a date is written differently. */
export const dateSchema = z.iso.datetime({ offset: true }).refine((text) => {
  const year = new Date(text).getUTCFullYear()
  return year >= 1970 && year <= 9999
}, 'a time between 1970 and 9999')
/** In a query, where everything is text. */
export const yesOrNo = z.enum(['true', 'false'])

export function isYes(said: z.infer<typeof yesOrNo> | undefined): boolean | undefined {
  return said === undefined ? undefined : said === 'true'
}

/** What people read when they agree; whoever writes one language need not write the others. */
export const languageSchema = z.partialRecord(
  z.enum(locales),
  textSchema.refine(isPlainText, NOT_PLAIN),
)

/** RFC 6749 §3.3; no pattern, and none of the reserved names. */
export const itemKeySchema = z
  .string()
  .max(255)
  .regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/, 'printable ASCII without spaces, quotes or backslashes')
  .refine((key) => !key.includes('*'), 'a permission item is no pattern')
  .refine((key) => !OPENID_SCOPES.has(key), 'this name belongs to OpenID Connect')
  .refine((key) => !isPortalScope(key), 'this name belongs to the portal’s own API')

export const patternSchema = z
  .string()
  .max(255)
  .regex(/^[\x21\x23-\x29\x2B-\x5B\x5D-\x7E]+(:\*)?$/, 'an item, such as orders:read, or orders:*')

/**
 * One that stays the same wherever it is applied; never what an access key or a person is called.
 */
export const chosenClientId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{2,62}$/, 'letters, digits, dots, dashes; 3 to 63')
  .refine((id) => !/^(usr|ak)_/.test(id), 'this looks like an id of something else')

export const chosenAccessKey = z
  .string()
  .regex(/^ak_[A-Za-z0-9_-]{3,60}$/, 'ak_ and letters, digits')

/** A secret that somebody brings along is as long as one of ours. */
export const chosenSecret = z
  .string()
  .min(32)
  .max(255)
  .regex(/^[\x21-\x7E]+$/, 'printable ASCII without spaces')
  .describe('One of your own; without it, one is made')

/** RFC 6749 §3.3, whether anybody registered it or not. */
export const scopeSchema = z
  .string()
  .max(255)
  .regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/, 'printable ASCII without spaces, quotes or backslashes')

/** What people are led to, or shown: nothing but https (attack N17). */
const LONGEST_LOGO = 64 * 1024

/** A raster picture that comes with the object: shown to people, so nothing is fetched for them. */
export const logoSchema = z
  .string()
  .max(LONGEST_LOGO)
  .refine(
    (uri) => RASTER.test(uri) || httpsSchema.safeParse(uri).success,
    'must be an https address, or a data: URI of a PNG, JPEG or WebP picture of at most 64 KiB',
  )

const RASTER = /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/

export const httpsSchema = z.string().refine(isPlainHttps, 'an https address')

/** Parsed, type-checked and bounded before it is stored; a mistake says where it is. */
export const conditionSchema = z.string().superRefine((source, context) => {
  try {
    compileCondition(source)
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    const at = error.position ? ` (at character ${error.position.start + 1})` : ''
    context.addIssue({ code: 'custom', message: `${error.message}${at}`, input: source })
  }
})

/** What makes a grant or an assignment hold only for a while, or only on an occasion. */
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
  if (date !== null && date <= now) throw invalidField(pointer, 'this is in the past')
}
