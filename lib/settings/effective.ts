import { withoutUndefined } from '../base/without-undefined'
import { type ClientRegistration, DEFAULT_CLIENT_REGISTRATION } from './client-registration'
import type { Config } from './config'
import {
  type Branding,
  DEFAULT_BRANDING,
  DEFAULT_SECURITY,
  type Languages,
  languagesOf,
  type Secrets,
  type Security,
  type StoredSettings,
  type UserAttribute,
} from './model'
import { ProvidersError, toProvider, type UpstreamProvider } from './providers'

/** The settings in force: the environment first, then what admins have set. */

export type Settings = {
  /** The version of the settings; 0 if nobody has set anything. */
  version: number
  security: Security
  branding: Branding
  languages: Languages
  clientRegistration: ClientRegistration
  /** Null: mail is printed in development and off in production. */
  smtp: Smtp | null
  providers: readonly UpstreamProvider[]
  /** Keys of warnings and of the first steps that the overview does not show. */
  putAway: readonly string[]
  userAttributes: UserAttribute[]
  /** Keys that conditions never read again. */
  retiredAttributes: string[]
}

export type Smtp = {
  url: string
  from: string
  /**
   * The operator's own server may be anywhere; a server that an admin sets must pass the outbound
   * guard.
   */
  guarded: boolean
}

export function effective(
  config: Config,
  stored: StoredSettings,
  secrets: Secrets,
  version: number,
): Settings {
  const { security, branding, languages, clientRegistration, mail, providers } = stored
  return {
    version,
    security: { ...DEFAULT_SECURITY, ...withoutUndefined(security), ...fixedSecurity(config) },
    branding: { ...DEFAULT_BRANDING, ...withoutUndefined(branding) },
    languages: languagesOf(languages),
    clientRegistration: {
      ...DEFAULT_CLIENT_REGISTRATION,
      ...withoutUndefined(clientRegistration),
    },
    smtp: config.smtp
      ? { ...config.smtp, guarded: false }
      : mail && { url: withPassword(mail.server, secrets.mail), from: mail.from, guarded: true },
    providers: [
      ...config.upstreamProviders,
      ...providers.flatMap((written) => usable(config, written, secrets)),
    ],
    putAway: stored.putAway,
    userAttributes: stored.userAttributes,
    retiredAttributes: stored.retiredAttributes,
  }
}

function fixedSecurity({ registration, clientRequestsPerMinute }: Config): Partial<Security> {
  return {
    ...(registration !== null && { registration }),
    ...(clientRequestsPerMinute !== null && { clientRequestsPerMinute }),
  }
}

/** The environment variable of each setting that admins cannot change. */
export function fixedBy(config: Config): Record<string, string> {
  return {
    ...(config.registration !== null && { '/security/registration': 'REGISTRATION' }),
    ...(config.clientRequestsPerMinute !== null && {
      '/security/clientRequestsPerMinute': 'CLIENT_REQUESTS_PER_MINUTE',
    }),
    ...(config.smtp !== null && { '/mail': 'SMTP_URL' }),
  }
}

function withPassword(server: string, password: string | undefined): string {
  const url = new URL(server)
  if (password !== undefined) url.password = encodeURIComponent(password)
  return url.href
}

/** The providers of the environment come first and keep their IDs. */
function usable(
  config: Config,
  written: StoredSettings['providers'][number],
  { providers }: Secrets,
): UpstreamProvider[] {
  const secret = providers[written.id]
  if (secret === undefined || config.upstreamProviders.some(({ id }) => id === written.id)) {
    return []
  }
  try {
    return [toProvider(written, secret, config.outboundHosts)]
  } catch (error) {
    if (!(error instanceof ProvidersError)) throw error
    return [] // its address was allowed when it was saved
  }
}
