import { createHash } from 'node:crypto'
import { APPLICATION_KINDS } from '../../lib/oidc/client'
import { guidesFor, guidesForApi, type WrittenGuide } from '../../lib/quick-start'

/** Every sample, with values that do not change, so that a result belongs to a text. */

export type Sample = WrittenGuide & { for: string }

const PORTAL = { issuer: 'https://id.example', origin: 'https://id.example' }
export const API = 'api'

export function everySample(): Sample[] {
  const ofApplications = APPLICATION_KINDS.flatMap((kind) => {
    const redirectUris = ['http://localhost:4000/callback']
    const lists = { redirectUris, postLogoutRedirectUris: [], scopes: ['orders:read'] }
    const written = guidesFor(PORTAL, { id: 'app_x', kind, ...lists })
    return written.map((one) => ({ ...one, for: kind as string }))
  })
  const permissions = [{ key: 'orders:read', userBound: false, needsRole: false }]
  const orders = { audience: 'https://orders.example', prefix: 'orders', permissions }
  const ofApis = guidesForApi(PORTAL.issuer, orders).map((one) => ({ ...one, for: API }))
  return [...ofApplications, ...ofApis]
}

export function digestOf({ guide }: Sample): string {
  const { settings, install, files, run } = guide
  const text = JSON.stringify({ settings, install, files, run })
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
