import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import {
  ProvidersError,
  providerId,
  sentProvider,
  toProvider,
  type WrittenProvider,
  writtenProvider,
} from '../../settings/providers'
import { operation, tagged } from '../http/operation'
import { invalidField, notFound, Problem } from '../http/problem'
import type { WrittenSettings } from './change'
import { changeSignIn } from './sign-in-change'
import { settingsWire } from './wire'

/** Sign-in providers. Only the operator changes those that the environment defines. */

function requireOwnName(op: Op, id: string): void {
  // `new` is the path of the page that adds a provider.
  if (!providerId.safeParse(id).success || id === 'new') {
    throw invalidField('/provider', errorMessage('provider_shape'))
  }
  if (!op.config.upstreamProviders.some((one) => one.id === id)) return
  throw new Problem('conflict', errorMessage('provider_fixed'))
}

function issuerFor(op: Op, provider: WrittenProvider, secret: string): string {
  try {
    return toProvider(provider, secret, op.config.outboundHosts).issuer
  } catch (error) {
    if (!(error instanceof ProvidersError)) throw error
    throw invalidField(
      provider.kind === 'github' ? '/url' : '/issuer',
      errorMessage('address_not_public'),
    )
  }
}

/** A secret belongs to one issuer. It must not be sent to another issuer. */
function secretFor(
  op: Op,
  { stored, secrets }: WrittenSettings,
  provider: WrittenProvider,
  secret: string | undefined,
): string {
  const issuer = issuerFor(op, provider, secret ?? '')
  if (secret !== undefined) return secret
  const before = stored.providers.find(({ id }) => id === provider.id)
  const kept = secrets.providers[provider.id]
  if (before && kept !== undefined && issuerFor(op, before, kept) === issuer) return kept
  throw invalidField('/clientSecret', errorMessage('provider_secret'))
}

function without({ stored, secrets }: WrittenSettings, id: string): WrittenSettings {
  const { [id]: _, ...rest } = secrets.providers
  const providers = stored.providers.filter((one) => one.id !== id)
  return { stored: { ...stored, providers }, secrets: { ...secrets, providers: rest } }
}

export const putProvider = operation({
  id: 'putProvider',
  method: 'PUT',
  path: '/settings/providers/{provider}',
  summary: 'Add or replace a sign-in provider; its secret cannot be read back',
  scope: 'sign-in:write',
  body: sentProvider,
  example: {
    kind: 'oidc',
    name: 'Acme',
    issuer: 'https://id.acme.example',
    clientId: 'portal',
    clientSecret: '...',
    domains: ['acme.example'],
  },
  answers: { 200: settingsWire },
  async handle(op, call) {
    const id = call.params.provider
    requireOwnName(op, id)
    const { clientSecret, ...body } = call.body
    const provider = writtenProvider.parse({ ...body, id })
    return changeSignIn(op, call, (before) => {
      const secret = secretFor(op, before, provider, clientSecret)
      const was = before.stored.providers.find((one) => one.id === id)
      const { stored, secrets } = without(before, id)
      const written = {
        stored: { ...stored, providers: [...stored.providers, provider] },
        secrets: { ...secrets, providers: { ...secrets.providers, [id]: secret } },
      }
      const detail = {
        before: was ?? null,
        after: provider,
        secretChanged: before.secrets.providers[id] !== secret,
      }
      return { written, entry: { event: 'settings.provider_saved', gives: [], id, detail } }
    })
  },
})

export const deleteProvider = operation({
  id: 'deleteProvider',
  method: 'DELETE',
  path: '/settings/providers/{provider}',
  summary: 'Remove a sign-in provider; nobody can sign in through it any more',
  scope: 'sign-in:write',
  answers: { 200: settingsWire },
  async handle(op, call) {
    const id = call.params.provider
    requireOwnName(op, id)
    return changeSignIn(op, call, (before) => {
      const was = before.stored.providers.find((one) => one.id === id)
      if (!was) throw notFound('no_provider', id)
      const entry = {
        event: 'settings.provider_removed' as const,
        gives: [],
        id,
        detail: { before: was },
      }
      return { written: without(before, id), entry }
    })
  },
})

export const settingsProviderRoutes = tagged('Settings', [putProvider, deleteProvider])
