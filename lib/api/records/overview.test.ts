import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import { totalOf } from '../../store/operations/totals'
import { changeSettings } from '../settings/routes'
import { createUser } from '../users/users'
import { activity } from './activity'
import { keyOf } from './findings'
import { firstSteps, STEPS } from './first-steps'
import { type FindingWire, health } from './health'

/** What the overview shows: first steps, warnings that can be put away, totals. */

describe('the key of a warning', () => {
  test('says nothing of its values, and is another one for other values', () => {
    const told = keyOf({ code: 'applications_weakened', values: { names: 'Shop' } })
    expect(told).toMatch(/^applications_weakened\.[\w-]{8}$/)
    expect(keyOf({ code: 'applications_weakened', values: { names: 'Shop, Till' } })).not.toBe(told)
  })

  test('does not change with what is measured anew each time', () => {
    expect(keyOf({ code: 'keys_old', values: { days: '100' } })).toBe('keys_old')
    const keys = ['300.0', '400.0'].map((ms) =>
      keyOf({ code: 'database_slow', values: { kind: 'PostgreSQL', ms } }),
    )
    expect(new Set(keys).size).toBe(1)
  })
})

test('beyond ten thousand, a total is about as many as the database says', () => {
  expect(totalOf(9_999, 20_000)).toEqual({ count: 9_999, exact: true })
  expect(totalOf(10_000n, 1_240_000n)).toEqual({ count: 1_240_000, exact: false })
  // PostgreSQL has not looked yet.
  expect(totalOf(10_000, -1)).toEqual({ count: 10_000, exact: false })
})

describe.each(usually('sqlite'))('the overview of an empty portal, on %s', (kind) => {
  let portal: Operations

  beforeAll(async () => {
    portal = await openOperations(kind, { users: [{ username: 'ada', adminRole: 'owner' }] })
  })
  afterAll(() => portal.close())

  const perform = async (operation: { id: string }, asked?: Parameters<Operations['ask']>[2]) =>
    (await portal.ask(portal.owner, operation, asked)).body
  const set = async (body: object) => {
    await perform(changeSettings, { body })
    await portal.op.latestSnapshot()
  }
  const done = async (): Promise<string[]> => {
    const { data } = await perform(firstSteps)
    return data.flatMap((one: { step: string; done: boolean | null }) => (one.done ? one.step : []))
  }
  const findings = async (): Promise<FindingWire[]> => (await perform(health)).data
  const warning = async (check: string) => {
    const found = (await findings()).find((one) => one.check === check && one.state === 'warn')
    if (!found) throw new Error(`there is no warning about ${check}`)
    return found
  }

  test('a step is done as soon as the portal shows it; a backup it cannot know', async () => {
    const { data, putAway } = await perform(firstSteps)
    expect(data.map(({ step }: { step: string }) => step)).toEqual([...STEPS])
    expect(data.find(({ step }: { step: string }) => step === 'backup').done).toBeNull()
    expect([await done(), putAway]).toEqual([[], false])
    await perform(createUser, { body: { username: 'grace' } })
    const resource = { prefix: 'shop', name: 'Shop', audience: 'https://shop.test' }
    await portal.apply({
      spaces: [{ key: 'shop', name: 'Shop', resources: [resource] }],
      applications: [{ id: 'app_robot', kind: 'machine', name: 'Robot' }],
    })
    await set({ branding: { name: 'Example ID' } })
    expect(await done()).toEqual(['api', 'app', 'invite', 'branding'])
  })

  test('totals count users and applications, and the day has its new users', async () => {
    const { users, applications, days } = await perform(activity)
    expect([users, applications]).toEqual([
      { count: 2, exact: true },
      { count: 1, exact: true },
    ])
    expect(days.at(-1)).toMatchObject({ newUsers: 2, activeUsers: 0 })
  })

  test('what is normal on one’s own machine says so', async () => {
    const expected = (await findings()).filter((one) => one.expected).map(({ code }) => code)
    expect(expected).toContain('cookies_plain')
    expect((await warning('cookies')).expected).toBe(true)
  })

  test('N58: a warning is put away for every admin, stays among the checks, and comes back', async () => {
    const { key } = await warning('cookies')
    await set({ putAway: [key, 'first_steps'] })
    expect(await warning('cookies')).toMatchObject({ key, putAway: true })
    expect((await perform(firstSteps)).putAway).toBe(true)
    await set({ putAway: [] })
    expect(await warning('cookies')).toMatchObject({ key, putAway: false })
  })

  test.each([
    ['no key', ['<b>']],
    ['a key with values in it', ['applications_weakened.Shop, Till']],
    ['no text', [7]],
    ['too many', Array.from({ length: 101 }, () => 'mail_off')],
  ])('N58: %s cannot be put away', async (_what, putAway) => {
    const said = await portal.refused(portal.owner, changeSettings, { body: { putAway } })
    expect(said).toMatch(/^invalid/)
  })

  test('N58: a check that passes or fails is never put away', async () => {
    const fine = (await findings()).filter(({ state }) => state === 'ok')
    await set({ putAway: fine.map(({ key }) => key) })
    expect((await findings()).filter((one) => one.putAway)).toEqual([])
    await set({ putAway: [] })
  })
})
