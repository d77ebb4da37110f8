import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import { incoming } from '../../../e2e/support/protocol'
import { shop } from '../../../e2e/support/shop'
import { userCaller } from '../http/caller'
import { applyConfiguration } from './apply'
import { exportConfiguration } from './export'
import { parseConfiguration } from './schema'

/** Applying a document: what is kept, what goes, and what is never said. */

const SECRET = 'canary-0123456789-0123456789-0123456789'
const SHOP = {
  spaces: [shop([{ key: 'orders:read', needsRole: true }])],
}
const person = (id: string) => ({ type: 'user', id })
const PEOPLE = ['ada', 'ben', 'cleo', 'dan'].map((username) => ({ username }))

describe.each(usually('sqlite'))('a document that is applied, on %s', (kind) => {
  let portal: Operations

  beforeAll(async () => {
    portal = await openOperations(kind, { ...SHOP, users: PEOPLE })
  })
  afterAll(() => portal.close())

  test('a name that only looks like a time can be applied again', async () => {
    const spaces = [{ key: 'odd', name: '2026-13-45T99:99:99' }]
    expect(await portal.apply({ spaces })).toEqual(['+ space odd'])
    expect(await portal.apply({ spaces })).toEqual([])
  })

  describe('N9: a secret', () => {
    const app = (id: string) => ({
      id,
      kind: 'machine',
      name: id,
      secrets: [{ name: 'first', secret: { env: 'APP_SECRET' } }],
    })
    const apply = (document: object, env: Record<string, string> | null) =>
      applyConfiguration(
        portal.op,
        parseConfiguration(JSON.stringify({ version: 1, ...document })),
        { env, dryRun: false },
      )

    test('is nowhere in what is said, exported or recorded', async () => {
      const lines = await apply({ applications: [app('bot')] }, { APP_SECRET: SECRET })
      expect(lines).toEqual(['+ application bot', '+ secret bot/first'])
      await portal.op.settled()
      const all = JSON.stringify([
        lines,
        await exportConfiguration(portal.op),
        (await portal.op.db.auditEntry.findMany()).map(({ detail }) => detail),
      ])
      expect(all).not.toContain(SECRET)
    })

    test('that is missing, empty or too weak is named by its variable, never by its value', async () => {
      const applications = [app('weak')]
      await expect(apply({ applications }, {})).rejects.toThrow('APP_SECRET is not set')
      await expect(apply({ applications }, { APP_SECRET: '' })).rejects.toThrow('is not set')
      const weak = apply({ applications }, { APP_SECRET: 'hunter2' })
      await expect(weak).rejects.toThrow(/^APP_SECRET: Use 32 to 255 /)
      await expect(weak).rejects.not.toThrow('hunter2')
    })

    test('of the server is read by no document that was sent', async () => {
      await expect(apply({ applications: [app('sent')] }, null)).rejects.toThrow(
        /^APP_SECRET: a document that is sent to the portal cannot take a secret/,
      )
      expect(await portal.op.db.application.count({ where: { id: 'sent' } })).toBe(0)
    })
  })

  test.each<[string, object, string]>([
    [
      'a role for a group that is not there',
      { assignments: [{ space: 'shop', role: 'x', subject: { type: 'group', id: 'no' } }] },
      'the group no does not exist',
    ],
    [
      'an API that is not there',
      { apis: [{ prefix: 'nothing', introspectors: [] }] },
      'the API nothing does not exist',
    ],
    [
      'an approver who is nobody',
      {
        requestRules: [
          {
            api: 'orders',
            name: 'R',
            patterns: ['orders:read'],
            stages: [{ approvers: [person('nobody')] }],
          },
        ],
      },
      'the user nobody does not exist',
    ],
    [
      'a member who is nobody',
      { groups: [{ key: 'crew', name: 'Crew', members: ['ada', 'nobody'] }] },
      'the user nobody does not exist',
    ],
    [
      'two users with one address',
      {
        users: [
          { username: 'ida', name: 'Ida', email: 'i@x.org' },
          { username: 'ike', email: 'i@x.org' },
        ],
      },
      // PostgreSQL answers no question in a transaction that has failed.
      kind === 'sqlite'
        ? 'user ike: /email: Ida has this address already.'
        : 'user ike: Something else has this name or key already.',
    ],
  ])('%s is refused by name, and takes the rest back', async (_what, document, told) => {
    const spaces = [...SHOP.spaces, { key: 'new', name: 'New' }]
    await expect(portal.apply({ spaces, ...document })).rejects.toThrow(told)
    expect(await portal.op.db.space.count({ where: { key: 'new' } })).toBe(0)
    expect(await portal.op.db.group.count({ where: { key: 'crew' } })).toBe(0)
  })

  test('is made as whoever sends it: without the right, nothing of it stays', async () => {
    const by = {
      caller: userCaller(await portal.idOf('ada'), 'auditor'),
      incoming: incoming(),
    }
    const document = { version: 1, spaces: [{ key: 'rise', name: 'Rise' }] }
    const applied = applyConfiguration(portal.op, parseConfiguration(JSON.stringify(document)), {
      env: null,
      dryRun: false,
      by,
    })
    await expect(applied).rejects.toThrow(/space rise: .*spaces:write/)
    expect(await portal.op.db.space.count({ where: { key: 'rise' } })).toBe(0)
  })

  test('a dry run shows what would be there, and leaves nothing of it', async () => {
    const document = { version: 1, spaces: [{ key: 'dry', name: 'Dry' }] }
    const seen: number[] = []
    const lines = await applyConfiguration(
      portal.op,
      parseConfiguration(JSON.stringify(document)),
      {
        env: {},
        dryRun: true,
        async look(inside) {
          const { roles } = (await inside.latestSnapshot()).policy
          seen.push(roles.size)
        },
      },
    )
    expect([lines, seen.length]).toEqual([['+ space dry'], 1])
    expect(await portal.op.db.space.count({ where: { key: 'dry' } })).toBe(0)
  })
})
