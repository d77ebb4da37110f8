import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KINDS } from '../../e2e/support/databases'
import { freshConfig } from '../../e2e/support/fresh-config'
import { incoming } from '../../e2e/support/protocol'
import { applyConfiguration } from '../api/configuration/apply'
import { configurationSchema } from '../api/configuration/schema'
import { type Caller, userCaller } from '../api/http/caller'
import type { AnyOperation } from '../api/http/operation'
import { perform as performAny } from '../api/http/perform'
import { type ImpactWire, previewImpact } from '../api/impact/routes'
import { createAccessRequest } from '../api/requests/asking-routes'
import { asGiven, newRequest, refusedNow, requireRequestable } from '../api/requests/create'
import { give } from '../api/requests/decide'
import { createOp, type OpenOp } from '../op'
import { insertAccessRequest } from '../store/requests/steps'

const ROBOT = { id: 'robot', kind: 'machine', name: 'Robot' }

describe.each(KINDS)('the preview of a change counts what requests gave, on %s', (kind) => {
  let op: OpenOp

  beforeAll(async () => {
    const config = await freshConfig(kind)
    op = await createOp(config)
    const permissions = ['read', 'write'].map((key) => ({ key: `orders:${key}`, needsRole: true }))
    const resource = { prefix: 'orders', name: 'Orders', audience: 'https://orders.test' }
    const users = ['anna', 'ben', 'cleo']
    const named = users.map((id) => ({ type: 'user', id }))
    await apply({
      users: users.map((username) => ({ username })),
      spaces: [
        {
          key: 'shop',
          name: 'Shop',
          resources: [{ ...resource, permissions }],
          roles: [{ key: 'clerk', name: 'Clerk', permissions: [] }],
        },
      ],
      assignments: named.slice(0, 2).map((subject) => ({ space: 'shop', role: 'clerk', subject })),
      applications: [{ ...ROBOT, grants: ['orders:write'] }],
      requestRules: [
        {
          api: 'orders',
          name: 'All',
          patterns: ['orders:*'],
          maxSeconds: 3600,
          stages: [{ approvers: named }],
          autoApprove: 'user.id != ""',
        },
      ],
    })
    const body = { scope: 'orders:read', reason: 'The month end' }
    await perform(userCaller(await idOf('anna'), null), createAccessRequest, { body })
    await clerksGet('orders:*')
  })
  afterAll(() => op.close())

  const apply = (more: object) =>
    applyConfiguration(op, configurationSchema.parse({ version: 1, ...more }), {
      env: {},
      dryRun: false,
    })
  const clerksGet = (pattern: string) => {
    const roles = [{ key: 'clerk', name: 'Clerk', permissions: [{ pattern }] }]
    return apply({ spaces: [{ key: 'shop', name: 'Shop', roles }] })
  }
  const idOf = async (username: string) => (await op.users.idOf(username)) ?? ''

  type Asked = { params?: Record<string, string>; body?: unknown }
  async function perform(caller: Caller, operation: { id: string }, asked: Asked) {
    const all = { params: {}, query: {}, body: undefined, ifMatch: '*', latest: true, ...asked }
    const request = { ...all, caller, incoming: incoming() }
    return (await performAny(op, operation as AnyOperation, request)).body
  }
  const previewed = async (change: object) => {
    const asked = { params: { space: 'shop' }, body: { change } }
    const { affected } = (await perform(
      userCaller('usr_owner', 'owner'),
      previewImpact,
      asked,
    )) as ImpactWire
    return Object.fromEntries(
      affected.map(({ subject, gains, loses, mayGain, mayLose }) => [
        subject.name,
        [...gains, '-', ...loses.sort(), '?', ...mayGain, '-', ...mayLose],
      ]),
    )
  }

  test('whoever has it by a request does not lose it with a role, unless the role denies it', async () => {
    const role = 'clerk'
    expect(await previewed({ kind: 'role_permissions', role, permissions: [] })).toEqual({
      anna: ['-', 'orders:write', '?', '-'],
      ben: ['-', 'orders:read', 'orders:write', '?', '-'],
    })
    const permissions = [{ pattern: 'orders:read', effect: 'deny' }]
    expect(await previewed({ kind: 'role_permissions', role, permissions })).toEqual({
      anna: ['-', 'orders:read', 'orders:write', '?', '-'],
      ben: ['-', 'orders:read', 'orders:write', '?', '-'],
    })
  })

  test('an application keeps what a request gave it when its grants are replaced', async () => {
    const refused = await refusedNow(op, await idOf('cleo'), 'orders:read')
    const lacking = { ...refused, applicationId: 'robot', lacks: ['application' as const] }
    const { item, rule } = await requireRequestable(op, lacking, '/scope')
    const whole = { reason: 'The month end', until: null, emergency: false, callback: null }
    const request = newRequest(op, { refused: lacking, ...whole, madeBy: null }, item, rule)
    await op.changePolicy(async (tx) => {
      await insertAccessRequest(tx, request)
      await give(op, tx, asGiven(op, request))
    })
    const lost = { Robot: ['-', 'orders:write', '?', '-'] }
    const application = 'robot'
    expect(await previewed({ kind: 'application_grants', application, grants: [] })).toEqual(lost)
    const remove = ['orders:write', 'orders:read']
    expect(await previewed({ kind: 'adjust_application', application, remove })).toEqual(lost)
  })
})
