import { describe, expect, test } from 'vitest'
import { clientOf, later, storedCode } from '../../../e2e/support/grants'
import {
  CALLBACK,
  credential,
  form,
  incoming,
  opOf,
  type World,
} from '../../../e2e/support/protocol'
import { isOAuthError } from '../errors'
import type { StoredCode } from '../stores'
import { authorizationCode } from './authorization_code'

/** RFC 6749 §4.1.3: each cause of a refusal has its reason, and all look the same to the client. */

type Case = {
  code?: Partial<StoredCode>
  unknown?: true
  /** What is in the store after the exchange has failed. */
  after?: StoredCode | null
  userIsActive?: boolean
  fields?: Record<string, string>
  consents?: Record<string, boolean>
  world?: World
}

async function refusalOf(one: Case) {
  const { code, after = null, userIsActive = true, consents = { openid: true }, world } = one
  const answered = new Map(Object.entries(consents))
  const revoked: string[] = []
  const codes = {
    findWithUser: async () =>
      one.unknown ? null : { code: storedCode(code), userIsActive, answered },
    exchange: async () => false,
    find: async () => after,
    countFailure: async () => {},
  }
  const tokenGrants = { revoke: async (id: string) => void revoked.push(id) }
  const op = opOf({ ...world, op: { codes, tokenGrants } as never }) // a part of the stores
  const asked = form({ code: 'x', redirect_uri: CALLBACK, ...one.fields })
  const error = await authorizationCode(op, clientOf(), asked, incoming()).catch((error) => error)
  if (!isOAuthError(error)) throw error
  const { word, message, members, refusal } = error
  return { told: [word, message, members], reason: refusal.reason, revoked }
}

const SAME = ['invalid_grant', 'the grant is unknown, expired, used or revoked', {}]
const notAdmitted = { credentials: [credential({ requiredScopes: ['orders:read'] })] }
const disabled = { credentials: [credential({ enabled: false })] }

describe('E15: every refused code has a reason, and the same words for the client', () => {
  test.each<[string, Case, string]>([
    ['E1: an unknown code', { unknown: true }, 'code_unknown'],
    ['E2: one of another application', { code: { applicationId: 'x' } }, 'code_other_client'],
    ['E2: one of another access key', { code: { accessKeyId: 'ak_x' } }, 'code_other_client'],
    ['E4: another address', { fields: { redirect_uri: 'https://x.test' } }, 'code_redirect_uri'],
    ['C7: a verifier without a challenge', { fields: { code_verifier: 'x' } }, 'code_verifier'],
    ['C5: a challenge without a verifier', { code: { challenge: 'x' } }, 'code_verifier'],
    ['E9: of a user who is disabled', { userIsActive: false }, 'user_disabled'],
    ['E9: consent is gone', { consents: { openid: false } }, 'consent_gone'],
    ['B43: the user may not use the application', { world: notAdmitted }, 'user_not_admitted'],
    ['E9: the application is disabled', { world: disabled }, 'application_disabled'],
    [
      'E9: nothing of it is granted',
      { code: { scopes: ['orders:write'] }, consents: { 'orders:write': true } },
      'scopes_refused',
    ],
    ['E3: it has expired', { after: storedCode({ expiresAt: later(0) }) }, 'code_expired'],
    ['C6: too many wrong proofs', { after: storedCode({ usedAt: later(0) }) }, 'code_blocked'],
    ['it was revoked meanwhile', { after: null }, 'code_unknown'],
  ])('%s', async (_what, one, reason) => {
    expect(await refusalOf(one)).toEqual({ told: SAME, reason, revoked: [] })
  })

  test('E5: it was exchanged before, and what that gave is revoked', async () => {
    const after = storedCode({ usedAt: later(0), tokenGrantId: 'tgr' })
    expect(await refusalOf({ after })).toEqual({
      told: SAME,
      reason: 'code_used',
      revoked: ['tgr'],
    })
  })
})
