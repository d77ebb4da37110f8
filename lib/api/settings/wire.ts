import { z } from 'zod'
import type { Op } from '../../context/op'
import { clientRegistrationShape } from '../../settings/client-registration'
import { fixedBy, type Settings } from '../../settings/effective'
import {
  attributeShape,
  brandingShape,
  languagesShape,
  putAwayShape,
  type Secrets,
  type StoredSettings,
  securityShape,
} from '../../settings/model'

/**
 * The settings as the API shows them: what is in force, what the environment fixes, never a secret
 * (attack N9).
 */

const mailWire = z.object({
  server: z.string(),
  from: z.string(),
  passwordSet: z.boolean(),
})

const providerWire = z.object({
  id: z.string(),
  kind: z.enum(['oidc', 'github', 'google', 'microsoft']),
  name: z.string(),
  clientId: z.string(),
  domains: z.array(z.string()),
  issuer: z.string(),
  url: z.string().optional().describe('Of GitHub Enterprise Server: its address'),
  tenant: z.string().optional().describe('Of Microsoft: the directory (tenant)'),
  idTokenAlgorithm: z.string().optional(),
  source: z.enum(['environment', 'settings']),
  secretSet: z.boolean(),
  usable: z.boolean().describe('False if its address is not allowed here or its secret is missing'),
  callback: z.string().describe('The redirect URI to register at the provider'),
})

export const settingsWire = z.object({
  security: z.object(securityShape),
  branding: z.object({
    name: brandingShape.name,
    accent: z.object({ light: z.string(), dark: z.string() }).nullable(),
  }),
  languages: z.object(languagesShape),
  clientRegistration: z.object(clientRegistrationShape),
  mail: mailWire.nullable(),
  providers: z.array(providerWire),
  userAttributes: z.array(z.object(attributeShape)),
  putAway: putAwayShape.describe('What the overview does not show: keys of warnings'),
  fixed: z
    .record(z.string(), z.string())
    .describe('Settings that the environment fixes: JSON pointer and name of the variable'),
})

export type SettingsWire = z.infer<typeof settingsWire>
export type ProviderWire = z.infer<typeof providerWire>

type Kept = { stored: StoredSettings; secrets: Secrets }

export function toWire(op: Op, kept: Kept, settings: Settings): SettingsWire {
  const { security, branding, languages, clientRegistration } = settings
  return {
    security,
    branding,
    clientRegistration,
    languages: { default: languages.default, offered: [...languages.offered] },
    mail: toMail(op, kept),
    providers: toProviders(op, kept, settings),
    userAttributes: [...settings.userAttributes],
    putAway: [...settings.putAway],
    fixed: fixedBy(op.config),
  }
}

function toMail({ config }: Op, { stored, secrets }: Kept) {
  if (!config.smtp)
    return stored.mail && { ...stored.mail, passwordSet: secrets.mail !== undefined }
  const url = new URL(config.smtp.url)
  const passwordSet = url.password !== ''
  url.password = ''
  return { server: url.href, from: config.smtp.from, passwordSet }
}

function toProviders({ config, origin }: Op, { stored, secrets }: Kept, { providers }: Settings) {
  const callbackOf = (id: string) => `${origin}/api/auth/callback/${id}`
  const fixed = config.upstreamProviders.map(({ clientSecret: _, idTokenAlgorithm, ...one }) => ({
    ...one,
    domains: [...one.domains],
    callback: callbackOf(one.id),
    ...(idTokenAlgorithm && { idTokenAlgorithm }),
    source: 'environment' as const,
    secretSet: true,
    usable: true,
  }))
  const own = stored.providers.map((written) => {
    const used = providers.find(({ id }) => id === written.id)
    const usable = used !== undefined && !fixed.some(({ id }) => id === written.id)
    const { idTokenAlgorithm, ...rest } = { idTokenAlgorithm: undefined, ...written }
    return {
      ...rest,
      issuer: used?.issuer ?? '',
      callback: callbackOf(written.id),
      usable,
      ...(idTokenAlgorithm && { idTokenAlgorithm }),
      source: 'settings' as const,
      secretSet: Object.hasOwn(secrets.providers, written.id),
    }
  })
  return [...fixed, ...own]
}
