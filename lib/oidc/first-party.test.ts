import { describe, expect, test } from 'vitest'
import { application, askOf } from '../../e2e/support/protocol'
import { assumable } from './first-party'

/** Whose users are not asked, and about what. */

const ours = application({ firstParty: true, preapprovedScopes: ['orders:read'] })
const pending = (...undecided: string[]) => ({ undecided, answeredAt: null, everyTime: false })

describe('a first-party application', () => {
  test('is not asked about signing in, nor about what is preapproved', () => {
    const scopes = ['openid', 'email', 'offline_access', 'orders:read']
    expect(assumable(askOf(), ours, pending(...scopes))).toEqual(scopes)
  })

  test('is asked about everything else', () => {
    expect(assumable(askOf(), ours, pending('openid', 'orders:refund'))).toBeNull()
  })

  test('is asked where the page is shown whatever was answered', () => {
    const everyTime = { ...pending('openid'), everyTime: true }
    expect(assumable(askOf(), ours, everyTime)).toBeNull()
    expect(assumable(askOf({ prompt: ['consent'] }), ours, pending('openid'))).toBeNull()
  })

  test('N33: is one that an admin made, with the mark', () => {
    const asked = pending('openid')
    expect(assumable(askOf(), { ...ours, firstParty: false }, asked)).toBeNull()
    for (const registration of ['dynamic', 'metadata_document'] as const)
      expect(assumable(askOf(), { ...ours, registration }, asked)).toBeNull()
  })
})
