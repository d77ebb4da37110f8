import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../lib/base/time'
import {
  ANY,
  callAs,
  loginOf,
  machineWith,
  made,
  ok,
  type Person,
  people,
  provedInProcess,
  WANTED,
  type World,
  worldIn,
} from '../support/access-requests'
import { type Call, caller, sessionOf } from '../support/api'
import { usually } from '../support/databases'
import { type OpenPortal, openPortal } from '../support/in-process'

/** Whoever decides about access holds a power over it: nobody gets there by less than that power. */

const NAMES = ['ann', 'ben', 'cleo', 'dora', 'eve', 'finn'] as const
const API = ['ledger:*']
const ROLES = ['assignments:write']

describe.each(usually('sqlite'))('whoever decides about access, on %s', (kind) => {
  let portal: OpenPortal
  let who: Record<(typeof NAMES)[number], Person>
  let world: World
  /** Each holds one scope, and nothing else. */
  let hr: Call
  let assigner: Call
  let modeller: Call
  let admin: Call

  beforeAll(async () => {
    portal = await openPortal({ kind })
    who = await people(portal, NAMES)
    const askers = `user.id in ${JSON.stringify([who.cleo.id, who.dora.id, who.eve.id])}`
    world = await worldIn(portal, [who.ann, who.ben], { askers })
    const holding = async (...scopes: string[]) =>
      caller(portal, await (await machineWith(portal, world.api, scopes)).token())
    hr = await holding('users:write')
    assigner = await holding('assignments:write')
    modeller = await holding('roles:write')
    ok(await world.api('PATCH', `/users/${who.finn.id}`, { adminRole: 'admin' }, ANY))
    admin = callAs(portal, await sessionOf(portal, loginOf('finn')))
  })
  afterAll(() => portal.stop())

  /** Refused for want of exactly this. */
  async function refused(answer: ReturnType<Call>, missing: string[]) {
    const { status, json, raw } = await answer
    expect([status, json?.code, json?.missing], raw).toEqual([403, 'forbidden', missing])
  }
  const user = (name: (typeof NAMES)[number]) => `/users/${who[name].id}`
  const inGroup = (group: string, name: (typeof NAMES)[number]) =>
    `/groups/${group}/members/${who[name].id}`
  const rule = (body: object) => world.api('PATCH', `/request-rules/${world.rule}`, body, ANY)
  const ask = async (name: (typeof NAMES)[number], scope = WANTED): Promise<string> =>
    (await made(who[name].call, '/access-requests', { scope, reason: 'The year ends' })).id
  const cancel = async (name: (typeof NAMES)[number], id: string) =>
    ok(await who[name].call('POST', `/access-requests/${id}/cancellation`, {}))
  const mayDecide = async (name: (typeof NAMES)[number], id: string): Promise<boolean> =>
    ok(await who[name].call('GET', '/access-requests?view=decide')).data.some(
      (one: { id: string }) => one.id === id,
    )
  const group = async (key: string): Promise<string> =>
    (await made(world.api, '/groups', { key, name: key })).id
  const role = async (key: string, more: object = {}): Promise<string> =>
    (await made(world.api, '/spaces/demo/roles', { key, name: key, ...more })).id
  const assign = (roleId: string, type: 'user' | 'group', id: string, more: object = {}) => ({
    role: roleId,
    subject: { type, id },
    ...more,
  })
  const anotherRule = (name: string, more: object) =>
    made(world.api, '/request-rules', {
      api: 'ledger',
      name,
      patterns: ['ledger:read'],
      maxSeconds: 3600,
      stages: [
        {
          approvers: [
            { type: 'user', id: who.ben.id },
            { type: 'user', id: who.ann.id },
          ],
        },
      ],
      ...more,
    })
  const removeRule = async (id: string) =>
    ok(await world.api('DELETE', `/request-rules/${id}`, undefined, ANY))
  const review = (reviewers: object[], over: object) =>
    made(world.api, '/reviews', {
      name: 'Review',
      over,
      reviewers,
      deadline: new Date(portal.op.now().getTime() + 7 * DAY_MS).toISOString(),
    })

  /** Every way to act as somebody, or to be named as them. */
  const waysInto = (name: (typeof NAMES)[number]): (() => ReturnType<Call>)[] => [
    () => hr('PATCH', user(name), { email: `evil-${name}@x.example`, emailVerified: true }, ANY),
    () => hr('PATCH', user(name), { emailVerified: false }, ANY),
    () => hr('PATCH', user(name), { username: `evil-${name}` }, ANY),
    () => hr('POST', `${user(name)}/password-reset`, {}),
    () => hr('POST', `${user(name)}/invitation`, { returnLink: true }),
    () => hr('DELETE', `${user(name)}/sessions`),
    () => hr('DELETE', `${user(name)}/sessions/ses_x`),
    () => hr('DELETE', `${user(name)}/factors/fac_x`),
    () => hr('POST', '/users:batch', { do: 'sign_out', users: [who[name].id] }),
  ]

  test('Q170: nobody gets into the account of an approver without authority over the API', async () => {
    for (const way of waysInto('ann')) await refused(way(), API)
    // An emergency, an approver who decides late, and a reviewer of emergencies count alike.
    const byName = [{ type: 'user', id: who.dora.id }]
    const others = [{ approvers: [{ type: 'group', id: world.group }], needed: 1 }]
    const reviewers = [{ type: 'group', id: world.group }]
    for (const more of [
      { stages: others.map((one) => ({ ...one, escalateTo: byName })) },
      { stages: others, emergency: { people: byName, reviewers } },
      { stages: others, emergency: { people: reviewers, reviewers: byName } },
    ]) {
      const { id } = await anotherRule('Named', more)
      for (const way of waysInto('dora')) await refused(way(), API)
      await removeRule(id)
    }
    const { status } = await hr('PATCH', user('dora'), { email: 'dora@other.example' }, ANY)
    expect(status).toBe(200)
    ok(
      await world.api(
        'PATCH',
        user('dora'),
        { email: 'dora@requests.example', emailVerified: true },
        ANY,
      ),
    )
  })

  test('Q170: an approver who was disabled is not enabled again, also with others', async () => {
    ok(await hr('PATCH', user('ann'), { enabled: false }, ANY))
    await refused(hr('PATCH', user('ann'), { enabled: true }, ANY), API)
    const users = [who.eve.id, who.ann.id]
    await refused(hr('POST', '/users:batch', { do: 'enable', users }), API)
    ok(await world.api('PATCH', user('ann'), { enabled: true }, ANY))
    who.ann.call = callAs(portal, await sessionOf(portal, loginOf('ann')))
  })

  test('Q171: who votes on what waits stays, whatever becomes of the rule', async () => {
    const id = await ask('cleo')
    const other = await group('others')
    const join = () => hr('PUT', inGroup(world.group, 'dora'))
    const same = async () => {
      await refused(join(), API)
      for (const way of waysInto('ann')) await refused(way(), API)
      expect(await Promise.all(NAMES.map((name) => mayDecide(name, id)))).toEqual(
        NAMES.map((name) => name === 'ann' || name === 'ben'),
      )
    }
    await same()
    ok(await rule({ enabled: false }))
    await same()
    ok(await world.api('PUT', inGroup(other, 'dora')))
    ok(await world.api('PUT', inGroup(other, 'eve')))
    ok(await world.api('PUT', inGroup(other, 'finn')))
    const stages = [{ approvers: [{ type: 'group', id: other }], needed: 2 }]
    ok(await rule({ enabled: true, stages }))
    await same()
    // Those whom the rule names now decide about what is asked for from now on.
    await refused(hr('PUT', inGroup(other, 'cleo')), API)
    await removeRule(world.rule)
    await same()
    ok(await world.api('DELETE', inGroup(world.group, 'ben')))
    expect(await mayDecide('ben', id)).toBe(false)
    ok(await world.api('PUT', inGroup(world.group, 'ben')))
    await cancel('cleo', id)
    // Nothing is decided by them any more.
    expect((await join()).status).toBe(204)
    expect((await hr('DELETE', inGroup(world.group, 'dora'))).status).toBe(204)
    const approvers = [{ type: 'group', id: world.group }]
    world.rule = (
      await made(world.api, '/request-rules', {
        api: 'ledger',
        name: 'Closing again',
        patterns: [WANTED],
        maxSeconds: 3600,
        stages: [{ approvers, needed: 1 }],
      })
    ).id
    ok(await rule({ enabled: false }))
    await refused(join(), API)
    ok(await rule({ enabled: true }))
  })

  test('Q171: what was opened alone keeps its reviewers until one has said something', async () => {
    const watch = await group('watch')
    ok(await world.api('PUT', inGroup(watch, 'ben')))
    const reviewers = [{ type: 'group', id: watch }]
    const emergency = { people: [{ type: 'user', id: who.cleo.id }], reviewers }
    const { id } = await anotherRule('Night', { emergency })
    const cleo = callAs(portal, await provedInProcess(portal, who.cleo.id, 'cleo'))
    const asked = { scope: 'ledger:read', reason: 'The night job is stuck', emergency: true }
    const opened = await made(cleo, '/access-requests', asked)
    await removeRule(id)
    await refused(hr('PUT', inGroup(watch, 'dora')), API)
    for (const way of waysInto('ben').slice(0, 1)) await refused(way(), API)
    const said = { justified: true, reason: 'Seen' }
    ok(await who.ben.call('POST', `/access-requests/${opened.id}/review`, said))
    expect((await hr('PUT', inGroup(watch, 'dora'))).status).toBe(204)
  })

  test('Q172: nobody joins or becomes the reviewers of an open review without what they take away', async () => {
    const auditors = await group('auditors')
    ok(await world.api('PUT', inGroup(auditors, 'eve')))
    const reader = await role('reader')
    const held = await made(
      world.api,
      '/spaces/demo/assignments',
      assign(reader, 'user', who.cleo.id),
    )
    const over = { type: 'role', id: reader }
    const reviewers = [{ type: 'group', id: auditors }]
    const { id } = await review(reviewers, over)
    await refused(hr('PUT', inGroup(auditors, 'dora')), ROLES)
    for (const way of waysInto('eve')) await refused(way(), ROLES)
    expect(
      (await assigner('DELETE', `/spaces/demo/assignments/${held.id}`, undefined, ANY)).status,
    ).toBe(204)
    ok(await admin('PUT', inGroup(auditors, 'dora')))
    ok(await world.api('POST', `/reviews/${id}/cancellation`, {}))
    expect((await hr('DELETE', inGroup(auditors, 'dora'))).status).toBe(204)
  })

  test('Q173: a role that approves is given by whoever governs the API, in every way', async () => {
    const empty = await role('empty')
    const below = await role('below', { parents: ['empty'] })
    const crew = await group('crew')
    const { id } = await anotherRule('By role', {
      stages: [
        {
          approvers: [
            { type: 'role', id: empty },
            { type: 'group', id: world.group },
          ],
        },
      ],
    })
    const path = '/spaces/demo/assignments'
    for (const one of [empty, below]) {
      await refused(assigner('POST', path, assign(one, 'user', who.dora.id)), API)
      await refused(assigner('POST', path, assign(one, 'group', crew)), API)
      await refused(
        assigner('POST', `${path}:batch`, { assignments: [assign(one, 'user', who.dora.id)] }),
        API,
      )
      await refused(assigner('PUT', `${user('dora')}/roles/${one}`), API)
    }
    // For one instance it approves nothing, and cannot become more by a change of its terms.
    const narrow = await made(assigner, path, assign(below, 'user', who.dora.id, { instance: 'a' }))
    await refused(assigner('PATCH', `${path}/${narrow.id}`, { instance: null }, ANY), API)
    // A deny that keeps somebody out is not lifted.
    const allow = await made(admin, path, assign(empty, 'user', who.dora.id))
    const deny = await made(assigner, path, assign(below, 'user', who.dora.id, { effect: 'deny' }))
    await refused(assigner('DELETE', `${path}/${deny.id}`, undefined, ANY), API)
    await refused(assigner('DELETE', `${user('dora')}/roles/${below}`), API)
    await refused(modeller('DELETE', '/spaces/demo/roles/below', undefined, ANY), API)
    await refused(modeller('PATCH', '/spaces/demo/roles/below', { parents: [] }, ANY), API)
    // To end sooner, or to go, only takes away.
    const validUntil = new Date(portal.op.now().getTime() + DAY_MS).toISOString()
    ok(await assigner('PATCH', `${path}/${allow.id}`, { validUntil }, ANY))
    await refused(assigner('PATCH', `${path}/${allow.id}`, { validUntil: null }, ANY), API)
    ok(await assigner('DELETE', `${path}/${allow.id}`, undefined, ANY))
    ok(await admin('DELETE', `${path}/${deny.id}`, undefined, ANY))
    ok(await assigner('PUT', `${user('dora')}/roles/${await role('ordinary')}`))
    ok(await world.api('DELETE', `${user('dora')}/roles/${await roleNamed('ordinary')}`))
    for (const one of [empty, below]) await removeAssignments(one)
    await removeRule(id)
  })

  const removeAssignments = async (roleId: string) => {
    const path = '/spaces/demo/assignments'
    for (const { id } of ok(await world.api('GET', `${path}?role=${roleId}`)).data)
      ok(await world.api('DELETE', `${path}/${id}`, undefined, ANY))
  }

  test('Q174: a role that somebody holds does not become one that approves', async () => {
    const approver = await role('approver')
    await role('between')
    const common = await role('common')
    await role('free')
    ok(await world.api('POST', '/spaces/demo/assignments', assign(common, 'user', who.eve.id)))
    const { id } = await anotherRule('By parent', {
      stages: [
        {
          approvers: [
            { type: 'role', id: approver },
            { type: 'group', id: world.group },
          ],
        },
      ],
    })
    const parents = ['approver']
    await refused(modeller('PATCH', '/spaces/demo/roles/common', { parents }, ANY), API)
    const whole = { key: 'common', name: 'Common', parents }
    await refused(modeller('PUT', '/spaces/demo/roles/common', whole, ANY), API)
    // In two steps: the one above it first, which nobody holds.
    ok(await modeller('PATCH', '/spaces/demo/roles/free', { parents }, ANY))
    ok(await modeller('PATCH', '/spaces/demo/roles/common', { parents: ['between'] }, ANY))
    await refused(modeller('PATCH', '/spaces/demo/roles/between', { parents }, ANY), API)
    await refused(modeller('PATCH', '/spaces/demo/roles/common', { parents: ['free'] }, ANY), API)
    ok(await admin('PATCH', '/spaces/demo/roles/common', { parents: ['between', 'free'] }, ANY))
    ok(await admin('PATCH', '/spaces/demo/roles/common', { parents: [] }, ANY))
    await removeRule(id)
  })

  test('Q174: nor by a new model of the space, through a role that the model brings', async () => {
    await made(world.api, '/spaces', { key: 'annex', name: 'Annex' })
    const base = '/spaces/annex/roles'
    const chief = (await made(world.api, base, { key: 'chief', name: 'Chief' })).id
    const clerk = (await made(world.api, base, { key: 'clerk', name: 'Clerk' })).id
    ok(await world.api('POST', '/spaces/annex/assignments', assign(clerk, 'user', who.eve.id)))
    const { id } = await anotherRule('By model', {
      stages: [
        {
          approvers: [
            { type: 'role', id: chief },
            { type: 'group', id: world.group },
          ],
        },
      ],
    })
    const model = {
      resources: [],
      roles: [
        { key: 'chief', name: 'Chief' },
        { key: 'new', name: 'New', parents: ['chief'] },
        { key: 'clerk', name: 'Clerk', parents: ['new'] },
      ],
    }
    const scopes = ['spaces:write', 'permissions:write', 'roles:write', 'resources:write']
    const { id: importer, token } = await machineWith(portal, world.api, scopes)
    // Whoever governs APIs for a while gives nobody an authority over them that lasts.
    const validUntil = new Date(portal.op.now().getTime() + DAY_MS).toISOString()
    const grants = scopes.map((pattern) =>
      pattern === 'resources:write' ? { pattern, validUntil } : { pattern },
    )
    ok(await world.api('PUT', `/applications/${importer}/grants`, { grants }, ANY))
    const put = (call: Call) => call('PUT', '/spaces/annex/model', model, ANY)
    await refused(put(caller(portal, await token())), API)
    ok(await put(admin))
    ok(await admin('DELETE', '/spaces/annex', undefined, ANY))
    await removeRule(id)
  })

  test('Q175: an attribute that decides who approves is written by whoever governs the API', async () => {
    const boss = { type: 'manager', attribute: 'boss' }
    const { id } = await anotherRule('By manager', {
      stages: [{ approvers: [boss, { type: 'group', id: world.group }] }],
    })
    const attributes = { boss: who.dora.id }
    const write = (call: Call, body: object) => call('PATCH', user('eve'), body, ANY)
    await refused(write(hr, { attributes }), API)
    await refused(hr('POST', '/users', { email: 'new@x.example', attributes }), API)
    const csv = `email,attributes\nnew@x.example,"{""boss"":""${who.dora.id}""}"\n`
    await refused(hr('POST', '/users:import', { csv }), API)
    ok(await write(hr, { attributes: { branch: 'Bern' } }))
    ok(await write(admin, { attributes: { boss: 'The.Chief' } }))
    // Nobody takes the name that the attribute has, and whoever has it is an approver.
    await refused(hr('POST', '/users', { username: 'the.chief' }), API)
    await refused(hr('POST', '/users:import', { csv: 'username\nTHE.chief\n' }), API)
    await refused(hr('PATCH', user('dora'), { username: 'the.chief' }, ANY), API)
    ok(await admin('PATCH', user('dora'), { username: 'the.chief' }, ANY))
    const asked = await ask('eve', 'ledger:read')
    expect(await mayDecide('dora', asked)).toBe(true)
    for (const way of waysInto('dora')) await refused(way(), API)
    await removeRule(id)
    for (const way of waysInto('dora')) await refused(way(), API)
    await refused(write(hr, { attributes: { boss: who.finn.id } }), API)
    // To have no manager any more takes something away.
    ok(await write(hr, { attributes: {} }))
    await cancel('eve', asked)
    ok(await admin('PATCH', user('dora'), { username: null }, ANY))
  })

  test('Q175: nor one that a rule reads to approve at once', async () => {
    const { id } = await anotherRule('At once', { autoApprove: 'user.team == "books"' })
    const attributes = { team: 'books' }
    await refused(hr('PATCH', user('eve'), { attributes }, ANY), API)
    await refused(hr('POST', '/users', { email: 'new@x.example', attributes }), API)
    ok(await rule({ enabled: true }))
    ok(await world.api('PATCH', `/request-rules/${id}`, { enabled: false }, ANY))
    await refused(hr('PATCH', user('eve'), { attributes }, ANY), API)
    ok(await hr('PATCH', user('eve'), { attributes: { branch: 'Bern' } }, ANY))
    ok(await admin('PATCH', user('eve'), { attributes }, ANY))
    ok(await admin('PATCH', user('eve'), { attributes: {} }, ANY))
    await removeRule(id)
  })

  test('Q175: the manager of somebody under review is not changed by less than the review takes', async () => {
    const owned = await role('reviewed')
    ok(await world.api('POST', '/spaces/demo/assignments', assign(owned, 'user', who.eve.id)))
    ok(await world.api('PATCH', user('eve'), { attributes: { lead: who.ben.id } }, ANY))
    const lead = { type: 'manager', attribute: 'lead' }
    const { id } = await review([lead], { type: 'role', id: owned })
    const attributes = { lead: who.dora.id }
    await refused(hr('PATCH', user('eve'), { attributes }, ANY), ROLES)
    expect((await hr('PATCH', user('cleo'), { attributes }, ANY)).status).toBe(200)
    ok(await world.api('POST', `/reviews/${id}/cancellation`, {}))
    expect((await hr('PATCH', user('eve'), { attributes: {} }, ANY)).status).toBe(200)
    await removeAssignments(owned)
  })

  test('Q176: nobody gets into an account that holds roles without giving roles', async () => {
    const some = await role('some')
    const given = await made(
      world.api,
      '/spaces/demo/assignments',
      assign(some, 'user', who.eve.id),
    )
    await removeAssignments(await roleNamed('common'))
    for (const way of waysInto('eve')) await refused(way(), ROLES)
    ok(await world.api('DELETE', `/spaces/demo/assignments/${given.id}`, undefined, ANY))
    const club = await group('club')
    ok(await world.api('PUT', inGroup(club, 'eve')))
    ok(await world.api('POST', '/spaces/demo/assignments', assign(some, 'group', club)))
    for (const way of waysInto('eve')) await refused(way(), ROLES)
    ok(await world.api('DELETE', inGroup(club, 'eve')))
    const email = 'eve@other.example'
    expect((await hr('PATCH', user('eve'), { email }, ANY)).status).toBe(200)
  })

  const roleNamed = async (key: string): Promise<string> =>
    ok(await world.api('GET', `/spaces/demo/roles/${key}`)).id

  test('Q177: people are managed as before, and whoever holds the power uses it', async () => {
    // Whoever leaves is signed out and closed at once, also an approver.
    ok(await hr('PATCH', user('ben'), { name: 'Benjamin', locale: 'de' }, ANY))
    ok(await hr('PATCH', user('ben'), { enabled: false }, ANY))
    ok(await admin('PATCH', user('ben'), { enabled: true }, ANY))
    ok(await admin('PATCH', user('ben'), { email: 'ben@new.example', emailVerified: true }, ANY))
    ok(await admin('PUT', inGroup(world.group, 'dora')))
    const created = await made(hr, '/users', { email: 'gus@x.example', attributes: { a: 1 } })
    ok(
      await hr(
        'PATCH',
        `/users/${created.id}`,
        { email: 'gus2@x.example', emailVerified: true },
        ANY,
      ),
    )
    ok(await hr('POST', `/users/${created.id}/invitation`, { returnLink: true }))
    ok(await hr('DELETE', `/users/${created.id}/sessions`))
    ok(await hr('DELETE', `/users/${created.id}`, undefined, ANY))
    ok(await hr('DELETE', user('ben'), undefined, ANY))
  })
})
