import { describe, expect, test } from 'vitest'
import { APP, accessKey, credential, NOW, opOf, USER } from '../../e2e/support/protocol'
import type { Credential } from './client'
import { isActive, isRevoked, liveGrant } from './live'
import { NO_CLAIMS } from './requested-claims'
import type { TokenGrant } from './stores'
import type { VerifiedClaims } from './verify'

const grant: TokenGrant = {
  id: 'grt',
  applicationId: APP,
  accessKeyId: null,
  userId: USER,
  scopes: ['openid'],
  resources: [],
  claims: NO_CLAIMS,
  authTime: new Date(NOW),
  acr: 'pwd',
  amr: ['pwd'],
  sessionId: 'ses',
  offline: false,
  createdAt: new Date(NOW),
  expiresAt: new Date(NOW + 1000),
  alive: true,
  ended: null,
  endedFor: null,
}

const ofUser: VerifiedClaims = { jti: 'jti', sub: USER, client_id: APP, grant_id: 'grt' }
const ofMachine: VerifiedClaims = { jti: 'jti', sub: APP, client_id: APP }
const open = credential()
const disabled = credential({ enabled: false })
const ofKey: TokenGrant = { ...grant, accessKeyId: 'ak_test' }

function opWith(found: TokenGrant | null, credentials: Credential[]) {
  const tokenGrants = { find: async () => found, revoke: async () => {} }
  return opOf({ credentials, op: { tokenGrants } })
}

describe('isActive: is what a token says still so? (RFC 7662 §2.2)', () => {
  type Row = [
    what: string,
    claims: VerifiedClaims,
    grant: TokenGrant | null,
    credentials: Credential[],
    active: boolean,
  ]

  test.each<Row>([
    ['of a user', ofUser, grant, [open], true],
    ['of a machine', ofMachine, null, [open], true],
    ['revoked by its id (RFC 7009)', { ...ofMachine, jti: 'revoked' }, null, [open], false],
    ['of a user, revoked by its id', { ...ofUser, jti: 'revoked' }, grant, [open], false],
    ['without an id', { ...ofMachine, jti: undefined }, null, [open], false],
    ['its grant is gone', ofUser, null, [open], false],
    ['its grant is not alive', ofUser, { ...grant, alive: false }, [open], false],
    ['a grant id that is no text', { ...ofUser, grant_id: 1 }, grant, [open], false],
    ['N11: its application is disabled', ofUser, grant, [disabled], false],
    ['N11: the application of a machine is disabled', ofMachine, null, [disabled], false],
    ['its application is gone', ofUser, grant, [], false],
    ['the application of a machine is gone', ofMachine, null, [], false],
    ['through an access key', ofUser, ofKey, [open, credential({}, accessKey())], true],
    [
      'through a disabled access key',
      ofUser,
      ofKey,
      [open, credential({}, accessKey({ enabled: false }))],
      false,
    ],
    ['through an access key that is gone', ofUser, ofKey, [open], false],
  ])('%s', async (_what, claims, found, credentials, active) => {
    expect(await isActive(opWith(found, credentials), claims)).toBe(active)
  })
})

test('liveGrant: the grant of a user’s token, and none for a machine', async () => {
  expect(await liveGrant(opWith(grant, [open]), ofUser)).toBe(grant)
  expect(await liveGrant(opWith(grant, [open]), ofMachine)).toBeNull()
})

test.each<[string, VerifiedClaims, boolean]>([
  ['an id that is not revoked', { jti: 'jti' }, false],
  ['an id that is', { jti: 'revoked' }, true],
  ['no id', {}, true],
  ['an id that is no text', { jti: 1 }, true],
])('isRevoked: %s', async (_what, claims, revoked) => {
  expect(await isRevoked(opOf(), claims)).toBe(revoked)
})

describe('an exchanged token (RFC 8693) ends with those that it comes from', () => {
  const parent = { jti: 'parent', client_id: APP, scope: 'openid' }
  const granted = { openid: true }
  type Row = [what: string, ancestors: object[], consents: Record<string, boolean>, active: boolean]

  test.each<Row>([
    ['all of them live', [parent], granted, true],
    ['X9: the one before was revoked', [{ ...parent, jti: 'revoked' }], granted, false],
    ['X9: nothing of it is granted any more', [parent], {}, false],
    ['X9: its client is gone', [{ ...parent, client_id: 'gone' }], granted, false],
    ['X9: the first was revoked', [parent, { ...parent, jti: 'revoked' }], granted, false],
    ['X9: the link in between is not granted', [parent, parent], granted, false],
  ])('%s', async (_what, exchanged, consents, active) => {
    const tokenGrants = { find: async () => grant, revoke: async () => {} }
    const op = opOf({ credentials: [open], consents, op: { tokenGrants } })
    expect(await isActive(op, { ...ofUser, exchanged })).toBe(active)
  })
})
