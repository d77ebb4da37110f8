import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshConfig } from '../../../e2e/support/fresh-config'
import { isThorough } from '../../../e2e/support/thorough'
import { createOp, type OpenOp } from '../../op'
import type { NewAssignment } from '../../store/permissions/assignments'
import { applyConfiguration } from '../configuration/apply'
import { configurationSchema } from '../configuration/schema'
import { insertWithin, MAX_ASSIGNMENTS } from './room'

const AT_ONCE = 2_000

/** It fills up 20 000 assignments. The limit itself is asked for in lib/operations/pass.test.ts too. */
describe.runIf(isThorough)('what one subject may hold', () => {
  let op: OpenOp
  let roleId = ''
  let userId = ''

  beforeAll(async () => {
    op = await createOp(await freshConfig('sqlite'))
    const model = {
      version: 1,
      users: [{ username: 'laden' }],
      spaces: [{ key: 'shop', name: 'Shop', roles: [{ key: 'clerk', name: 'Clerk' }] }],
    }
    await applyConfiguration(op, configurationSchema.parse(model), { env: {}, dryRun: false })
    userId = (await op.users.idOf('laden')) ?? ''
    roleId = [...(await op.latestSnapshot()).policy.roles.keys()][0] ?? ''
  })

  afterAll(() => op.close())

  const assignment = (at: number): NewAssignment => ({
    id: `asg_${at}`,
    roleId,
    subject: { type: 'user', id: userId },
    instance: `order:${at}`,
    effect: 'allow',
    condition: null,
    validFrom: null,
    validUntil: null,
    givenBy: null,
  })
  const insert = (from: number, count: number) =>
    op.write((tx) => {
      const added = Array.from({ length: count }, (_, at) => assignment(from + at))
      return insertWithin(tx, added, op.now())
    })
  const held = () => op.db.assignment.count({ where: { userId } })

  test('one too many is refused, with the limit in the words, and nothing of it is kept', async () => {
    for (let from = 0; from < MAX_ASSIGNMENTS - 1; from += AT_ONCE) {
      await insert(from, Math.min(AT_ONCE, MAX_ASSIGNMENTS - 1 - from))
    }
    expect(await held()).toBe(MAX_ASSIGNMENTS - 1)
    await expect(insert(MAX_ASSIGNMENTS, 2)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('at most 20000 assignments'),
    })
    expect(await held()).toBe(MAX_ASSIGNMENTS - 1)
    await insert(MAX_ASSIGNMENTS, 1)
    expect(await held()).toBe(MAX_ASSIGNMENTS)
  })
})
