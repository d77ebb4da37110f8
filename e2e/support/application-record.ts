import { DEFAULTS } from '../../lib/api/applications/rules'
import type { ApplicationRecord } from '../../lib/store/applications/applications'

/** An application as those see it who manage it: a web application with one redirect URI. */
export function applicationRecord(more: Partial<ApplicationRecord> = {}): ApplicationRecord {
  const at = new Date('2026-11-15T12:00:00Z')
  return {
    ...DEFAULTS,
    id: 'app_1',
    kind: 'web',
    name: 'Shop',
    grantTypes: ['authorization_code', 'refresh_token'],
    authMethods: ['client_secret_basic'],
    redirectUris: ['https://rp.example/cb'],
    createdAt: at,
    updatedAt: at,
    version: 1,
    ...more,
  }
}
