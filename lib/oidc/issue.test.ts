import { describe, expect, test } from 'vitest'
import { API, APP, accessKey, application, NOW, opOf, policyOf } from '../../e2e/support/protocol'
import { MINUTE_MS } from '../base/time'
import { accessTokenClaims } from './issue'

const LIFETIME = API.tokenSeconds * 1000

describe('exp of an access token', () => {
  test.each<[string, { key?: number | null; until?: number; notAfter?: number }, number]>([
    ['the lifetime of the API', {}, LIFETIME],
    ['what its scopes rest on ends before', { until: 5 * MINUTE_MS }, 5 * MINUTE_MS],
    ['an access key without an end', { key: null }, LIFETIME],
    ['the access key ends before', { key: 3 * MINUTE_MS }, 3 * MINUTE_MS],
    ['the access key ends later', { key: 2 * LIFETIME }, LIFETIME],
    ['the first of both', { key: 5 * MINUTE_MS, until: 3 * MINUTE_MS }, 3 * MINUTE_MS],
    ['the token that it is exchanged for', { key: 5 * MINUTE_MS, notAfter: MINUTE_MS }, MINUTE_MS],
    ['at least a second', { key: 400 }, 1_000],
  ])('%s', (_what, { key, until, notAfter }, expected) => {
    const expiresAt = key === undefined || key === null ? null : NOW + key
    const { exp, iat } = accessTokenClaims(opOf(), {
      client: {
        id: APP,
        application: application(),
        accessKey: key === undefined ? null : accessKey({ expiresAt }),
      },
      subject: APP,
      scopes: ['orders:read'],
      policy: policyOf({}),
      tokenId: 'jti',
      until: until === undefined ? null : NOW + until,
      ...(notAfter !== undefined && { notAfter: (NOW + notAfter) / 1000 }),
    })
    expect((exp - iat) * 1000).toBe(expected)
  })
})
