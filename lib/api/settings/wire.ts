import { z } from 'zod'
import { methodsInOrder, SIGN_IN_METHODS } from '../../base/sign-in-methods'
import type { Op } from '../../context/op'
import { clientRegistrationShape } from '../../settings/client-registration'
import { fixedBy, type Settings } from '../../settings/effective'
import {
  attributeShape,
  type Branding,
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

const texts = z.record(z.string(), z.string())
const methods = z.array(z.enum(SIGN_IN_METHODS))
const address = z.string().nullable()

const brandingWire = z.object({
  name: brandingShape.name,
  accent: z.object({ light: z.string(), dark: z.string() }).nullable(),
  signInTitle: texts,
  signInText: texts,
  links: z.object({ privacy: address, terms: address, help: address }),
  methods: z.object({ order: methods, hidden: methods }),
  drawing: z.boolean(),
  logoLight: address.describe('URL of the uploaded logo; null if there is none'),
  logoDark: address,
  picture: address,
})

export const settingsWire = z.object({
  security: z.object(securityShape),
  branding: brandingWire,
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
    branding: toBranding(op, branding),
    clientRegistration,
    languages: { default: languages.default, offered: [...languages.offered] },
    mail: toMail(op, kept),
    providers: toProviders(op, kept, settings),
    userAttributes: [...settings.userAttributes],
    putAway: [...settings.putAway],
    fixed: fixedBy(op.config),
  }
}

function toBranding({ origin }: Op, branding: Branding): z.infer<typeof brandingWire> {
  const { pictures, methods: chosen, ...rest } = branding
  const addressOf = (id: string | null) => id && `${origin}/logo/${id}`
  return {
    ...rest,
    methods: { order: methodsInOrder(chosen.order), hidden: [...chosen.hidden] },
    logoLight: addressOf(pictures.light),
    logoDark: addressOf(pictures.dark),
    picture: addressOf(pictures.picture),
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
