import { expect, test } from 'vitest'
import { assigned, grant, NOW, policy, role } from '../../../e2e/support/policy'
import type { DecisionToReplay } from '../../access/replay'
import type { Credential } from '../../oidc/client'
import { Groups, groupingInto } from './refusals'

const clerk = role('clerk', [grant('orders:read')])
const credential = {
  clientId: 'app',
  application: {
    id: 'app',
    enabled: true,
    grantTypes: [],
    strictScopes: false,
    scopeLimit: null,
    requiredScopes: ['orders:refund'],
  },
  accessKey: null,
  secrets: [],
} as unknown as Credential
const seen = {
  policy: policy({ application: [grant('orders:*')], user: [assigned(clerk)] }),
  credentials: { get: () => credential },
}

const past: DecisionToReplay = {
  scopes: ['orders:read'],
  granted: new Set<string>(),
  applicationId: 'app',
  userId: 'usr',
  withheld: new Set<string>(),
  audiences: [],
  userAgentCut: false,
  context: {
    request: { time: NOW },
    client: {},
    resource: {},
    user: {},
    auth: {},
    subject: {},
    action: {},
  },
}
const row = {
  seq: 1n,
  at: NOW.getTime(),
  event: 'token.refused',
  actorKind: 'user',
  actorId: 'usr',
  applicationId: 'app',
  userId: 'usr',
  ip: null,
  detail: {},
  basis: '{}',
}

function groupedFor(one: DecisionToReplay) {
  const groups = new Groups()
  expect(groupingInto(groups)({ row, clientId: 'app', past: one }, seen)).toBeUndefined()
  return [...groups].map(([scope, { times, by }]) => [scope, times, [...by.values()]])
}

test('a user who was not admitted lacks a required scope, though the asked ones are granted', () => {
  expect(groupedFor({ ...past, withheldRequired: new Set() })).toEqual([
    ['orders:refund', 1, [{ do: 'add_to_role', id: clerk.id }]],
  ])
  expect(groupedFor(past)).toEqual([])
})

test('a decision about many scopes lets others have their turn', async () => {
  const groups = new Groups()
  const scopes = Array.from({ length: 600 }, (_, at) => `orders:none${at}`)
  const done = groupingInto(groups)({ row, clientId: 'app', past: { ...past, scopes } }, seen)
  expect(done).toBeInstanceOf(Promise)
  await done
  expect([groups.size, groups.unlisted]).toEqual([500, 100])
})
