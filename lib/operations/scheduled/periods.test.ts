import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { freshConfig } from '../../../e2e/support/fresh-config'
import { shop } from '../../../e2e/support/shop'
import { applyConfiguration } from '../../api/configuration/apply'
import { configurationSchema } from '../../api/configuration/schema'
import { HOUR_MS } from '../../base/time'
import { createOp, type OpenOp } from '../../op'
import { announcePeriods } from './periods'

describe.each(usually('sqlite'))('the ends of grants and assignments on %s', (kind) => {
  let one: OpenOp
  let other: OpenOp
  let time = Date.now()
  const inHours = (hours: number) => new Date(time + hours * HOUR_MS).toISOString()

  beforeAll(async () => {
    const config = await freshConfig(kind)
    const clock = () => new Date(time)
    one = await createOp(config, clock)
    other = await createOp(config, clock)
    await apply({
      spaces: [
        shop(
          [{ key: 'orders:read' }],
          [{ key: 'clerk', name: 'Clerk', permissions: [{ pattern: 'orders:read' }] }],
        ),
      ],
      users: Array.from({ length: 12 }, (_, at) => ({ username: `user-${at}` })),
    })
  })

  afterAll(async () => {
    await one.close()
    await other.close()
  })

  const apply = (more: object) =>
    applyConfiguration(one, configurationSchema.parse({ version: 1, ...more }), {
      env: {},
      dryRun: false,
    })
  const assign = (id: string, validUntil: string) => ({
    space: 'shop',
    role: 'clerk',
    subject: { type: 'user', id },
    validUntil,
  })
  const announced = (event: string) =>
    one.db.auditEntry.findMany({ where: { event }, orderBy: { seq: 'asc' } })
  const both = () => Promise.all([one, other].map((op) => announcePeriods(op, () => true)))
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)

  test('what ended before the first look is no news', async () => {
    await apply({ assignments: [assign('user-0', inHours(1))] })
    time += 2 * HOUR_MS
    await both()
    expect(await announced('assignment.ended')).toEqual([])
  })

  test('an end is announced once, by whichever server process comes first', async () => {
    await apply({ assignments: [assign('user-1', inHours(1)), assign('user-2', inHours(3))] })
    expect(sum(await both())).toBe(0)
    time += 2 * HOUR_MS
    expect(sum(await both())).toBe(1)
    expect(sum(await both())).toBe(0)
    const [entry, ...more] = await announced('assignment.ended')
    expect(more).toEqual([])
    const user = await one.db.user.findUnique({ where: { usernameKey: 'user-1' } })
    expect(entry).toMatchObject({ actorKind: 'system', targetKind: 'user', targetId: user?.id })
    expect(entry?.detail).toMatchObject({ effect: 'allow', until: expect.any(String) })
    time += 2 * HOUR_MS
    expect(sum(await both())).toBe(1)
  })

  test('an end that was moved is announced when it comes', async () => {
    const before = (await announced('assignment.ended')).length
    await apply({ assignments: [assign('user-3', inHours(1))] })
    await apply({ prune: ['assignments'], assignments: [assign('user-3', inHours(5))] })
    time += 2 * HOUR_MS
    expect(sum(await both())).toBe(0)
    time += 4 * HOUR_MS
    expect(sum(await both())).toBe(1)
    expect((await announced('assignment.ended')).length).toBe(before + 1)
  })

  test('many that end in the same instant are announced once each', async () => {
    const before = (await announced('assignment.ended')).length
    const until = inHours(1)
    const users = Array.from({ length: 7 }, (_, at) => `user-${at + 5}`)
    await apply({ assignments: users.map((id) => assign(id, until)) })
    time += 2 * HOUR_MS
    for (let count = 1; count > 0; ) {
      count = sum(await Promise.all([one, other].map((op) => announcePeriods(op, () => true, 3))))
    }
    const told = (await announced('assignment.ended')).slice(before).map(({ targetId }) => targetId)
    expect([told.length, new Set(told).size]).toEqual([7, 7])
  })

  test('the end of a permission of an application is announced too', async () => {
    await apply({
      applications: [
        {
          id: 'robot',
          kind: 'machine',
          name: 'Robot',
          grants: [{ pattern: 'orders:read', validUntil: inHours(1) }],
        },
      ],
    })
    time += 2 * HOUR_MS
    expect(sum(await both())).toBe(1)
    const [entry] = await announced('grant.ended')
    expect(entry).toMatchObject({ applicationId: 'robot', targetKind: 'application' })
    expect(entry?.detail).toMatchObject({ permission: 'orders:read' })
  })
})
