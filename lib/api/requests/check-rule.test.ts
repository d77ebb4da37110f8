import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import { deleteAssignment, listAssignments } from '../permissions/assignments'
import { removeGroupMember } from '../permissions/groups'
import { changeResource } from '../permissions/resources'
import { type HealthWire, health } from '../records/health'

type Asked = Parameters<Operations['ask']>[2]

const named = (type: 'user' | 'group', id: string) => ({ type, id })

describe.each(usually('sqlite'))(
  'request rules that nobody can decide about any more, on %s',
  (kind) => {
    let portal: Operations

    beforeAll(async () => {
      const users = ['anna', 'ben', 'cleo', 'dora']
      portal = await openOperations(kind, { users: users.map((username) => ({ username })) })
    })
    afterAll(() => portal.close())

    const apply = (more: object) => portal.apply(more)
    const idOf = (username: string) => portal.idOf(username)
    const perform = async (operation: { id: string }, asked?: Asked) =>
      (await portal.ask(portal.owner, operation, asked)).body
    const found = async () => {
      const { data }: HealthWire = await perform(health)
      const about = data.filter(({ check }) => check === 'requests')
      return Object.fromEntries(about.map(({ code, values }) => [code, Object.values(values)]))
    }
    const api = (prefix: string, more: object = {}) => ({
      prefix,
      name: prefix,
      audience: `https://${prefix}.test`,
      ...more,
      permissions: [{ key: `${prefix}:read`, needsRole: true }],
    })
    const rule = (prefix: string, name: string, approvers: object[], more: object = {}) => ({
      api: prefix,
      name,
      patterns: [`${prefix}:read`],
      stages: [{ approvers }],
      ...more,
    })

    test('without rules there is nothing to say; a sound one is counted', async () => {
      expect(await found()).toEqual({})
      const people = ['anna', 'ben'].map((id) => named('user', id))
      await apply({
        spaces: [{ key: 'shop', name: 'Shop', resources: [api('orders'), api('stock')] }],
        requestRules: [rule('orders', 'Reading', people), rule('stock', 'Reading', people)],
      })
      expect(await found()).toEqual({ requests_decided: ['2', '2'] })
    })

    test('a user who is disabled', async () => {
      await apply({ users: [{ username: 'ben', enabled: false }] })
      expect(await found()).toEqual({ requests_undecided: ['Reading (orders), Reading (stock)'] })
      await apply({ users: [{ username: 'ben', enabled: true }] })
      expect(await found()).toEqual({ requests_decided: ['2', '2'] })
    })

    test('a group or a role that is empty, and an API without owners', async () => {
      const members = [{ username: 'cleo' }, { username: 'dora' }]
      await apply({
        groups: [{ key: 'team', name: 'Team', members: members.map(({ username }) => username) }],
      })
      await apply({
        spaces: [
          {
            key: 'more',
            name: 'More',
            resources: [api('grouped'), api('roled'), api('owned')],
            roles: [{ key: 'lead', name: 'Lead', permissions: [] }],
          },
        ],
        apis: [{ prefix: 'owned', owners: ['cleo', 'dora'].map((id) => named('user', id)) }],
        assignments: ['cleo', 'dora'].map((id) => ({
          space: 'more',
          role: 'lead',
          subject: named('user', id),
        })),
        requestRules: [
          rule('grouped', 'By group', [named('group', 'team')]),
          rule('roled', 'By role', [{ type: 'role', id: 'more/lead' }]),
          rule('owned', 'By owners', [{ type: 'api_owners' }]),
        ],
      })
      expect(await found()).toEqual({ requests_decided: ['5', '5'] })
      const params = { space: 'more' }
      const group = (await portal.op.db.group.findUniqueOrThrow({ where: { key: 'team' } })).id
      await perform(removeGroupMember, { params: { group, user: await idOf('dora') } })
      expect(await found()).toEqual({ requests_undecided: ['By group (grouped)'] })
      const { data } = await perform(listAssignments, {
        params,
        query: { user: await idOf('dora') },
      })
      await perform(deleteAssignment, { params: { ...params, id: data[0].id } })
      expect(await found()).toEqual({ requests_undecided: ['By group (grouped), By role (roled)'] })
      await perform(changeResource, { params: { ...params, id: 'owned' }, body: { owners: [] } })
      expect(await found()).toEqual({
        requests_undecided: ['By group (grouped), By owners (owned), By role (roled)'],
      })
    })

    test('reviewers of emergencies who are gone; managers are not looked at one by one', async () => {
      const people = ['anna', 'cleo'].map((id) => named('user', id))
      const emergency = { people: [named('user', 'anna')], reviewers: [named('user', 'ben')] }
      const boss = { type: 'manager', attribute: 'boss' }
      await apply({
        spaces: [{ key: 'last', name: 'Last', resources: [api('vault'), api('managed')] }],
        requestRules: [rule('vault', 'Opening', people, { emergency })],
      })
      const askers = { askers: 'user.boss != ""' }
      await apply({ requestRules: [rule('managed', 'Managed', [boss], askers)] })
      expect(await found()).not.toHaveProperty('emergencies_unreviewed')
      await apply({ users: [{ username: 'ben', enabled: false }] })
      expect(await found()).toMatchObject({ emergencies_unreviewed: ['Opening (vault)'] })
    })
  },
)
