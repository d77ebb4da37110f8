import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import { replaceApplicationGrants } from '../applications/grants'
import { changeAssignment, createAssignment, createAssignments } from './assignments'
import { importModel } from './model-routes'
import { replaceRolePermissions } from './role-permissions'

/** What would end before it begins is refused in the same way, whatever it is. */

const WRONG = { validFrom: '2030-02-01T00:00:00Z', validUntil: '2030-01-01T00:00:00Z' }
const ORDERS = {
  prefix: 'orders',
  name: 'Orders',
  audience: 'https://orders.test',
  permissions: [{ key: 'orders:read' }],
}
const RIGHT = { validFrom: '2030-01-01T00:00:00Z', validUntil: '2030-02-01T00:00:00Z' }

describe.each(usually('sqlite'))('a period that ends before it begins, on %s', (kind) => {
  let portal: Operations

  beforeAll(async () => {
    const roles = [{ key: 'clerk', name: 'Clerk', permissions: [] }]
    portal = await openOperations(kind, {
      users: [{ username: 'ada' }],
      spaces: [{ key: 'shop', name: 'Shop', resources: [ORDERS], roles }],
      applications: [{ id: 'app_till', kind: 'machine', name: 'Till' }],
    })
  })
  afterAll(() => portal.close())

  const shop = { space: 'shop' }
  const toAda = async (terms: object) => ({
    role: 'clerk',
    subject: { type: 'user', id: await portal.idOf('ada') },
    ...terms,
  })
  const refused = (operation: { id: string }, params: Record<string, string>, body: unknown) =>
    portal.refused(portal.owner, operation, { params, body })

  test('of an assignment, also of one of many', async () => {
    const wrong = await toAda(WRONG)
    expect(await refused(createAssignment, shop, wrong)).toBe('invalid /validUntil period_order')
    const assignments = [await toAda(RIGHT), wrong]
    expect(await refused(createAssignments, shop, { assignments })).toBe(
      'invalid /assignments/1/validUntil period_order',
    )
  })

  test('of an assignment that is changed; its other terms can be', async () => {
    const body = await toAda(RIGHT)
    const made = await portal.ask(portal.owner, createAssignment, { params: shop, body })
    const params = { ...shop, id: made.body.id }
    const { validFrom: validUntil } = RIGHT
    expect(await refused(changeAssignment, params, { validUntil })).toBe(
      'invalid /validUntil period_order',
    )
    expect(await refused(changeAssignment, params, { validFrom: '2031-01-01T00:00:00Z' })).toBe(
      'invalid /validUntil period_order',
    )
    expect(await refused(changeAssignment, params, { condition: 'true' })).toBe('not refused')
  })

  test('of a grant of a role, of an application and in a model', async () => {
    const grants = [
      { pattern: 'orders:read', ...RIGHT },
      { pattern: 'orders:*', ...WRONG },
    ]
    const role = { ...shop, role: 'clerk' }
    expect(await refused(replaceRolePermissions, role, { permissions: grants })).toBe(
      'invalid /permissions/1/validUntil period_order',
    )
    expect(await refused(replaceApplicationGrants, { id: 'app_till' }, { grants })).toBe(
      'invalid /grants/1/validUntil period_order',
    )
    const roles = [{ key: 'clerk', name: 'Clerk', permissions: grants.slice(1) }]
    expect(await refused(importModel, shop, { resources: [ORDERS], roles })).toBe(
      'invalid /roles/0/permissions/0/validUntil period_order',
    )
  })

  test('in a file', async () => {
    const subject = { type: 'user', id: 'ada' }
    const assignments = [{ space: 'shop', role: 'clerk', subject, ...WRONG }]
    await expect(portal.apply({ assignments })).rejects.toThrow(/\/validUntil: Choose an end/)
    const permissions = [{ pattern: 'orders:read', ...WRONG }]
    const roles = [{ key: 'clerk', name: 'Clerk', permissions }]
    const spaces = [{ key: 'shop', name: 'Shop', roles }]
    await expect(portal.apply({ spaces })).rejects.toThrow(/validUntil: Choose an end/)
  })
})
