import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import { mistakeIn } from '../../../e2e/support/problem-in'
import { changeSettings } from '../settings/routes'
import { managersOf } from './approvers'
import { createAccessRequest } from './asking-routes'
import { emergencySchema, namedApprovers, toEmergencyWire } from './emergency-rule'
import { approveAccessRequest } from './routes'
import {
  changeRequestRule,
  createRequestRule,
  deleteRequestRule,
  getRequestRule,
  listRequestRules,
} from './rule-routes'

/** What a request rule may say, with the place of what it may not. */

const person = (id: string) => ({ type: 'user', id })

describe('whom an attribute names', () => {
  const idOf = async (name: string) => ({ ada: 'usr_ada', 'ben@x.org': 'usr_ben' })[name] ?? null
  const manager = { type: 'manager', attribute: 'boss' } as const
  const named = (attributes: unknown, approvers: Parameters<typeof managersOf>[1] = [manager]) =>
    managersOf(idOf, approvers, attributes)

  test('is a user by any of their names', async () => {
    expect(await named({ boss: 'ada' })).toEqual(['usr_ada'])
    const both = [manager, { type: 'manager', attribute: 'deputy' } as const]
    expect(await named({ boss: 'ada', deputy: 'ben@x.org' }, both)).toEqual(['usr_ada', 'usr_ben'])
  })

  test.each([
    { boss: 'nobody' },
    { boss: '' },
    { boss: ['ada'] },
    { boss: 7 },
    {},
    null,
    undefined,
  ])('is nobody in %j', async (attributes) => {
    expect(await named(attributes)).toEqual([])
  })

  test('is nobody where no manager is asked', async () => {
    expect(await named({ boss: 'ada' }, [{ type: 'api_owners' }])).toEqual([])
  })
})

describe('what a rule says about emergencies', () => {
  const people = [person('usr_1')]

  test('has defaults: an hour, a day for the review, by the owners of the API', () => {
    expect(emergencySchema.parse({ people })).toEqual({
      people,
      seconds: 3_600,
      reviewSeconds: 86_400,
      reviewers: [{ type: 'api_owners' }],
    })
  })

  test.each<[string, object, string]>([
    ['nobody', { people: [] }, 'choose'],
    [
      'the owners of the API, who are not named beforehand',
      { people: [{ type: 'api_owners' }] },
      'one_of',
    ],
    ['a manager', { people: [{ type: 'manager', attribute: 'boss' }] }, 'one_of'],
    ['more than eight hours', { people, seconds: 8 * 3_600 + 1 }, 'too_big'],
    ['no time', { people, seconds: 0 }, 'too_small'],
    ['no reviewer', { people, reviewers: [] }, 'choose'],
    ['more than a week until the review', { people, reviewSeconds: 7 * 86_400 + 1 }, 'too_big'],
    ['something else', { people, silent: true }, 'unrecognized_keys'],
  ])('is not %s', (_what, emergency, mistake) => {
    expect(mistakeIn(emergencySchema, emergency)).toBe(mistake)
  })

  test('names each person with the place in the rule', () => {
    const one = { type: 'user', id: 'usr_1' } as const
    const emergency = { people: [one], reviewers: [one, one], seconds: 1, reviewSeconds: 1 }
    expect(namedApprovers(emergency).map(([pointer]) => pointer)).toEqual([
      '/emergency/people/0',
      '/emergency/reviewers/0',
      '/emergency/reviewers/1',
    ])
    expect([namedApprovers(null), toEmergencyWire(null)]).toEqual([[], null])
  })
})

