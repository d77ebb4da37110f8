import { describe, expect, test } from 'vitest'
import { APP, credential, item, opOf, USER, type World } from '../../e2e/support/protocol'
import { conditionForInstance, conditionForUser } from '../access/request-rules'
import { stillGranted } from './still-granted'
import type { VerifiedClaims } from './verify'

const machine = (scope: string): VerifiedClaims => ({ client_id: APP, sub: APP, scope })
const user = (scope: string): VerifiedClaims => ({
  client_id: APP,
  sub: USER,
  scope,
  grant_id: 'grt',
})

describe('stillGranted: the decision, asked again for a token that is out there', () => {
  type Row = [what: string, world: World, claims: VerifiedClaims, scopes: string[]]
  const both = { granted: ['orders:read', 'orders:write'] }
  const yes = { 'orders:read': true, 'orders:write': true }
  const needsRole = [item('orders:read', { needsRole: true })]

  test.each<Row>([
    [
      'a machine keeps what it holds',
      both,
      machine('orders:read orders:write'),
      ['orders:read', 'orders:write'],
    ],
    [
      'what was taken away is gone',
      { granted: ['orders:read'] },
      machine('orders:read orders:write'),
      ['orders:read'],
    ],
    ['everything was taken away', {}, machine('orders:read'), []],
    [
      'the API has no such scope any more',
      { granted: ['orders:*'], items: [] },
      machine('orders:read'),
      [],
    ],
    ['the client is gone', { ...both, credentials: [] }, machine('orders:read'), []],
    ['no scope', both, machine(''), []],
    ['spaces between scopes', both, machine(' orders:read  '), ['orders:read']],
    [
      'a user keeps what they agreed to',
      { ...both, consents: yes },
      user('orders:read'),
      ['orders:read'],
    ],
    ['F8: consent was taken back', { ...both, consents: {} }, user('orders:read'), []],
    [
      'F8: consent to one of two was taken back',
      { ...both, consents: { ...yes, 'orders:write': false } },
      user('orders:read orders:write'),
      ['orders:read'],
    ],
    [
      'a machine needs no consent',
      { ...both, consents: {} },
      machine('orders:read'),
      ['orders:read'],
    ],
    [
      'F8: the role that gave it is gone',
      { ...both, items: needsRole, consents: yes },
      user('orders:read'),
      [],
    ],
    ['openid of a user', { consents: { openid: true } }, user('openid'), ['openid']],
    ['openid of a machine was never there', {}, machine('openid'), []],
  ])('%s', async (_what, world, claims, scopes) => {
    expect(await stillGranted(opOf(world), claims)).toEqual(scopes)
  })

  test.each<[condition: string, claims: VerifiedClaims, scopes: string[]]>([
    ['request.ip == "10.0.0.1"', machine('orders:read'), ['orders:read']],
    [conditionForUser(USER), user('orders:read'), ['orders:read']],
    [conditionForUser('usr_other'), user('orders:read'), []],
    [conditionForUser(USER), machine('orders:read'), []],
    [conditionForInstance('a'), user('orders:read'), []],
  ])(
    'Q41: what was given for another keeps no token alive: %s',
    async (condition, claims, scopes) => {
      const world: World = { granted: ['orders:read'], condition, consents: yes }
      expect(await stillGranted(opOf(world), claims)).toEqual(scopes)
    },
  )

  test('offline_access needs an application that may refresh', async () => {
    const world: World = {
      credentials: [credential({ grantTypes: ['authorization_code'] })],
      consents: { openid: true, offline_access: true },
    }
    expect(await stillGranted(opOf(world), user('openid offline_access'))).toEqual(['openid'])
  })
})

test('T1: an exchanged token of a service that the user paused keeps nothing', async () => {
  const asked: string[] = []
  const isPaused = async (userId: string, applicationId: string) => {
    asked.push(`${userId} ${applicationId}`)
    return true
  }
  const op = opOf({ granted: ['orders:read'] })
  const paused = { ...op, consents: { ...op.consents, isPaused } }
  const exchanged = [{ jti: 'first', client_id: APP, scope: 'orders:read' }]
  expect(await stillGranted(paused, { ...user('orders:read'), exchanged })).toEqual([])
  expect(asked).toHaveLength(1)
})
