import { z } from 'zod'
import { rule } from '../i18n/error-message'
import { ASSERTION_AUDIENCES, DEVICE_CODE } from '../oidc/client'
import { isPlainHttps } from '../oidc/redirect-uri'

/**
 * What clients may be that no admin made: those that register (RFC 7591) and those that a metadata
 * document describes. Off until an admin turns it on.
 */

export const REGISTRATION_MODES = ['off', 'token', 'open'] as const
/** Without a user, nothing limits what an unknown client may do: no client_credentials. */
export const REGISTRABLE_GRANTS = ['authorization_code', 'refresh_token', DEVICE_CODE] as const

const MAX_LISTED = 100

/** `example.com`, or `*.example.com` for every host below it. */
const hostPattern = z
  .string()
  .max(255)
  .regex(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/, rule('host_shape'))

const softwareIssuer = z.strictObject({
  issuer: z.string().min(1).max(500),
  jwksUri: z.string().refine(isPlainHttps, rule('https_needed')),
})

export const clientRegistrationShape = {
  mode: z
    .enum(REGISTRATION_MODES)
    .describe('`token`: with an initial access token; `open`: anybody, within limits'),
  grantTypes: z.array(z.enum(REGISTRABLE_GRANTS)).min(1).max(REGISTRABLE_GRANTS.length),
  redirectHosts: z
    .array(hostPattern)
    .max(MAX_LISTED)
    .describe('Hosts of redirect URIs, such as app.example.com or *.example.com; empty for any'),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,255}$/, rule('printable_needed')))
    .min(1)
    .max(MAX_LISTED)
    .describe('The scopes that such clients can get; permissions of APIs are granted to them'),
  requirePkce: z.boolean().describe('Also for clients that authenticate'),
  assertionAudience: z
    .enum(ASSERTION_AUDIENCES)
    .describe('What `aud` of a client assertion may be besides the issuer'),
  unusedDays: z
    .int()
    .min(1)
    .max(365)
    .describe(
      'A client that nobody uses for so long is deleted; one that was never used after a day, or an hour if a document describes it, unless it came with an initial access token',
    ),
  most: z
    .int()
    .min(1)
    .max(100_000)
    .describe(
      'How many such clients there can be: with an initial access token, without one, and by documents, each; the oldest that was never used makes room',
    ),
  perNetwork: z
    .int()
    .min(1)
    .max(1_000)
    .describe('Registrations from one network in 15 minutes, without an initial access token'),
  softwareIssuers: z
    .array(softwareIssuer)
    .max(20)
    .describe('Who signs software statements (RFC 7591 §2.3), and where their keys are'),
  requireStatement: z.boolean().describe('Only clients with a software statement can register'),
  documents: z
    .boolean()
    .describe('Client ID metadata documents: an https address as client ID describes the client'),
  documentHosts: z
    .array(hostPattern)
    .max(MAX_LISTED)
    .describe('Hosts of such addresses, such as *.example.com; empty for any'),
  documentDenied: z.array(hostPattern).max(MAX_LISTED).describe('Hosts that are refused'),
}

export type ClientRegistration = z.infer<z.ZodObject<typeof clientRegistrationShape>>

export const DEFAULT_CLIENT_REGISTRATION: ClientRegistration = {
  mode: 'off',
  grantTypes: ['authorization_code', 'refresh_token'],
  redirectHosts: [],
  scopes: ['openid', 'profile', 'email'],
  requirePkce: true,
  assertionAudience: 'issuer',
  unusedDays: 30,
  most: 1_000,
  perNetwork: 20,
  softwareIssuers: [],
  requireStatement: false,
  documents: false,
  documentHosts: [],
  documentDenied: [],
}

/** Whether clients that a document at this address describes may be used here now. */
export function acceptsDocument(
  { documents, documentHosts, documentDenied }: ClientRegistration,
  url: URL,
): boolean {
  if (!documents || isListed(url, documentDenied)) return false
  return documentHosts.length === 0 || isListed(url, documentHosts)
}

/** Whether a list of host patterns names this host; with its port, if the pattern has one. */
export function isListed(url: URL, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const host = /:\d+$/.test(pattern) ? url.host : url.hostname
    return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
  })
}
