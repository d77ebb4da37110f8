import { deriveKey } from './secrets'

/** One key per purpose. The label is part of the derivation and must never change. */
const LABELS = {
  settingsKey: 'settings',
  factorKey: 'factor',
  challengeKey: 'challenge',
  cookieKey: 'cookie',
  upstreamKey: 'upstream',
  nextAuthKey: 'next-auth',
  testLoginKey: 'test login',
  outboxKey: 'outbox',
  webhookKey: 'webhook',
  idempotencyKey: 'idempotency',
  cursorKey: 'cursor',
  accessRequestKey: 'access request',
} as const

export type DerivedKeys = { readonly [name in keyof typeof LABELS]: Buffer }

export function derivedKeys(secret: string): DerivedKeys {
  const keys = Object.entries(LABELS).map(([name, label]) => [name, deriveKey(secret, label)])
  return Object.fromEntries(keys)
}
