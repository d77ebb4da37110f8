import { describe, expect, test } from 'vitest'
import { SECOND_MS } from '../base/time'
import type { AccessKey, Application } from './client'
import { isUsable } from './client'

const NOW = new Date('2026-01-01T00:00:00Z')

/** Only what the question looks at. */
function credential(enabled: boolean, key: Partial<AccessKey> | null) {
  const accessKey = { id: 'ak', enabled: true, scopes: null, tokenSeconds: null, expiresAt: null }
  return {
    application: { enabled } as Application,
    accessKey: key === null ? null : { ...accessKey, ...key },
  }
}

describe('may a client be used now? Asked at /oidc/auth, at the token endpoint and of its tokens', () => {
  test.each([
    ['an application', true, null, true],
    ['a disabled application', false, null, false],
    ['an access key', true, {}, true],
    ['an access key of a disabled application', false, {}, false],
    ['a disabled access key', true, { enabled: false }, false],
    ['an access key that expires later', true, { expiresAt: NOW.getTime() + SECOND_MS }, true],
    ['an access key that expires at this moment', true, { expiresAt: NOW.getTime() }, false],
    ['an access key that has expired', true, { expiresAt: NOW.getTime() - SECOND_MS }, false],
  ])('%s', (_name, enabled, key, expected) => {
    expect(isUsable(credential(enabled, key), NOW)).toBe(expected)
  })
})
