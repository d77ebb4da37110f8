import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import { problemIn } from '../../../e2e/support/problem-in'
import { credential } from '../../../e2e/support/protocol'
import { HOUR_MS } from '../../base/time'
import { settleOverdue } from '../../operations/scheduled/access-requests'
import { userCaller } from '../http/caller'
import { changeUser } from '../users/users'
import { createAccessRequest } from './asking-routes'
import { grantsOf, isInPerson, requireInPerson } from './decide'
import { isInForce } from './revoke'
import {
  approveAccessRequest,
  cancelAccessRequest,
  denyAccessRequest,
  getAccessRequest,
  listAccessRequests,
  revokeAccessRequest,
} from './routes'

/** What an approval gives, who gives it, and which way a request goes. */

const END = new Date('2030-01-01T00:00:00Z')

describe('the grants of an approval', () => {
  const asked = {
    id: 'arq_1',
    userId: 'usr_1',
    applicationId: 'app_1',
    scope: 'orders:read',
    resourceId: null,
    lacks: ['user' as const],
  }
  const given = (more: Partial<Parameters<typeof grantsOf>[0]> = {}) =>
    grantsOf({ ...asked, ...more }, END)

  test('give exactly what was refused, to the one who lacks it, until the end', () => {
    expect(given()).toMatchObject([
      { requestId: 'arq_1', userId: 'usr_1', pattern: 'orders:read', condition: null },
    ])
    expect(given()[0]?.validUntil).toBe(END)
  })

  test('give an application what it lacks for this user only', () => {
    expect(given({ lacks: ['application'] })).toMatchObject([
      { applicationId: 'app_1', condition: 'user.id == "usr_1"' },
    ])
    expect(given({ lacks: ['user', 'application'] })).toHaveLength(2)
  })

  test('give a user one instance, if one was refused', () => {
    expect(given({ resourceId: '4711' })).toMatchObject([{ condition: 'resource.id == "4711"' }])
  })

  test('do not let an ID write a part of the condition', () => {
    const [grant] = given({ resourceId: '1" || true || "' })
    expect(grant?.condition).toBe('resource.id == "1\\" || true || \\""')
  })

  test('give no application anything where none was refused', () => {
    expect(given({ lacks: ['application'], applicationId: null })).toEqual([])
    expect(given({ lacks: [] })).toEqual([])
  })
})

describe('somebody in person', () => {
  const session = { id: 'ses_1', through: 'pages' as const }
  const person = { ...userCaller('usr_1', null), session }

  test('is a user at the pages of the portal, without an application in between', async () => {
    expect(isInPerson(person)).toBe(true)
    expect(requireInPerson(person)).toBe(session)
    for (const other of [
      { ...person, session: { ...session, through: 'token' as const } },
      { ...person, through: credential() },
      { ...person, kind: 'client' as const },
      userCaller('usr_1', 'owner'),
    ]) {
      expect(await problemIn(() => requireInPerson(other))).toBe('forbidden person_needed')
    }
  })
})

