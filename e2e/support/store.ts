import { afterAll, beforeAll } from 'vitest'
import type { AuditEvent } from '../../lib/oidc/audit-event'
import { type Database, openDatabase } from '../../lib/store/database/database'
import { migrate } from '../../lib/store/operations/migrations'
import { freshDatabase, type Kind } from './databases'

/** What the tests of the store share: a database of its own, and a few constants. */

export const NOW = new Date('2026-11-15T12:00:00.123Z')
export const later = (ms: number) => new Date(NOW.getTime() + ms)
export const SOMEBODY = { actorKind: 'user', actorId: 'usr_somebody', ip: '192.0.2.7' } as const
export const ENCRYPTION_KEY = Buffer.alloc(32, 7)

export const EVENT: AuditEvent = {
  event: 'user.changed',
  result: 'success',
  actorKind: 'system',
  actorId: null,
  detail: { b: [1, { d: null, c: 'x' }], a: 'unicode ✓' },
}

export let db: Database
export let url: string

export function startStore(kind: Kind): void {
  beforeAll(async () => {
    url = await freshDatabase[kind]()
    await migrate(url)
    db = await openDatabase(url)
  })

  afterAll(() => db.$disconnect())
}

export async function createTestApplication(db: Database, id: string): Promise<void> {
  await db.application.create({
    data: {
      id,
      kind: 'machine',
      name: 'One',
      grantTypes: ['client_credentials'],
      authMethods: ['client_secret_post'],
      branding: {},
      redirectUris: [],
      postLogoutRedirectUris: [],
      origins: [],
      requiredScopes: [],
      defaultScopes: [],
      createdAt: NOW,
      updatedAt: NOW,
    },
  })
}
