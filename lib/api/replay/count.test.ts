import { expect, test } from 'vitest'
import { grant, NOW, policy } from '../../../e2e/support/policy'
import type { DecisionToReplay } from '../../access/replay'
import type { Credential } from '../../oidc/client'
import { countingWith, newCount } from './count'
import type { DraftSnapshot } from './draft'
import { addRefusals, addReplays, type FlipLine, MAX_FLIPS, type RefusalLine } from './sum'

const credential = {
  clientId: 'app',
  application: {
    id: 'app',
    enabled: true,
    grantTypes: [],
    requiredScopes: [],
    strictScopes: false,
    scopeLimit: null,
  },
  accessKey: null,
  secrets: [],
} as unknown as Credential

const seen = (granted: boolean): DraftSnapshot => ({
  policy: {
    ...policy({}),
    applications: policy({ application: granted ? [grant('orders:*')] : [] }).applications,
  },
  credentials: { get: () => credential },
})

function past(): DecisionToReplay {
  return {
    scopes: ['orders:read'],
    granted: new Set<string>(),
    applicationId: 'app',
    userId: null,
    withheld: null,
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
}

const row = (at: number, applicationId = 'app') => ({
  seq: BigInt(at),
  at: NOW.getTime(),
  event: 'token.issued',
  actorKind: 'client',
  actorId: 'app',
  applicationId,
  userId: null,
  ip: null,
  detail: {},
  basis: '{}',
})

test('U5: flips of 10 000 applications: all are counted, and a limited number is kept', () => {
  const counted = newCount()
  const look = countingWith({ after: () => seen(true) }, counted)
  const now = seen(false)
  for (let at = 0; at < 10_000; at += 1) {
    look({ row: row(at, `app_${at}`), clientId: 'app', past: past() }, now)
  }
  expect(counted).toMatchObject({ toAllowed: 10_000, tokensGained: 10_000, unlisted: 8_000 })
  expect(counted.flips.size).toBe(2_000)
})

test('what cannot be read is counted as such', () => {
  const counted = newCount()
  const look = countingWith({ after: (one) => one }, counted)
  look({ row: row(1), clientId: 'app', past: null }, seen(false))
  expect([...counted.untold]).toEqual([['unreadable', 1]])
})

const flip = (id: number, times: number): FlipLine => ({
  to: 'allowed',
  scope: 'orders:read',
  code: null,
  times,
  lastAt: '',
  subject: { type: 'user', id: `usr_${id}`, name: null },
  application: { id: 'app', name: null },
})

test('the parts of a replay add up, the most frequent first, and what is cut off is counted', () => {
  const none = {
    decisions: 1,
    scopes: 1,
    same: 0,
    toAllowed: 1,
    toRefused: 0,
    changedSince: 0,
    tokensGained: 0,
    tokensLost: 0,
    unlisted: 0,
    untold: [{ reason: 'subject_gone', times: 2 }],
  }
  const many = Array.from({ length: MAX_FLIPS }, (_, at) => flip(at, 2))
  const sum = addReplays({ ...none, flips: many }, { ...none, flips: [flip(7, 5), flip(999, 1)] })
  expect(sum.flips[0]).toMatchObject({ subject: { id: 'usr_7' }, times: 7 })
  expect([sum.flips.length, sum.unlisted]).toEqual([MAX_FLIPS, 1])
  expect(sum.untold).toEqual([{ reason: 'subject_gone', times: 4 }])
})

test('refusals of the parts add up by scope and by change', () => {
  const line = (times: number, id: string): RefusalLine => ({
    scope: 'orders:read',
    times,
    settlings: [
      {
        do: 'add_to_role',
        id,
        name: null,
        space: null,
        times,
        newlyAllows: 4,
        atLeast: false,
      },
    ],
  })
  const [sum] = addRefusals([line(3, 'a')], [line(5, 'b'), line(1, 'a')])
  expect(sum).toMatchObject({
    times: 9,
    settlings: [
      { id: 'b', times: 5 },
      { id: 'a', times: 4 },
    ],
  })
})
