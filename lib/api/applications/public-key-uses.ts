import { calculateJwkThumbprint, type JWK } from 'jose'
import { z } from 'zod'
import { listPublicKeyUses } from '../../store/applications/public-key-uses'
import { operation, tagged } from '../http/operation'
import { iso } from '../http/schemas'
import { requireApplication } from './applications'

/** The keys by which client assertions are verified (RFC 7523), with the last use of each. */

const publicKeySchema = z.object({
  thumbprint: z.string().describe('RFC 7638, SHA-256'),
  kid: z.string().nullable(),
  type: z.string().nullable().describe('Its algorithm, or its key type and curve'),
  registered: z.boolean().describe('False for a key that was read from jwksUri or is removed'),
  lastUsedAt: z.string().nullable().describe('Up to one minute old'),
  lastUsedIp: z.string().nullable(),
})
export type PublicKeyWire = z.infer<typeof publicKeySchema>

async function registeredKey(jwk: JWK) {
  const type = jwk.alg ?? ([jwk.kty, jwk.crv].filter(Boolean).join(' ') || null)
  return { thumbprint: await calculateJwkThumbprint(jwk), kid: jwk.kid ?? null, type }
}

export const listApplicationPublicKeys = operation({
  id: 'listApplicationPublicKeys',
  method: 'GET',
  path: '/applications/{id}/public-keys',
  summary: 'List the public keys of an application, and when each was last used',
  scope: 'applications:read',
  answers: { 200: z.object({ data: z.array(publicKeySchema) }) },
  async handle(op, { caller, params }) {
    const { id, jwks } = await requireApplication(op, caller, params.id)
    const keys = await Promise.all((jwks?.keys ?? []).map(registeredKey))
    const uses = await op.read((db) => listPublicKeyUses(db, id))
    const ofThumbprint = new Map(uses.map((use) => [use.thumbprint, use]))
    const known = new Set(keys.map(({ thumbprint }) => thumbprint))
    const others = uses.filter(({ thumbprint }) => !known.has(thumbprint))
    const data = [
      ...keys.map((key) => {
        const use = ofThumbprint.get(key.thumbprint)
        const lastUsedAt = iso(use?.lastUsedAt ?? null)
        return { ...key, registered: true, lastUsedAt, lastUsedIp: use?.lastUsedIp ?? null }
      }),
      ...others.map((use) => ({
        ...use,
        type: null,
        registered: false,
        lastUsedAt: iso(use.lastUsedAt),
      })),
    ]
    return { status: 200, body: { data } }
  },
})

export const applicationPublicKeyRoutes = tagged('Applications', [listApplicationPublicKeys])
