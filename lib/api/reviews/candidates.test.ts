import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { temporaryFolder } from '../../../e2e/support/folder'
import type { Approver } from '../../access/policy'
import { DAY_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { BY_SYSTEM } from '../../oidc/audit-event'
import { createOp, type OpenOp } from '../../op'
import { readConfig } from '../../settings/config'
import { listOpenReviews } from '../../store/reviews/reviews'
import type { ReviewScope } from '../../store/reviews/things'
import { applyConfiguration } from '../configuration/apply'
import { configurationSchema } from '../configuration/schema'
import { OPERATOR, userCaller } from '../http/caller'
import { candidatesFor } from './candidates'
import { someReviewWaitsFor } from './routes'
import { startReview } from './start'

const NAMES = ['named', 'grouped', 'held', 'boss', 'second', 'nobody'] as const

describe.each(KINDS)('in which reviews somebody may have something to decide on %s', (kind) => {
  let op: OpenOp
  let reads = 0
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    const DATABASE_URL = await freshDatabase[kind]()
    const config = { DATABASE_URL, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }
    op = await createOp(readConfig(config))
    const held = (role: string, id: string) => ({
      space: 'shop',
      role,
      subject: { type: 'user', id },
    })
    const document = {
      version: 1,
      spaces: [
        {
          key: 'shop',
          name: 'Shop',
          roles: [
            { key: 'clerk', name: 'Clerk' },
            { key: 'lead', name: 'Lead' },
            { key: 'deputy', name: 'Deputy', parents: ['lead'] },
          ],
        },
      ],
      users: [
        ...NAMES.map((username) => ({ username })),
        { username: 'clerk', attributes: { boss: 'boss' } },
      ],
      groups: [{ key: 'crew', name: 'Crew', members: ['grouped'] }],
      assignments: [held('clerk', 'clerk'), held('deputy', 'held')],
    }
    await applyConfiguration(op, configurationSchema.parse(document), { env: {}, dryRun: false })
    for (const name of [...NAMES, 'clerk']) ids[name] = (await op.users.idOf(name)) ?? ''
    const rows = [...(await op.db.role.findMany()), ...(await op.db.group.findMany())]
    for (const { key, id } of rows) ids[key === 'clerk' ? 'role' : key] = id
    const of = (type: 'user' | 'group' | 'role', name: string): Approver[] => {
      return [{ type, id: ids[name] ?? '' }]
    }
    await start('by name', of('user', 'named'))
    await start('by group', of('group', 'crew'))
    await start('by role', of('role', 'lead'))
    await start('by attribute', [{ type: 'manager', attribute: 'boss' }])
    await start('for others', of('user', 'named'), of('user', 'second'))
  })
  afterAll(() => op.close())

  const start = (name: string, reviewers: Approver[], fallback: Approver[] = []) => {
    const over: ReviewScope = { type: 'role', id: ids.role ?? '' }
    const deadline = new Date(Date.now() + 7 * DAY_MS)
    const asked = { name, over, reviewers, fallback, deadline, apiPrefix: null }
    return startReview(op, OPERATOR, asked, BY_SYSTEM)
  }
  const counted = (): Op => ({
    ...op,
    read: (work) => {
      reads += 1
      return op.read(work)
    },
  })

  test.each([
    ['named', ['by name', 'for others'], true],
    ['grouped', ['by group'], true],
    ['held', ['by role'], true],
    ['boss', ['by attribute'], true],
    // The fallback is not asked as long as a reviewer can decide.
    ['second', ['for others'], false],
    ['nobody', [], false],
  ] as const)('%s', async (name, names, waits) => {
    const open = await op.read((db) => listOpenReviews(db, 100))
    const found = await candidatesFor(op, ids[name] ?? '', open)
    expect(found.map((review) => review.name).sort()).toEqual([...names].sort())
    expect(await someReviewWaitsFor(op, userCaller(ids[name] ?? '', null))).toBe(waits)
  })

  test('whoever has nothing to do with them costs a few queries, however many are open', async () => {
    expect(await someReviewWaitsFor(counted(), userCaller(ids.nobody ?? '', null))).toBe(false)
    expect(reads).toBeLessThanOrEqual(4)
  })
})
