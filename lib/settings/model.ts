import { z } from 'zod'
import { IMPERSONATION_MODES, IMPERSONATORS } from '../access/impersonation'
import type { Links, Pictures } from '../base/branding'
import { isColour, isReadable, MIN_CONTRAST, type Theme } from '../base/contrast'
import { isPlainText } from '../base/plain-text'
import {
  EVERY_METHOD,
  type MethodChoice,
  SIGN_IN_METHODS,
  type SignInMethod,
} from '../base/sign-in-methods'
import { rule } from '../i18n/error-message'
import { DEFAULT_LOCALE, isLocale, type Locale, locales } from '../i18n/locales'
import { clientRegistrationShape } from './client-registration'
import { writtenProvider } from './providers'
import { isSender, isSmtpUrl } from './smtp'

/** The settings that admins change: one row. The schemas here are used by the API and the store. */

const name = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[^\p{Cc}]*$/u, rule('control_characters'))
  .refine(isPlainText, rule('not_plain'))

export const REGISTRATIONS = ['closed', 'open'] as const

/** NIST SP 800-63B-4 §3.1.1.2: 15 characters for a password alone, 8 with a second factor. */
export const securityShape = {
  passwordLength: z
    .int()
    .min(15)
    .max(64)
    .describe('Minimum length of a password that is the only factor'),
  passwordLengthWithFactor: z
    .int()
    .min(8)
    .max(64)
    .describe('Minimum length of a password with a second factor'),
  breachedPasswords: z
    .boolean()
    .describe(
      'New passwords are looked up in a service of breached passwords, by the first five characters of their hash',
    ),
  adminSecondFactor: z
    .boolean()
    .describe(
      'Admins must prove a second factor at each sign-in before they can use the admin pages or the API',
    ),
  mailSignIn: z
    .boolean()
    .describe('Users may sign in with a code that is mailed to their verified address'),
  trustedDeviceDays: z
    .int()
    .min(0)
    .max(365)
    .describe('How long a device that users trust is not asked for a second factor; 0 for never'),
  sessionIdleMinutes: z
    .int()
    .min(5)
    .max(43_200)
    .describe('A session ends after this time without use'),
  sessionHours: z.int().min(1).max(8_760).describe('A session ends after this time in any case'),
  confirmMinutes: z.int().min(1).max(60).describe('How long “Confirm it’s you” is remembered'),
  clientRequestsPerMinute: z
    .int()
    .min(6)
    .max(1_000_000)
    .describe('Token requests of one client per minute'),
  decisionDays: z
    .int()
    .min(0)
    .max(365)
    .describe('How long decisions keep what they were decided on, for replays; 0 for not at all'),
  impersonation: z
    .enum(IMPERSONATION_MODES)
    .describe(
      'Whether admins may see the portal as a user: never, without changing anything, or also changing the profile, sessions and connected applications of that user. The user is always told',
    ),
  impersonators: z.enum(IMPERSONATORS).describe('Who may, if anybody; `admins`: owners too'),
  requirePkce: z.boolean().describe('Every application must use PKCE, whatever its own setting is'),
  registration: z.enum(REGISTRATIONS).describe('`open`: anybody may create an account'),
}

function accent(theme: Theme) {
  return z
    .string()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, rule('colour_needed'))
    .refine(
      (colour) => !isColour(colour) || isReadable(colour, theme),
      rule('contrast_low', { minimum: String(MIN_CONTRAST) }),
    )
}

export const brandingShape = {
  name: name.describe('The name of the portal'),
  accent: z
    .strictObject({ light: accent('light'), dark: accent('dark') })
    .nullable()
    .describe('Null for the default colours'),
}

export const languagesShape = {
  default: z.enum(locales),
  offered: z.array(z.enum(locales)).min(1).max(locales.length),
}

/** What the overview no longer shows: first steps, and warnings as they were. */
export const FIRST_STEPS = 'first_steps'
const MAX_PUT_AWAY = 100
export const putAwayShape = z
  .array(z.string().regex(/^[a-z_]{1,60}(?:\.[\w-]{8})?$/, rule('put_away_key')))
  .max(MAX_PUT_AWAY)

export const ATTRIBUTE_TYPES = ['string', 'number', 'boolean', 'list'] as const
export const ATTRIBUTE_PARTIES = ['admins', 'user'] as const
const MAX_ATTRIBUTES = 100

/** A member name of CEL and of JSON: conditions read it as `user.key`. */
export const attributeKey = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, rule('attribute_shape'))
  .refine((key) => key !== 'id', rule('attribute_id'))
  .refine((key) => !(key in Object.prototype), rule('attribute_reserved'))

export const attributeShape = {
  key: attributeKey,
  name,
  type: z.enum(ATTRIBUTE_TYPES).describe('`list`: a list of texts'),
  seenBy: z
    .enum(ATTRIBUTE_PARTIES)
    .describe('`user`: the user sees it in their account; admins always do'),
  changedBy: z
    .enum(ATTRIBUTE_PARTIES)
    .describe('`user`: the user changes it in their account; admins always can'),
  inConditions: z.boolean().describe('Whether conditions can read it as user.key'),
}

export const attributesShape = z.array(z.strictObject(attributeShape)).max(MAX_ATTRIBUTES)
export type UserAttribute = z.infer<z.ZodObject<typeof attributeShape>>

/** All attributes of one user, as JSON. */
export const MAX_ATTRIBUTES_SIZE = 8 * 1024

/** Users write its values themselves. */
export function isOpenToUsers({ changedBy }: UserAttribute): boolean {
  return changedBy === 'user'
}

