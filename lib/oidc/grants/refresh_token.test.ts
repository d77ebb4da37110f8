import { describe, expect, test } from 'vitest'
import { clientOf, later, tokenGrant } from '../../../e2e/support/grants'
import {
  API,
  credential,
  form,
  incoming,
  item,
  NOW,
  opOf,
  refusalIn,
  type World,
} from '../../../e2e/support/protocol'
import type { RequestRule } from '../../access/policy'
import type { Client } from '../client'
import { isOAuthError, type OAuthError } from '../errors'
import type { GrantEnd, StoredRefreshToken, TokenGrant } from '../stores'
import { refreshToken } from './refresh_token'

/** RFC 6749 §6: each cause of a refusal has its reason, and all look the same to the client. */

const SAME_WORDS = 'the grant is unknown, expired, used or revoked'

const stored: StoredRefreshToken = {
  tokenHash: 'token',
  familyId: 'fam',
  familyExpiresAt: later(1_000),
  familyRevoked: false,
  tokenGrantId: 'tgr',
  generation: 1,
  createdAt: new Date(NOW),
  expiresAt: later(1_000),
  usedAt: null,
  usedFrom: null,
  successorEncrypted: null,
}
const used = { ...stored, usedAt: new Date(NOW), successorEncrypted: 'sealed' }

const RULE: RequestRule = {
  id: 'rqr_1',
  name: 'Orders',
  patterns: ['orders:read'],
  askers: null,
  reasonRequired: true,
  maxSeconds: 3600,
  stages: [{ approvers: [], needed: 1, deadlineSeconds: 60, escalateTo: [] }],
  autoApprove: null,
  autoRefuse: null,
  emergency: null,
}

type Case = {
  grant?: Partial<TokenGrant>
  /** What is in the store when the token is rotated. */
  after?: StoredRefreshToken | null
  /** By this request; otherwise another one has just ended it. */
  ends?: true
  window?: number
  fields?: Record<string, string>
  client?: Partial<Client>
  consents?: Record<string, boolean>
  world?: World
  unknown?: true
}

function refreshed({ grant = {}, after = stored, unknown, ...more }: Case): Promise<unknown> {
  const { ends = false, window = 0, fields, client = {}, world = {} } = more
  const { consents = { openid: true } } = more
  const answered = new Map(Object.entries(consents))
  const found = { stored: after ?? stored, grant: tokenGrant(grant), answered }
  const refreshTokens = {
    findWithGrant: async () => (unknown ? null : found),
    rotate: async () => false,
    find: async () => after,
    repeat: async () => false,
    endReplayed: async () => ends,
  }
  const op = opOf({
    ...world,
    op: { refreshTokens, refreshReplayMs: window, keepsDecisions: () => false },
  })
  const asked = form({ refresh_token: 'ghrt_x', ...fields })
  return refreshToken(op, clientOf(client), asked, incoming())
}

async function errorOf(one: Case): Promise<OAuthError> {
  const error = await refreshed(one).catch((error) => error)
  if (isOAuthError(error)) return error
  throw error
}

const ended = (end: GrantEnd, more: Partial<TokenGrant> = {}): Case => ({
  grant: { alive: false, ended: end, ...more },
})

