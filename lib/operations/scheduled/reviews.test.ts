import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { freshConfig } from '../../../e2e/support/fresh-config'
import { incoming } from '../../../e2e/support/protocol'
import type { PortalScope } from '../../access/portal-api'
import { applyConfiguration } from '../../api/configuration/apply'
import { configurationSchema } from '../../api/configuration/schema'
import { type Caller, userCaller } from '../../api/http/caller'
import type { Call } from '../../api/http/operation'
import { closeNow, goOnClosing } from '../../api/reviews/close'
import { decideItems, type ReviewAnswer } from '../../api/reviews/decide'
import { decidesIn } from '../../api/reviews/reviewers'
import { type NewReview, startReview } from '../../api/reviews/start'
import { isStarter, mayManage, requireVisible } from '../../api/reviews/visible'
import { DAY_MS } from '../../base/time'
import { createOp, type OpenOp } from '../../op'
import type { ReviewItem } from '../../store/reviews/items'
import { listItems } from '../../store/reviews/lists'
import type { ReviewScope } from '../../store/reviews/things'
import { announcePeriods } from './periods'
import { settleReviews } from './reviews'

const ROBOT = { id: 'robot', kind: 'machine', name: 'Robot' }

describe.each(usually('sqlite'))('reviews on %s', (kind) => {
  let op: OpenOp
  let time = Date.now()
  const inDays = (days: number) => new Date(time + days * DAY_MS)

  beforeAll(async () => {
    const config = await freshConfig(kind)
    op = await createOp(config, () => new Date(time))
    const keys = ['orders:read', 'orders:write', 'orders:refund']
    const resource = { prefix: 'orders', name: 'Orders', audience: 'https://orders.test' }
    const permissions = keys.map((key) => ({ key, sensitive: key === 'orders:refund' }))
    const stock = {
      prefix: 'stock',
      name: 'Stock',
      audience: 'https://stock.test',
      permissions: [{ key: 'stock:read' }, { key: 'stock:write' }],
    }
    const deny = { pattern: 'orders:refund', effect: 'deny' }
    await apply({
      spaces: [
        {
          key: 'shop',
          name: 'Shop',
          resources: [{ ...resource, permissions }, stock],
          roles: [
            { key: 'clerk', name: 'Clerk', permissions: [{ pattern: 'orders:read' }] },
            { key: 'payer', name: 'Payer', permissions: [{ pattern: 'orders:*' }] },
            { key: 'trainee', name: 'Trainee', permissions: [deny] },
          ],
        },
      ],
      users: [
        ...['anna', 'ben'].map((username) => ({ username, adminRole: 'admin' })),
        ...['cleo', 'dora'].map((username) => ({ username })),
        { username: 'eve', attributes: { boss: 'cleo' } },
      ],
      applications: [ROBOT],
    })
    await announcePeriods(op, () => true)
  })
  afterAll(() => op.close())

  const apply = (more: object, caller?: Caller) =>
    applyConfiguration(op, configurationSchema.parse({ version: 1, ...more }), {
      env: {},
      dryRun: false,
      ...(caller && { by: { caller, incoming: incoming() } }),
    })
  const idOf = async (username: string) => (await op.users.idOf(username)) ?? ''
  const as = async (username: string): Promise<Caller> => {
    const id = await idOf(username)
    const caller = userCaller(id, await op.users.adminRoleOf(id))
    return { ...caller, session: { id: 'ses_of_a_browser', through: 'pages' } }
  }
  const callOf = async (username: string) =>
    ({ caller: await as(username), incoming: incoming() }) as unknown as Call
  const actor = { actorKind: 'user', actorId: 'x', ip: null, requestId: null } as never
  const holds = (username: string, role: string) =>
    apply({
      assignments: [{ space: 'shop', role, subject: { type: 'user', id: username } }],
    })

  async function started(by: string, over: ReviewScope, more: Partial<NewReview> = {}) {
    const reviewers = [{ type: 'user' as const, id: await idOf('dora') }]
    const asked = { name: 'R', over, reviewers, fallback: [], deadline: inDays(7), ...more }
    const id = await startReview(op, await as(by), { apiPrefix: null, ...asked }, actor)
    const items = await op.read((db) => listItems(db, { reviewId: id }, 100))
    const { review } = await requireVisible(op, await callOf(by), id)
    return { id, items, review }
  }
  const say = (item: ReviewItem | undefined, more: Partial<ReviewAnswer>): ReviewAnswer => ({
    item: item?.id ?? '',
    decision: 'keep',
    comment: null,
    narrowTo: null,
    until: null,
    ...more,
  })
  const roleNamed = async (key: string) =>
    [...(await op.latestSnapshot()).policy.roles.values()].find((role) => role.key === key)?.id ??
    ''

  test('a role that denies is left out, and one that gives something sensitive is sensitive', async () => {
    for (const role of ['clerk', 'payer', 'trainee']) await holds('eve', role)
    const { items, review } = await started('anna', { type: 'user', id: await idOf('eve') })
    expect(review.leftOut).toBe(1)
    const found = items.map(({ gives, sensitive }) => [gives, sensitive])
    expect(found.sort()).toEqual(
      [
        [await roleNamed('clerk'), false],
        [await roleNamed('payer'), true],
      ].sort(),
    )
  })

  test('who is reviewed does not manage it, and who lost their rank sees it no more', async () => {
    await holds('ben', 'clerk')
    const over = { type: 'role', id: await roleNamed('clerk') } as const
    const { id, review } = await started('anna', over)
    const seen = { review, mine: null }
    const manages = async (name: string) => {
      const call = await callOf(name)
      const decides = await decidesIn(op, call.caller, review)
      return mayManage(op, call, { ...seen, mine: await op.read(decides) })
    }
    expect(await manages('anna')).toBe(true)
    expect(await manages('ben')).toBe(false)
    await apply({ users: [{ username: 'anna', adminRole: 'app_manager' }] })
    expect(await isStarter(op, await callOf('anna'), review)).toBe(false)
    await expect(requireVisible(op, await callOf('anna'), id)).rejects.toThrow()
    await apply({ users: [{ username: 'anna', adminRole: 'admin' }] })
    expect(await isStarter(op, await callOf('anna'), review)).toBe(true)
  })

  test('the manager of today decides, and is asked at the reminder', async () => {
    const over = { type: 'user', id: await idOf('eve') } as const
    const reviewers = [{ type: 'manager' as const, attribute: 'boss' }]
    const { id, items, review } = await started('anna', over, { reviewers })
    const clerk = await roleNamed('clerk')
    const item = items.find(({ gives }) => gives === clerk)
    const keep = async (name: string, through: 'pages' | 'token' = 'pages') => {
      const caller = { ...(await as(name)), session: { id: 'ses_of_a_browser', through } }
      return decideItems(op, caller, review, [say(item, {})], actor)
    }
    await expect(keep('cleo', 'token')).rejects.toMatchObject({ code: 'forbidden' })
    await keep('cleo')
    await apply({ users: [{ username: 'eve', attributes: { boss: 'dora' } }] })
    await expect(keep('cleo')).rejects.toThrow()
    time += 6 * DAY_MS
    await settleReviews(op, () => true)
    const left = await op.read((db) => listItems(db, { reviewId: id, decided: false }, 100))
    expect(left.map(({ managerId }) => managerId)).toEqual([await idOf('dora')])
  })

  test('if no reviewer is left, the fallback is asked at the reminder', async () => {
    await apply({ users: [{ username: 'fred', enabled: true }] })
    const over = { type: 'user', id: await idOf('eve') } as const
    const reviewers = [{ type: 'user' as const, id: await idOf('fred') }]
    const fallback = [{ type: 'user' as const, id: await idOf('cleo') }]
    const { id } = await started('anna', over, { reviewers, fallback })
    await apply({ users: [{ username: 'fred', enabled: false }] })
    time += 6 * DAY_MS
    await settleReviews(op, () => true)
    const left = await op.read((db) => listItems(db, { reviewId: id, decided: false }, 100))
    expect(left.map(({ byFallback }) => byFallback)).toEqual([true, true])
  })

  test('W26: an application with the token of the starter manages only what the token says', async () => {
    const grants = [{ pattern: 'stock:read' }]
    const own = { id: 'own', kind: 'machine', name: 'Own', owner: 'fay', grants }
    await apply({ users: [{ username: 'fay', adminRole: 'app_manager' }], applications: [own] })
    const { review } = await started('fay', { type: 'application', id: 'own' })
    const call = await callOf('fay')
    expect(await isStarter(op, call, review)).toBe(true)
    const through = (await op.snapshot({ clients: ['own'] })).credentials.get('own') ?? null
    const withToken = (...scopes: PortalScope[]) => ({
      ...call,
      caller: { ...call.caller, through, scopes: new Set(scopes) },
    })
    expect(await isStarter(op, withToken('permissions:request'), review)).toBe(false)
    const both = withToken('permissions:request', 'applications:write')
    expect(await isStarter(op, both, review)).toBe(true)
  })

  test('W16: a client does not manage a review of itself or of its owner, by an access key neither', async () => {
    const key = { clientId: 'ak_1', application: { id: 'own' } }
    const client = { kind: 'client', id: 'ak_1', through: key, ownOnly: false }
    const caller = { ...client, scopes: new Set(['assignments:write']), lost: new Set() }
    const call = { caller, incoming: incoming() } as unknown as Call
    const reviewers = [{ type: 'user' as const, id: await idOf('ben') }]
    const manages = async (over: ReviewScope) => {
      const { review } = await started('anna', over, { reviewers })
      return mayManage(op, call, { review, mine: null })
    }
    for (const name of ['fay', 'cleo']) await holds(name, 'payer')
    expect(await manages({ type: 'application', id: 'own' })).toBe(false)
    expect(await manages({ type: 'user', id: await idOf('fay') })).toBe(false)
    expect(await manages({ type: 'user', id: await idOf('cleo') })).toBe(true)
  })

  test('W27: an end that passed before the closing is a removal; what is kept and gone is gone', async () => {
    for (const name of ['gina', 'hal']) {
      await apply({ users: [{ username: name }] })
      await holds(name, 'clerk')
    }
    const ids = [await idOf('gina'), await idOf('hal')]
    const over = { type: 'role', id: await roleNamed('clerk') } as const
    const { id, items, review } = await started('anna', over)
    const [ginas, hals] = ids.map((one) => items.find(({ subject }) => subject.id === one))
    const said = [say(ginas, { decision: 'narrow', until: inDays(8) }), say(hals, {})]
    await decideItems(op, await as('dora'), review, said, actor)
    await op.db.assignment.delete({ where: { id: hals?.targetId ?? '' } })
    time += 9 * DAY_MS
    await settleReviews(op, () => true)
    const ended = await op.read((db) => listItems(db, { reviewId: id }, 100))
    const endOf = (one: string | undefined) =>
      ended.find(({ subject }) => subject.id === one) ?? { outcome: null, outcomeReason: null }
    expect(endOf(ids[0])).toMatchObject({ outcome: 'removed', outcomeReason: 'ended' })
    expect(endOf(ids[1])).toMatchObject({ outcome: 'gone' })
    const left = await op.db.assignment.count({ where: { userId: { in: ids } } })
    expect(left).toBe(0)
    const told = { event: 'assignment.deleted', targetId: ginas?.targetId ?? '' }
    await expect.poll(() => op.db.auditEntry.count({ where: told })).toBe(1)
  })

  test('W20: an end lies after the deadline; what begins later keeps who gave it', async () => {
    const pattern = { pattern: 'stock:*', validFrom: inDays(20).toISOString() }
    const grants = { applications: [{ ...ROBOT, grants: [pattern] }] }
    await apply(grants, await as('ben'))
    const { id, items, review } = await started('anna', { type: 'application', id: 'robot' })
    const decide = async (more: Partial<ReviewAnswer>) => {
      const said = [say(items[0], { decision: 'narrow', ...more })]
      await decideItems(op, await as('dora'), review, said, actor)
    }
    await expect(decide({ until: inDays(3) })).rejects.toThrow('after the deadline of the review')
    await expect(decide({ until: inDays(10) })).rejects.toThrow('after the beginning')
    // Twice the same is one grant.
    await decide({ narrowTo: ['stock:read', 'stock:read'] })
    await closeNow(op, await as('anna'), review)
    expect(await goOnClosing(op, id, () => true)).toBe(true)
    const granted = () => op.db.grant.findMany({ where: { applicationId: 'robot' } })
    const givenBy = `user:${await idOf('ben')}`
    expect(await granted()).toMatchObject([{ pattern: 'stock:read', givenBy }])
    await apply({ users: [{ username: 'ben', adminRole: null }] })
    time += 21 * DAY_MS
    await announcePeriods(op, () => true)
    expect(await granted()).toEqual([])
  })
})