type Attributes = Pick<StoredSettings, 'userAttributes' | 'retiredAttributes'>

/**
 * Which attributes tokens can contain, which of them users never wrote, and which conditions must
 * not read. lib/store/delivery/settings.ts knows the last ones too.
 */
export function attributeKeys({ userAttributes, retiredAttributes }: Attributes) {
  const keysOf = (some: readonly UserAttribute[]) => new Set(some.map(({ key }) => key))
  const retired = new Set(retiredAttributes)
  const isTrusted = (one: UserAttribute) => !isOpenToUsers(one) && !retired.has(one.key)
  const unread = userAttributes.filter(({ inConditions }) => !inConditions)
  return {
    defined: keysOf(userAttributes),
    trusted: keysOf(userAttributes.filter(isTrusted)),
    hidden: new Set([...keysOf(unread), ...retired]),
  }
}

/** Without the password, which is stored apart and cannot be read back. */
export const mailShape = {
  server: z
    .string()
    .max(255)
    .refine(isSmtpUrl, rule('smtp_url'))
    .refine((url) => !URL.canParse(url) || new URL(url).password === '', rule('smtp_password')),
  from: z.string().max(255).refine(isSender, rule('sender_needed')),
}

const texts = z.record(z.string(), z.string())
const textOrNull = z.string().nullable().default(null)

/** A newer server process may know other methods; this one ignores them. */
const knownMethods = z
  .array(z.string())
  .transform((all) => SIGN_IN_METHODS.filter((one) => all.includes(one)).sort(asIn(all)))

function asIn(order: readonly string[]) {
  return (one: SignInMethod, other: SignInMethod) => order.indexOf(one) - order.indexOf(other)
}

const storedBranding = z.object({
  ...brandingShape,
  signInTitle: texts,
  signInText: texts,
  links: z.object({ privacy: textOrNull, terms: textOrNull, help: textOrNull }),
  methods: z.object({ order: knownMethods, hidden: knownMethods }),
  drawing: z.boolean(),
  pictures: z.object({ light: textOrNull, dark: textOrNull, picture: textOrNull }),
})

const stored = z.object({
  security: z.object(securityShape).partial().default({}),
  branding: storedBranding.partial().default({}),
  languages: z
    .object({ default: z.string(), offered: z.array(z.string()) })
    .partial()
    .default({}),
  clientRegistration: z.object(clientRegistrationShape).partial().default({}),
  mail: z.object(mailShape).nullable().default(null),
  putAway: z.array(z.string()).default([]),
  userAttributes: z.array(z.object(attributeShape)).default([]),
  /** Removed, and never read by conditions again: users may have written their values. */
  retiredAttributes: z.array(z.string()).default([]),
  // A newer server process may know kinds of providers that this one does not; it ignores them.
  providers: z
    .array(z.unknown())
    .default([])
    .transform((all) => all.flatMap((one) => writtenProvider.safeParse(one).data ?? [])),
})

export type StoredSettings = z.infer<typeof stored>
export type Secrets = { mail?: string; providers: Record<string, string> }

export const NO_SECRETS: Secrets = { providers: {} }
const secretsSchema = z.object({
  mail: z.string().optional(),
  providers: z.record(z.string(), z.string()),
})

export function parseStored(value: unknown): StoredSettings {
  return stored.parse(value ?? {})
}

export function parseSecrets(text: string): Secrets {
  const { mail, providers } = secretsSchema.parse(JSON.parse(text))
  return { providers, ...(mail !== undefined && { mail }) }
}

export type Security = z.infer<z.ZodObject<typeof securityShape>>
export type Branding = z.infer<z.ZodObject<typeof brandingShape>> & {
  /** The title of the sign-in page and the line below it, by language. */
  signInTitle: Readonly<Record<string, string>>
  signInText: Readonly<Record<string, string>>
  links: Links
  methods: MethodChoice
  /** The drawing of the gatehouse, where there is no picture. */
  drawing: boolean
  pictures: Pictures
}
export type Languages = { default: Locale; offered: readonly Locale[] }

export const DEFAULT_SECURITY: Security = {
  passwordLength: 15,
  passwordLengthWithFactor: 8,
  breachedPasswords: false,
  adminSecondFactor: false,
  mailSignIn: false,
  trustedDeviceDays: 30,
  sessionIdleMinutes: 8 * 60,
  sessionHours: 30 * 24,
  confirmMinutes: 10,
  clientRequestsPerMinute: 6_000,
  decisionDays: 30,
  impersonation: 'off',
  impersonators: 'owners',
  requirePkce: false,
  registration: 'closed',
}
export const DEFAULT_BRANDING: Branding = {
  name: 'Gatehouse',
  accent: null,
  signInTitle: {},
  signInText: {},
  links: { privacy: null, terms: null, help: null },
  methods: EVERY_METHOD,
  drawing: true,
  pictures: { light: null, dark: null, picture: null },
}

/** The language of a recipient whose own language may be unknown or not supported. */
export function localeOf(wanted: string | null | undefined, languages: Languages): Locale {
  return isLocale(wanted) ? wanted : languages.default
}

export function languagesOf(written: StoredSettings['languages']): Languages {
  const offered = (written.offered ?? []).filter(isLocale)
  const known = offered.length > 0 ? offered : [...locales]
  const chosen = isLocale(written.default) ? written.default : DEFAULT_LOCALE
  return { offered: known, default: known.includes(chosen) ? chosen : (known[0] ?? DEFAULT_LOCALE) }
}