describe.each(usually('sqlite'))('a request rule, on %s', (kind) => {
  let portal: Operations

  beforeAll(async () => {
    const api = (prefix: string) => ({
      prefix,
      name: prefix,
      audience: `https://${prefix}.test`,
      permissions: [{ key: `${prefix}:read`, needsRole: true }],
    })
    portal = await openOperations(kind, {
      users: [
        { username: 'mia', adminRole: 'app_manager' },
        ...['anna', 'ben', 'cleo'].map((username) => ({ username })),
      ],
      groups: [{ key: 'empty', name: 'Empty' }],
      spaces: [{ key: 'shop', name: 'Shop', resources: [api('orders'), api('stock')] }],
      apis: [{ prefix: 'stock', owners: [person('mia')] }],
    })
  })
  afterAll(() => portal.close())

  const rule = async (more: object = {}) => ({
    api: 'orders',
    name: 'Reading',
    patterns: ['orders:read'],
    stages: [{ approvers: [person(await portal.idOf('ben')), person(await portal.idOf('cleo'))] }],
    ...more,
  })
  const refused = async (more: object, as = portal.owner) =>
    portal.refused(as, createRequestRule, { body: await rule(more) })

  test.each<[string, object, string]>([
    ['of another API', { patterns: ['orders:read', 'stock:read'] }, '/patterns/1 request_pattern'],
    ['of nothing', { patterns: ['orders:write'] }, '/patterns/0 request_pattern'],
    ['of the portal', { patterns: ['users:read'] }, '/patterns/0 request_portal'],
    ['of a part of the portal', { patterns: ['users:*'] }, '/patterns/0 request_portal'],
    [
      'decided by nobody who exists',
      { stages: [{ approvers: [person('usr_gone')] }] },
      '/stages/0/approvers/0/id approver_unknown',
    ],
    [
      'decided by a role that is not there',
      { stages: [{ approvers: [{ type: 'role', id: 'rol_gone' }] }] },
      '/stages/0/approvers/0/id approver_unknown',
    ],
    ['asked for by the client', { askers: 'client.id == "a"' }, '/askers askers_user'],
    ['without stages', { stages: [] }, '/stages choose'],
    ['for longer than a year', { maxSeconds: 367 * 86_400 }, '/maxSeconds too_big'],
    ['with a mistake', { autoApprove: 'user.x ==' }, '/autoApprove condition_unfinished'],
    [
      'opened by somebody who is not there',
      { emergency: { people: [person('usr_gone')] } },
      '/emergency/people/0/id approver_unknown',
    ],
  ])('%s is refused', async (_what, more, told) => {
    expect(await refused(more)).toBe(`invalid ${told}`)
  })

  test('that nobody could decide about is refused with an example, unless it is off', async () => {
    const alone = { stages: [{ approvers: [person(await portal.idOf('ben'))] }] }
    expect(await refused(alone)).toBe('invalid /stages/0 too_few_approvers')
    const twice = { stages: [...(await rule()).stages, ...(await rule()).stages] }
    expect(await refused(twice)).toBe('invalid /stages/1 too_few_approvers')
    const off = { name: 'Off', enabled: false, ...alone }
    const { body } = await portal.ask(portal.owner, createRequestRule, { body: await rule(off) })
    // It is looked at again when it is turned on.
    const asked = { params: { rule: body.id }, body: { enabled: true } }
    expect(await portal.refused(portal.owner, changeRequestRule, asked)).toBe(
      'invalid /stages/0 too_few_approvers',
    )
  })

  describe('Q150: an attribute that names the manager', () => {
    const attribute = (key: string, more: object = {}) => ({
      key,
      name: key,
      type: 'string',
      seenBy: 'user',
      changedBy: 'admins',
      inConditions: true,
      ...more,
    })
    const OWN = { changedBy: 'user', inConditions: false }
    const settings = (...userAttributes: object[]) => ({ body: { userAttributes } })
    const boss = (key: string) => ({ type: 'manager', attribute: key })
    const by = (key: string) => ({ stages: [{ approvers: [boss(key)] }] })
    beforeAll(async () => {
      const all = [attribute('boss'), attribute('nick', OWN)]
      await portal.ask(portal.owner, changeSettings, settings(...all))
      const users = ['anna', 'ben', 'cleo', 'mia'].map((username) => {
        const name = username === 'ben' ? 'cleo' : 'ben'
        return { username, attributes: { boss: name, nick: name } }
      })
      await portal.apply({ users })
    })

    test('is none that users write themselves: the field says what to do', async () => {
      expect(await refused(by('nick'))).toBe(
        'invalid /stages/0/approvers/0/attribute manager_hidden',
      )
      const late = { ...(await rule()).stages[0], escalateTo: [boss('nick')] }
      expect(await refused({ stages: [late] })).toBe(
        'invalid /stages/0/escalateTo/0/attribute manager_hidden',
      )
      const people = [person(await portal.idOf('anna'))]
      expect(await refused({ emergency: { people, reviewers: [boss('nick')] } })).toBe(
        'invalid /emergency/reviewers/0/attribute manager_hidden',
      )
    })

    test('is none that users write themselves: a file is refused, too', async () => {
      const file = { requestRules: [{ ...(await rule()), name: 'By file', ...by('nick') }] }
      await expect(portal.apply(file)).rejects.toThrow(/approvers\/0\/attribute: .*nick/)
    })

    test('is not given to users while a rule asks whom it names, nor hidden', async () => {
      const sent = await rule({ name: 'By the manager', askers: 'user.boss != ""', ...by('boss') })
      const { body } = await portal.ask(portal.owner, createRequestRule, { body: sent })
      const params = { rule: body.id }
      const nick = attribute('nick', OWN)
      const told = (...of: object[]) =>
        portal.refused(portal.owner, changeSettings, settings(nick, ...of))
      expect(await told(attribute('boss', OWN))).toBe(
        'invalid /userAttributes/1/changedBy attribute_decides',
      )
      expect(await told(attribute('boss', { inConditions: false }))).toBe(
        'invalid /userAttributes/1/inConditions attribute_decides',
      )
      // A request keeps the terms that it was made under.
      const anna = await portal.atThePages('anna')
      const asked = { body: { scope: 'orders:read', reason: 'The books' } }
      const { body: request } = await portal.ask(anna, createAccessRequest, asked)
      await portal.ask(portal.owner, deleteRequestRule, { params })
      expect(await told(attribute('boss', OWN))).toBe(
        'invalid /userAttributes/1/changedBy attribute_decides',
      )
      const ben = await portal.atThePages('ben')
      const voted = await portal.ask(ben, approveAccessRequest, {
        params: { request: request.id },
        body: {},
      })
      expect(voted.body).toMatchObject({ status: 'approved' })
      expect(await told(attribute('boss', OWN))).toBe('not refused')
    })
  })

  test('keeps what a change does not name, and has one name in its API', async () => {
    const emergency = {
      people: [person(await portal.idOf('anna'))],
      reviewers: [person(await portal.idOf('ben'))],
    }
    const sent = await rule({ name: 'Kept', emergency, reasonRequired: false })
    const { body } = await portal.ask(portal.owner, createRequestRule, { body: sent })
    const params = { rule: body.id }
    const changed = await portal.ask(portal.owner, changeRequestRule, {
      params,
      body: { maxSeconds: 60 },
    })
    expect(changed.body).toEqual({ ...body, maxSeconds: 60, updatedAt: changed.body.updatedAt })
    expect((await portal.ask(portal.owner, getRequestRule, { params })).body).toEqual(changed.body)
    expect(await refused({ name: 'Kept' })).toMatch(/^conflict /)
    expect(
      await portal.refused(portal.owner, changeRequestRule, { params, body: {}, ifMatch: '"99"' }),
    ).toMatch(/^stale /)
  })

  test('N2: of an API of others does not exist for an app manager', async () => {
    const mia = await portal.as('mia')
    const { body } = await portal.ask(portal.owner, createRequestRule, {
      body: await rule({ name: 'Theirs' }),
    })
    const params = { rule: body.id }
    expect(await portal.refused(mia, getRequestRule, { params })).toBe('not_found no_rule')
    expect(await portal.refused(mia, changeRequestRule, { params, body: {} })).toBe(
      'not_found no_rule',
    )
    expect(await portal.refused(mia, deleteRequestRule, { params })).toBe('not_found no_rule')
    expect(await portal.refused(mia, listRequestRules, { query: { api: 'orders' } })).toBe(
      'not_found no_api',
    )
    expect(await refused({ name: 'Hers' }, mia)).toBe('not_found no_api')
    expect((await portal.ask(mia, listRequestRules)).body.data).toEqual([])
  })

  test('of their own API is an app manager’s to make', async () => {
    const mia = await portal.as('mia')
    const stock = await rule({ api: 'stock', name: 'Hers', patterns: ['stock:*'] })
    const { status } = await portal.ask(mia, createRequestRule, { body: stock })
    expect(status).toBe(201)
    const { body } = await portal.ask(mia, listRequestRules)
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Hers'])
  })
})