describe('F14: every refused refresh has a reason, and the same words for the client', () => {
  test.each<[string, Case, string]>([
    ['F1: an unknown token', { unknown: true }, 'refresh_unknown'],
    ['F5: one of another application', { grant: { applicationId: 'x' } }, 'refresh_other_client'],
    ['F5: one of another access key', { grant: { accessKeyId: 'ak_x' } }, 'refresh_other_client'],
    ['F8: of a user who is disabled', ended('user_disabled'), 'user_disabled'],
    ['F2: of a sign-in that was revoked', ended('sign_in_revoked'), 'sign_in_revoked'],
    ['F9: of one that is over', ended('sign_in_expired'), 'sign_in_expired'],
    ['F8: of a session that has ended', ended('session_ended'), 'session_ended'],
    ['F8: nothing is consented to any more', { consents: { openid: false } }, 'consent_gone'],
    ['F9: nobody used it in time', {}, 'refresh_expired'],
    ['revoked since it was read', { after: { ...used, familyRevoked: true } }, 'sign_in_revoked'],
    ['deleted since it was read', { after: null }, 'refresh_unknown'],
    ['F2: used before, too late', { after: used, ends: true }, 'refresh_replayed'],
    [
      'used before, too late, of a sign-in that another request has just revoked',
      { after: used },
      'sign_in_revoked',
    ],
    [
      'used before, in time, of a sign-in that another request has just revoked',
      { after: used, window: 1 },
      'sign_in_revoked',
    ],
    [
      'B43: the user may no longer use the application',
      { world: { credentials: [credential({ requiredScopes: ['orders:read'] })] } },
      'user_not_admitted',
    ],
  ])('%s', async (_what, one, reason) => {
    const { word, message, members, refusal } = await errorOf(one)
    expect([word, refusal.reason]).toEqual(['invalid_grant', reason])
    expect([message, members]).toEqual([SAME_WORDS, {}])
  })

  test('T1: of an application that its user paused, which the client may know', async () => {
    const { word, message, refusal } = await errorOf(ended('paused'))
    expect([word, refusal.reason]).toEqual(['invalid_grant', 'paused'])
    expect(message).toBe('the user paused this application')
  })

  test.each<[string, Record<string, string>, string]>([
    ['F7: a wider scope', { scope: 'openid email' }, 'invalid_scope scope_not_authorized'],
    ['another API', { resource: 'https://orders.test' }, 'invalid_target resource_not_authorized'],
  ])('%s', async (_what, fields, refusal) => {
    const resources = ['https://other.test']
    expect(await refusalIn(() => refreshed({ fields, grant: { resources } }))).toBe(refusal)
  })

  test('the client is disabled meanwhile', async () => {
    const world = { credentials: [credential({ enabled: false })] }
    expect(await refusalIn(() => refreshed({ world }))).toBe('invalid_client application_disabled')
    expect(await refusalIn(() => refreshed({ world: { credentials: [] } }))).toBe(
      'invalid_client client_unknown',
    )
  })

  test('nothing of it is granted any more', async () => {
    const more = { grant: { scopes: ['orders:write'] }, consents: { 'orders:write': true } }
    expect(await refusalIn(() => refreshed(more))).toBe('invalid_scope scopes_refused')
  })
})

describe('what the audit log has besides the reason', () => {
  test('the token grant, what it was revoked for, and the sign of theft', async () => {
    const revoked = await errorOf(ended('sign_in_revoked', { endedFor: 'password_reset' }))
    expect(revoked.refusal.facts).toEqual({ token_grant: 'tgr', ended_for: 'password_reset' })
    const theft = await errorOf({ after: used, ends: true })
    expect(theft.refusal.facts).toEqual({ token_grant: 'tgr', suspicion: 'late' })
  })

  test('F5: nothing about a token of another client', async () => {
    expect((await errorOf({ grant: { applicationId: 'x' } })).refusal).toEqual({
      reason: 'refresh_other_client',
    })
  })
})

describe('B43: a required scope is gone', () => {
  const credentials = [credential({ requiredScopes: ['orders:read'] })]
  const world = (requestRules: RequestRule[]): World => ({
    credentials,
    granted: ['orders:read'],
    items: [item('orders:read', { api: { ...API, requestRules }, needsRole: true })],
  })

  test('admins see which', async () => {
    const { refusal } = await errorOf({ world: world([]) })
    expect(refusal.facts).toEqual({ required_scopes: ['orders:read'] })
  })

  test.each([
    ['it can be asked for', [RULE], true, { next_action: 'request' }],
    ['it can be asked for, by a client that does not authenticate', [RULE], false, {}],
    ['it cannot be asked for', [], true, {}],
  ])('%s', async (_what, rules, confidential, members) => {
    const error = await errorOf({ world: world(rules), client: { confidential } })
    expect([error.word, error.message]).toEqual(['invalid_grant', SAME_WORDS])
    expect(error.members).toEqual(members)
  })
})
