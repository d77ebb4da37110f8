import { z } from 'zod'
import { isColour, isReadable, LEAST_CONTRAST, type Theme } from '../base/contrast'
import { isPlainText } from '../base/plain-text'
import { DEFAULT_LOCALE, isLocale, type Locale, locales } from '../i18n/locales'
import { isSender, isSmtpUrl } from './config'
import { writtenProvider } from './providers'

/** What admins set: one row, whole. What each member may be is said here, for the API and the store. */

const name = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[^\p{Cc}]*$/u, 'no control characters')
  .refine(isPlainText, 'no control, direction or invisible characters')

export const REGISTRATIONS = ['closed', 'open'] as const

/** NIST SP 800-63B-4 §3.1.1.2: 15 where a password is all, 8 beside a second factor. */
export const securityShape = {
  passwordLength: z.int().min(15).max(64).describe('Of a password that is the only factor'),
  passwordLengthWithFactor: z.int().min(8).max(64).describe('Beside a second factor'),
  adminSecondFactor: z
    .boolean()
    .describe('Admins prove one in each sign-in before anything answers them'),
  sessionIdleMinutes: z.int().min(5).max(43_200).describe('Unused for so long, a session ends'),
  sessionHours: z.int().min(1).max(8_760).describe('However it is used, a session ends then'),
  confirmMinutes: z.int().min(1).max(60).describe('For how long “confirm it’s you” is remembered'),
  clientRequestsPerMinute: z.int().min(6).max(1_000_000).describe('Token requests of one client'),
  registration: z.enum(REGISTRATIONS).describe('`open`: anybody may create an account'),
}

function accent(theme: Theme) {
  return z
    .string()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'a colour such as #12604f')
    .refine(
      (colour) => !isColour(colour) || isReadable(colour, theme),
      `text in this colour, or on it, could not be read: it needs a contrast of ${LEAST_CONTRAST}:1`,
    )
}

export const brandingShape = {
  name: name.describe('What the portal is called'),
  accent: z
    .strictObject({ light: accent('light'), dark: accent('dark') })
    .nullable()
    .describe('Null: our own'),
}

export const languagesShape = {
  default: z.enum(locales),
  offered: z.array(z.enum(locales)).min(1).max(locales.length),
}

/** Without the password, which is kept apart and never read back. */
export const mailShape = {
  server: z
    .string()
    .max(255)
    .refine(isSmtpUrl, 'must look like smtp://user@mail.example.com:587 or smtps://...')
    .refine((url) => !URL.canParse(url) || new URL(url).password === '', 'no password in here'),
  from: z.string().max(255).refine(isSender, 'one address, or a name and an address in <>'),
}

const stored = z.object({
  security: z.object(securityShape).partial().default({}),
  branding: z.object(brandingShape).partial().default({}),
  languages: z
    .object({ default: z.string(), offered: z.array(z.string()) })
    .partial()
    .default({}),
  mail: z.object(mailShape).nullable().default(null),
  // A newer instance may know kinds that this one does not: those are nobody's way in here.
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
export type Branding = z.infer<z.ZodObject<typeof brandingShape>>
export type Languages = { default: Locale; offered: readonly Locale[] }

export const DEFAULT_SECURITY: Security = {
  passwordLength: 15,
  passwordLengthWithFactor: 8,
  adminSecondFactor: false,
  sessionIdleMinutes: 8 * 60,
  sessionHours: 30 * 24,
  confirmMinutes: 10,
  clientRequestsPerMinute: 6_000,
  registration: 'closed',
}
export const DEFAULT_BRANDING: Branding = { name: 'Gatehouse', accent: null }

/** Of somebody whose language may be unknown, or none of ours. */
export function localeOf(wanted: string | null | undefined, languages: Languages): Locale {
  return isLocale(wanted) ? wanted : languages.default
}

export function languagesOf(written: StoredSettings['languages']): Languages {
  const offered = (written.offered ?? []).filter(isLocale)
  const known = offered.length > 0 ? offered : [...locales]
  const chosen = isLocale(written.default) ? written.default : DEFAULT_LOCALE
  return { offered: known, default: known.includes(chosen) ? chosen : (known[0] ?? DEFAULT_LOCALE) }
}