describe.each(usually('sqlite'))('a request, on %s', (kind) => {
  let portal: Operations
  let time = Date.parse('2026-11-15T12:00:00Z')

  beforeAll(async () => {
    const permissions = ['read', 'lead', 'late'].map((one) => ({
      key: `vault:${one}`,
      needsRole: true,
    }))
    const stage = (...ids: string[]) => ({ approvers: ids.map((id) => ({ type: 'user', id })) })
    const rule = { api: 'vault', maxSeconds: 86_400, reasonRequired: false }
    portal = await openOperations(
      kind,
      {
        users: [
          { username: 'adam', adminRole: 'admin' },
          ...['anna', 'ben', 'cleo', 'dan', 'eve'].map((username) => ({ username })),
        ],
        spaces: [
          {
            key: 'vault',
            name: 'Vault',
            resources: [
              { prefix: 'vault', name: 'Vault', audience: 'https://vault.test', permissions },
            ],
          },
        ],
        requestRules: [
          {
            ...rule,
            name: 'One',
            patterns: ['vault:read'],
            stages: [{ ...stage('ben', 'cleo', 'dan'), needed: 2 }],
          },
          {
            ...rule,
            name: 'Two',
            patterns: ['vault:lead'],
            stages: [stage('ben', 'cleo'), stage('dan', 'eve')],
          },
          {
            ...rule,
            name: 'Late',
            patterns: ['vault:late'],
            stages: [
              {
                ...stage('ben', 'cleo'),
                deadlineSeconds: 3_600,
                escalateTo: [{ type: 'user', id: 'eve' }],
              },
            ],
          },
        ],
      },
      () => new Date(time),
    )
  })
  afterAll(() => portal.close())

  const at = (hours: number) => new Date(time + hours * HOUR_MS).toISOString()
  const ask = async (scope: string, body: object = {}) => {
    const anna = await portal.atThePages('anna')
    return (await portal.ask(anna, createAccessRequest, { body: { scope, ...body } })).body
  }
  const of = ({ id }: { id: string }) => ({ request: id })
  const approve = async (as: string, request: { id: string }, until?: string) => {
    const asked = { params: of(request), body: until === undefined ? {} : { until } }
    return (await portal.ask(await portal.atThePages(as), approveAccessRequest, asked)).body
  }
  const refusedTo = async (
    as: string,
    operation: { id: string },
    request: { id: string },
    body = {},
  ) => portal.refused(await portal.atThePages(as), operation, { params: of(request), body })
  const end = async (request: { id: string }) =>
    portal.ask(await portal.atThePages('adam'), revokeAccessRequest, {
      params: of(request),
      body: {},
    })

  test('is approved by as many as its rule says; each of them once', async () => {
    const request = await ask('vault:read')
    expect(await approve('ben', request)).toMatchObject({ status: 'pending' })
    // They have decided, and may see it still.
    expect(await refusedTo('ben', approveAccessRequest, request)).toBe('conflict voted_already')
    expect(await approve('cleo', request)).toMatchObject({ status: 'approved' })
    expect(await refusedTo('cleo', denyAccessRequest, request)).toBe('conflict request_over')
    expect(await refusedTo('dan', approveAccessRequest, request)).toBe(
      'not_found no_access_request',
    )
    await end(request)
  })

  test('is denied by one, however many have approved', async () => {
    const request = await ask('vault:read')
    await approve('ben', request)
    const dan = await portal.atThePages('dan')
    const asked = { params: of(request), body: { reason: 'Not now' } }
    const { body } = await portal.ask(dan, denyAccessRequest, asked)
    expect(body).toMatchObject({ status: 'denied', approvedUntil: null })
    expect(await portal.op.db.grant.count({ where: { requestId: request.id } })).toBe(0)
    expect(await refusedTo('anna', cancelAccessRequest, request)).toBe('conflict request_over')
  })

  test('ends at the earliest of what the rule, the asker and each approver said, of all stages', async () => {
    const request = await ask('vault:lead', { until: at(10) })
    await approve('ben', request, at(5))
    expect(await refusedTo('dan', approveAccessRequest, request, { until: at(11) })).toBe(
      'invalid /until narrower_needed',
    )
    expect(await refusedTo('dan', approveAccessRequest, request, { until: at(0) })).toBe(
      'invalid /until future_needed',
    )
    // Later than what an approver of an earlier stage said: the earlier one counts.
    expect(await approve('dan', request, at(8))).toMatchObject({
      status: 'approved',
      approvedUntil: at(5),
    })
    const [grant] = await portal.op.db.grant.findMany({ where: { requestId: request.id } })
    expect(grant?.validUntil?.toISOString()).toBe(at(5))
    await end(request)
  })

  test('goes to the next stage, where those of the first decide no more', async () => {
    const request = await ask('vault:lead')
    expect(await approve('cleo', request)).toMatchObject({ status: 'pending', stage: 1 })
    expect(await refusedTo('cleo', approveAccessRequest, request)).toBe('forbidden not_approver')
    expect(await refusedTo('ben', approveAccessRequest, request)).toBe(
      'not_found no_access_request',
    )
    expect(await approve('eve', request)).toMatchObject({ status: 'approved' })
    await end(request)
  })

  test('does not count the approval of somebody who was disabled since', async () => {
    const request = await ask('vault:read')
    await approve('ben', request)
    const change = (enabled: boolean) =>
      portal.ask(portal.owner, changeUser, { params: { user: 'ben' }, body: { enabled } })
    await change(false)
    expect(await approve('cleo', request)).toMatchObject({ status: 'pending' })
    expect(await approve('dan', request)).toMatchObject({ status: 'approved' })
    await change(true)
    await end(request)
  })

  test('gives nothing to an asker who was disabled since: it fails', async () => {
    const request = await ask('vault:read')
    await approve('ben', request)
    const change = (enabled: boolean) =>
      portal.ask(portal.owner, changeUser, { params: { user: 'anna' }, body: { enabled } })
    await change(false)
    expect(await approve('cleo', request)).toMatchObject({ status: 'failed' })
    expect(await portal.op.db.grant.count({ where: { requestId: request.id } })).toBe(0)
    await change(true)
  })

  test('is over with the end that was asked for, before anybody has tidied it up', async () => {
    const request = await ask('vault:read', { until: at(1) })
    await approve('ben', request)
    time += HOUR_MS
    expect(await refusedTo('cleo', approveAccessRequest, request)).toBe('conflict request_over')
    expect(await settleOverdue(portal.op, () => true)).toBe(1)
    const anna = await portal.atThePages('anna')
    const { body } = await portal.ask(anna, getAccessRequest, { params: of(request) })
    expect(body).toMatchObject({ status: 'expired', may: { cancel: false } })
  })

  test('is listed as overdue once its deciders let the time of the step pass', async () => {
    const request = await ask('vault:late')
    const listed = async (query: object) => {
      const asked = { query: { view: 'all', ...query } as const }
      const { body } = await portal.ask(portal.owner, listAccessRequests, asked)
      return body.data.map(({ id }: { id: string }) => id)
    }
    expect(await listed({ overdue: 'true' })).toEqual([])
    time += HOUR_MS
    expect(await settleOverdue(portal.op, () => true)).toBe(1)
    expect(await listed({ overdue: 'true' })).toEqual([request.id])
    expect(await listed({ overdue: 'true', status: 'denied' })).toEqual([])
    expect(await listed({ review: 'open' })).toEqual([])
    await approve('eve', request)
    expect(await listed({ overdue: 'true' })).toEqual([])
    await end(request)
  })

  test('is nobody else’s to read, to withdraw or to take back', async () => {
    const request = await ask('vault:read')
    expect(await refusedTo('eve', getAccessRequest, request)).toBe('not_found no_access_request')
    expect(await refusedTo('ben', cancelAccessRequest, request)).toBe('not_found no_access_request')
    expect(await refusedTo('anna', approveAccessRequest, request)).toBe('forbidden own_request')
    expect(await refusedTo('anna', revokeAccessRequest, request)).toBe(
      'conflict nothing_to_take_back',
    )
    await approve('ben', request)
    await approve('cleo', request)
    expect(await refusedTo('ben', revokeAccessRequest, request)).toBe('forbidden scope_needed')
    expect(await refusedTo('eve', revokeAccessRequest, request)).toBe('not_found no_access_request')
    // Whoever asked gives it back, once.
    const anna = await portal.atThePages('anna')
    await portal.ask(anna, revokeAccessRequest, { params: of(request), body: {} })
    expect(await refusedTo('anna', revokeAccessRequest, request)).toBe(
      'conflict nothing_to_take_back',
    )
  })
})

test('what an approval gave is in force until its end, and not at it', () => {
  const at = (status: string, approvedUntil: Date | null) =>
    isInForce({ status, approvedUntil } as Parameters<typeof isInForce>[0], END)
  expect(at('approved', new Date(END.getTime() + 1))).toBe(true)
  expect(at('approved', END)).toBe(false)
  expect(at('approved', null)).toBe(false)
  expect(at('denied', new Date(END.getTime() + 1))).toBe(false)
})
