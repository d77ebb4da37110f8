import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { isPlainlyRefused } from '../base/address-guard'
import { cleanText } from '../base/plain-text'
import { rule } from '../i18n/error-message'
import { englishOf } from '../i18n/zod-error-message'
import { foldedKey } from '../store/database/folded-key'

/** Sign-in providers: what the operator or an admin wrote, checked. */

const SECRET_REFERENCE = /^env:([A-Za-z_][A-Za-z0-9_]*)$/
const GOOGLE = 'https://accounts.google.com'
const MICROSOFT = 'https://login.microsoftonline.com'
export const PROVIDER_KINDS = ['oidc', 'github', 'google', 'microsoft'] as const
export const ID_TOKEN_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const

const text = z.string().trim().min(1).max(200)
const label = z.string().overwrite(cleanText).min(1).max(200)
const address = z.string().refine(isBareAddress, rule('provider_address'))

export const providerId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, rule('provider_shape'))

const common = {
  clientId: text,
  domains: z
    .array(z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, rule('provider_domain')))
    .default([]),
}

/** A provider as it is written; its secret is stored elsewhere. */
function kindsOf<More extends z.core.$ZodLooseShape>(more: More) {
  return z.discriminatedUnion('kind', [
    z.strictObject({
      ...common,
      kind: z.literal('oidc'),
      name: label,
      issuer: address,
      idTokenAlgorithm: z.enum(ID_TOKEN_ALGORITHMS).optional(),
      ...more,
    }),
    z.strictObject({
      ...common,
      kind: z.literal('github'),
      name: label.default('GitHub'),
      /** Another address for GitHub Enterprise Server. */
      url: address.default('https://github.com'),
      ...more,
    }),
    z.strictObject({
      ...common,
      kind: z.literal('google'),
      name: label.default('Google'),
      ...more,
    }),
    z.strictObject({
      ...common,
      kind: z.literal('microsoft'),
      name: label.default('Microsoft'),
      // One directory only: with `common`, any directory could claim to know a user.
      tenant: z.guid(rule('provider_tenant')),
      ...more,
    }),
  ])
}

export const writtenProvider = kindsOf({ id: providerId })
/** As an admin sends it; without a secret, the stored one stays. */
export const sentProvider = kindsOf({ clientSecret: z.string().min(1).max(1_000).optional() })

const fromEnvironment = kindsOf({
  id: providerId,
  clientSecret: z.string().regex(SECRET_REFERENCE, rule('provider_reference')),
})

const list = z
  .array(fromEnvironment)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, rule('providers_twice'))

export type WrittenProvider = z.infer<typeof writtenProvider>
type Written = WrittenProvider
export type ProviderKind = Written['kind']

export type UpstreamProvider = {
  id: string
  kind: ProviderKind
  name: string
  /** With the subject, this identifies an identity (OpenID Connect Core §5.7). */
  issuer: string
  clientId: string
  clientSecret: string
  /** Users with addresses of these domains are sent straight to it. */
  domains: readonly string[]
  /** Only if the operator sets it. */
  idTokenAlgorithm: (typeof ID_TOKEN_ALGORITHMS)[number] | null
}

/**
 * The provider and the client there. The ID is only its name here, and may be given to another
 * provider.
 */
type ProviderIdentity = Pick<
  UpstreamProvider,
  'id' | 'kind' | 'issuer' | 'clientId' | 'idTokenAlgorithm'
>

export function identityOf(provider: ProviderIdentity): ProviderIdentity {
  const { id, kind, issuer, clientId, idTokenAlgorithm } = provider
  return { id, kind, issuer, clientId, idTokenAlgorithm }
}

export function isSameProvider(one: ProviderIdentity, other: ProviderIdentity): boolean {
  return isDeepStrictEqual(identityOf(one), identityOf(other))
}

export class ProvidersError extends Error {}

type Surroundings = {
  secretOf: (name: string) => string | undefined
  allowedHosts: ReadonlySet<string>
}

/** Parses what was written, wherever it is stored; throws if it is wrong. */
export function readProviders(written: unknown, around: Surroundings): UpstreamProvider[] {
  const parsed = list.safeParse(written)
  if (parsed.success) return parsed.data.map((one) => withReferredSecret(one, around))
  const [issue] = parsed.error.issues
  throw new ProvidersError(`${issue?.path.join('.') || 'the list'}: ${issue && englishOf(issue)}`)
}

function withReferredSecret(
  { clientSecret, ...written }: z.infer<typeof fromEnvironment>,
  { secretOf, allowedHosts }: Surroundings,
): UpstreamProvider {
  const variable = SECRET_REFERENCE.exec(clientSecret)?.[1] ?? ''
  const secret = secretOf(variable)
  if (!secret) throw new ProvidersError(`${written.id}: its secret ${variable} is not set`)
  return toProvider(written, secret, allowedHosts)
}

export function toProvider(
  written: Written,
  clientSecret: string,
  allowedHosts: ReadonlySet<string>,
): UpstreamProvider {
  const { id, kind, name, clientId, domains } = written
  const issuer = issuerOf(written)
  if (isPlainlyRefused(new URL(issuer), allowedHosts)) {
    throw new ProvidersError(
      `${id}: ${issuer} is private or not https (add its host to OUTBOUND_HOSTS to allow it)`,
    )
  }
  const idTokenAlgorithm = (kind === 'oidc' && written.idTokenAlgorithm) || null
  return { id, kind, name, issuer, clientId, clientSecret, domains, idTokenAlgorithm }
}

function issuerOf(written: Written): string {
  switch (written.kind) {
    case 'oidc':
      return written.issuer
    case 'github':
      return `${written.url.replace(/\/$/, '')}/login/oauth`
    case 'google':
      return GOOGLE
    case 'microsoft':
      return `${MICROSOFT}/${written.tenant.toLowerCase()}/v2.0`
  }
}

function isBareAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, search, hash, username } = new URL(value)
  return /^https?:$/.test(protocol) && search + hash + username === '' && !/[?#]/.test(value)
}

type Configured = { settings: { current(): Promise<{ providers: readonly UpstreamProvider[] }> } }

export async function listProviders({
  settings,
}: Configured): Promise<readonly UpstreamProvider[]> {
  return (await settings.current()).providers
}

export async function findProvider(op: Configured, id: string): Promise<UpstreamProvider | null> {
  return (await listProviders(op)).find((provider) => provider.id === id) ?? null
}

/** The provider for this e-mail domain; null for user names and all other addresses. */
export async function providerFor(
  op: Configured,
  identifier: string,
): Promise<UpstreamProvider | null> {
  const [, domain] = /@([^@]+)$/.exec(foldedKey(identifier)) ?? []
  if (domain === undefined) return null
  return (await listProviders(op)).find(({ domains }) => domains.includes(domain)) ?? null
}
