import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyOutbox } from '../../lib/delivery/deliver'
import { settleMissedReviews } from '../../lib/operations/scheduled/emergency-reviews'
import {
  ANY,
  callAs,
  machineWith,
  made,
  ok,
  type Person,
  people,
  provedInProcess,
  reasonFor,
  WANTED,
  type World,
  worldIn,
} from '../support/access-requests'
import { type Call, caller, sessionOf } from '../support/api'
import { usually } from '../support/databases'
import { aliceAtWeb, authorizeUrl, exchange, received, webRequest } from '../support/flow'
import { type OpenPortal, openPortal, openSecond } from '../support/in-process'
import { type MailServer, startMailServer } from '../support/smtp'

/** Opened alone in an emergency, told to every owner, and reviewed by somebody else. */

const NAMES = ['ann', 'ben', 'cleo', 'dora', 'eve'] as const
const REASON = 'The month end job is stuck'

describe.each(usually('sqlite'))('emergency access on %s', (kind) => {
  let mails: MailServer
  let portal: OpenPortal
  /** Another process on the same database. */
  let second: OpenPortal
  let who: Record<(typeof NAMES)[number], Person>
  let world: World
  let oncall: string
  /** Ann with a second factor, which opening needs. */
  let ann: Call
  let annAtSecond: Call

  beforeAll(async () => {
    mails = await startMailServer()
    const mail = { SMTP_URL: mails.url, MAIL_FROM: 'Example ID <id@example.com>' }
    portal = await openPortal({ kind, env: mail })
    second = await openSecond(portal)
    who = await people(portal, NAMES)
    world = await worldIn(portal, [who.ben, who.dora, who.eve])
    const group = await made(world.api, '/groups', { key: 'oncall', name: 'On call' })
    oncall = group.id
    for (const id of [who.ann.id, 'usr_demo_alice'])
      ok(await world.api('PUT', `/groups/${oncall}/members/${id}`))
    ok(await changed(world.rule, { emergency: emergency() }))
    const own = await provedInProcess(portal, who.ann.id, 'ann')
    ann = callAs(portal, own)
    annAtSecond = callAs(second, own)
  })
  afterAll(async () => {
    await second.stop()
    await portal.stop()
    await mails.close()
  })

  const emergency = (more: object = {}) => ({
    people: [{ type: 'group', id: oncall }],
    seconds: 1800,
    reviewSeconds: 3600,
    reviewers: [who.ben, who.dora].map(({ id }) => ({ type: 'user', id })),
    ...more,
  })
  const changed = (rule: string, body: object, call = world.api) =>
    call('PATCH', `/request-rules/${rule}`, body, ANY)
  const open = (call: Call, body: object = {}) =>
    call('POST', '/access-requests', { scope: WANTED, reason: REASON, emergency: true, ...body })
  const refused = async (asked: ReturnType<Call>) => {
    const { status, json } = await asked
    return [status, json.code, json.errors?.[0]?.code ?? json.detail]
  }
  const isHeld = async (permission = WANTED, user = who.ann.id) =>
    ok(await world.api('POST', '/permissions/check', { user, permission })).allowed
  const eventsOf = async (id: string): Promise<string[]> =>
    ok(await world.api('GET', `/audit-events?targetId=${id}`)).data.map(
      ({ event }: { event: string }) => event,
    )
  const ended = async (permission = WANTED, user = who.ann.id) =>
    expect(await isHeld(permission, user)).toBe(false)
  const takeBack = async (id: string, permission = WANTED) => {
    ok(await ann('POST', `/access-requests/${id}/revocation`, {}))
    await ended(permission)
  }
  const reviewed = async (id: string, by: Person, justified: boolean, reason = 'Seen') =>
    ok(await by.call('POST', `/access-requests/${id}/review`, { justified, reason })).review
  const toReview = async (call: Call): Promise<string[]> =>
    ok(await call('GET', '/access-requests?view=review')).data.map(({ id }: { id: string }) => id)
  const inSeconds = (seconds: number) =>
    new Date(portal.op.now().getTime() + seconds * 1000).toISOString()
  async function mailsTo(email: string, about: string): Promise<string> {
    await emptyOutbox(portal.op, () => true)
    return mails.received
      .filter(({ to, subject }) => to.includes(email) && subject.startsWith(about))
      .map(({ text }) => text)
      .join()
  }
  const secondsOf = ({ approvedUntil, createdAt }: Record<string, string>) =>
    (Date.parse(approvedUntil ?? '') - Date.parse(createdAt ?? '')) / 1000

  const isHalfAnHour = (opened: Record<string, string>) =>
    secondsOf(opened) >= 1800 && secondsOf(opened) < 1830

  test('Q48, Q50, Q51: opened once, told to every owner, and reviewed once by somebody else', async () => {
    const listed = ok(await ann('GET', '/requestable-permissions')).data
    const [offered] = listed.filter(({ scope }: { scope: string }) => scope === WANTED)
    expect(offered.emergency).toMatchObject({ seconds: 1800, missingReview: null })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => open(at % 2 ? ann : annAtSecond)),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    // 400 once they hold it: there is nothing left to ask for.
    expect(statuses.filter((status) => ![201, 400, 409].includes(status))).toEqual([])
    const [opened] = answers.filter(({ status }) => status === 201).map(ok)
    expect(opened).toMatchObject({ status: 'approved', emergency: true, votes: [] })
    expect(opened.review).toMatchObject({ reviewedAt: null, justified: null, missedAt: null })
    expect(isHalfAnHour(opened)).toBe(true)
    expect(await isHeld()).toBe(true)
    const owner = portal.demo().admin.email
    const link = `${portal.origin}/account/approvals/${opened.id}`
    for (const email of [owner, 'ben@requests.example', 'dora@requests.example'])
      expect(await mailsTo(email, 'Somebody opened access')).toContain(link)
    expect(await mailsTo('ann@requests.example', 'You opened')).not.toBe('')

    const path = `/access-requests/${opened.id}/review`
    const said = { justified: true, reason: 'Agreed on the phone' }
    expect((await refused(ann('POST', path, said))).slice(0, 2)).toEqual([403, 'forbidden'])
    expect((await who.cleo.call('POST', path, said)).status).toBe(404)
    expect((await who.ben.call('POST', path, { justified: true })).status).toBe(400)
    expect(await toReview(who.ben.call)).toEqual([opened.id])
    const reviewers = [who.ben.call, callAs(second, who.dora.session)]
    const reviews = await Promise.all(
      Array.from({ length: 20 }, (_, at) => reviewers[at % 2]?.('POST', path, said)),
    )
    const outcomes = reviews.map((answer) => answer?.status)
    expect(outcomes.filter((status) => status === 200)).toHaveLength(1)
    expect(outcomes.filter((status) => status === 409)).toHaveLength(19)
    expect(await isHeld()).toBe(true)
    expect((await eventsOf(opened.id)).sort()).toEqual([
      'access_request.emergency_opened',
      'access_request.reviewed',
    ])
    await takeBack(opened.id)
  })

  test('Q53: an end later than the rule’s is not given', async () => {
    const short = ok(await open(ann, { until: inSeconds(60) }))
    expect(secondsOf(short)).toBeLessThanOrEqual(61)
    await takeBack(short.id)
    const opened = ok(await open(ann, { until: inSeconds(30 * 24 * 3600) }))
    expect(isHalfAnHour(opened)).toBe(true)
    await takeBack(opened.id)
    for (const { id } of [short, opened]) await reviewed(id, who.ben, true)
  })

  test('Q45, Q47: whoever is not named asks as before; nobody opens without a reason or a second factor', async () => {
    const asked = ok(await open(who.cleo.call))
    expect(asked).toMatchObject({ status: 'pending', emergency: true, review: null })
    expect(await isHeld(WANTED, who.cleo.id)).toBe(false)
    ok(await who.cleo.call('POST', `/access-requests/${asked.id}/cancellation`, {}))
    for (const reason of [null, '   ', 'help', '       x       '])
      expect((await refused(open(ann, { reason }))).slice(0, 2)).toEqual([400, 'invalid'])
    const [status, code] = await refused(open(who.ann.call))
    expect([status, code]).toEqual([403, 'second_factor_needed'])
    expect(await isHeld()).toBe(false)
    ok(await world.api('DELETE', `/groups/${oncall}/members/${who.ann.id}`, undefined, ANY))
    const later = ok(await open(ann))
    expect(later).toMatchObject({ status: 'pending', review: null })
    ok(await ann('POST', `/access-requests/${later.id}/cancellation`, {}))
    ok(await world.api('PUT', `/groups/${oncall}/members/${who.ann.id}`))
  })

  test('Q70: where a refusal of the rule cannot be answered, people are asked', async () => {
    ok(await changed(world.rule, { autoRefuse: 'user.away == true' }))
    const asked = ok(await open(ann))
    expect(asked).toMatchObject({ status: 'pending', review: null })
    ok(await ann('POST', `/access-requests/${asked.id}/cancellation`, {}))
    ok(await changed(world.rule, { autoRefuse: null }))
  })

  test('Q46, Q55: an application opens nothing with the token of its user, and gets nothing by it', async () => {
    const grants = '/applications/app_demo_web/grants'
    const held = ok(await world.api('GET', grants)).grants.map(
      ({ id: _, ...grant }: { id: string }) => grant,
    )
    const more = [...held, { pattern: 'permissions:request' }]
    ok(await world.api('PUT', grants, { grants: more }, ANY))
    const browser = await aliceAtWeb(portal)
    const bindingNow = async () => {
      const scope = `openid offline_access permissions:request ${WANTED}`
      const page = await browser.open(authorizeUrl(webRequest(portal.demo(), { scope })))
      const agreed = page.url.includes('/consent')
        ? await browser.submit(page, { scope: ['permissions:request'] })
        : page
      const tokens = JSON.parse((await exchange(portal, received(agreed).code ?? '')).body)
      const { binding_token: binding } = reasonFor(tokens).access_request as Record<string, string>
      return { binding, web: caller(portal, tokens.access_token) }
    }
    const { binding, web } = await bindingNow()
    const asked = { reason: REASON, emergency: true }
    const request = await made(web, '/access-requests', { ...asked, binding })
    expect(request).toMatchObject({ status: 'pending', review: null })
    expect((await made(web, '/access-requests/preview', { binding })).emergency).toBeNull()
    const alice = callAs(portal, await sessionOf(portal, portal.demo().users[0]))
    const preview = await made(alice, '/access-requests/preview', { binding })
    expect(preview.emergency).toMatchObject({ seconds: 1800 })
    ok(await alice('POST', `/access-requests/${request.id}/cancellation`, {}))

    // Without a grant of its own, the application would get one for this user.
    const fewer = more.filter(({ pattern }: { pattern: string }) => pattern !== 'ledger:*')
    ok(await world.api('PUT', grants, { grants: fewer }, ANY))
    const { binding: both } = await bindingNow()
    const whole = await made(alice, '/access-requests/preview', { binding: both })
    expect(whole.emergency).toBeNull()
    const answer = await alice('POST', '/access-requests', { ...asked, binding: both })
    expect([answer.status, answer.json.code]).toEqual([403, 'forbidden'])
    expect(answer.json.detail).toContain('lacks this permission too')
    ok(await world.api('PUT', grants, { grants: held }, ANY))
  })

  test('Q49, Q71: after a missed review the access ends, and the right is gone until it is done', async () => {
    const attributes = { boss: 'cleo@requests.example' }
    ok(await world.api('PATCH', `/users/${who.ann.id}`, { attributes }, ANY))
    const boss = { type: 'manager', attribute: 'boss' }
    const rule = {
      api: 'ledger',
      name: 'Reading',
      patterns: ['ledger:read'],
      stages: [{ approvers: [{ type: 'group', id: world.group }], needed: 1 }],
      emergency: emergency({
        reviewSeconds: 300,
        reviewers: [{ type: 'user', id: who.ben.id }, boss],
      }),
    }
    const first = await made(world.api, '/request-rules', rule)
    const scope = 'ledger:read'
    const opened = ok(await open(ann, { scope }))
    const owner = callAs(portal, await sessionOf(portal, portal.demo().admin))
    for (const call of [who.ben.call, who.cleo.call, owner])
      expect(await toReview(call)).toEqual([opened.id])
    for (const call of [who.dora.call, who.eve.call, ann]) expect(await toReview(call)).toEqual([])
    const missed = async () =>
      ok(await ann('GET', `/access-requests/${opened.id}`)).review.missedAt !== null
    portal.moveClock(300_000)
    await settleMissedReviews(portal.op, () => true)
    expect(await missed()).toBe(true)
    const listed = async (review: string): Promise<string[]> =>
      ok(await world.api('GET', `/access-requests?view=all&review=${review}`)).data.map(
        ({ id }: { id: string }) => id,
      )
    expect([await listed('open'), await listed('overdue')]).toEqual([[opened.id], [opened.id]])
    expect(await listed('done')).not.toContain(opened.id)
    await ended(scope)
    // A new rule of the same API does not give the right back.
    ok(await world.api('DELETE', `/request-rules/${first.id}`, undefined, ANY))
    const calm = { ...rule, emergency: { ...rule.emergency, reviewSeconds: 3600 } }
    const second = await made(world.api, '/request-rules', calm)
    for (const asked of [scope, WANTED]) {
      const [status, code, detail] = await refused(open(ann, { scope: asked }))
      expect([status, code]).toEqual([403, 'forbidden'])
      expect(detail).toContain(opened.id)
    }
    const told = async (email: string, about: string) =>
      expect(await mailsTo(email, about)).toContain(opened.id)
    await told('ben@requests.example', 'A review of emergency access is missing')
    await told('ann@requests.example', 'Nobody reviewed your emergency access')
    const events = (await eventsOf(opened.id)).filter((one) => one.endsWith('review_missed'))
    expect(events).toHaveLength(1)
    await reviewed(opened.id, who.ben, true, 'Late, but agreed')
    const again = ok(await open(ann, { scope }))
    expect(again.status).toBe('approved')
    await reviewed(again.id, who.cleo, true)
    await takeBack(again.id, scope)
    ok(await world.api('DELETE', `/request-rules/${second.id}`, undefined, ANY))
  })

  test('Q48: five within a day are enough', async () => {
    expect(await refused(open(ann))).toEqual([409, 'conflict', expect.stringContaining('5 times')])
  })

  test('Q56, Q73: what was not justified ends at once, and is not opened again', async () => {
    ok(await world.api('PUT', `/groups/${oncall}/members/${who.eve.id}`))
    const eve = callAs(portal, await provedInProcess(portal, who.eve.id, 'eve'))
    const opened = ok(await open(eve))
    expect(await isHeld(WANTED, who.eve.id)).toBe(true)
    const found = await reviewed(opened.id, who.dora, false, 'There was no incident')
    expect(found).toMatchObject({ justified: false, reviewer: { id: who.dora.id } })
    await ended(WANTED, who.eve.id)
    expect(await eventsOf(opened.id)).toContain('access_request.revoked')
    const own = ok(await eve('GET', `/access-requests/${opened.id}`))
    expect(own.review.reason).toBe('There was no incident')
    const [status, code, detail] = await refused(open(eve))
    expect([status, code]).toEqual([403, 'forbidden'])
    expect(detail).toContain('was not justified')
    const { emergency: offered } = await made(eve, '/access-requests/preview', { scope: WANTED })
    const days = (Date.parse(offered.barredUntil) - portal.op.now().getTime()) / 86_400_000
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThanOrEqual(30)
    expect(await isHeld(WANTED, who.eve.id)).toBe(false)
  })

  test('Q71: whoever is named changes no rule about the same permissions', async () => {
    const { cleo, ben, dora } = who
    const ledger = `/spaces/demo/resources/${world.apiId}`
    ok(await world.api('PATCH', `/users/${cleo.id}`, { adminRole: 'app_manager' }, ANY))
    ok(await world.api('PATCH', ledger, { owners: [{ type: 'user', id: cleo.id }] }, ANY))
    const people = [
      { type: 'user', id: cleo.id },
      { type: 'group', id: oncall },
    ]
    const reviewers = [ben, dora].map(({ id }) => ({ type: 'user', id }))
    const stages = [{ approvers: [{ type: 'group', id: world.group }], needed: 1 }]
    const wide = await made(world.api, '/request-rules', {
      api: 'ledger',
      name: 'All',
      patterns: ['ledger:*'],
      stages,
      autoRefuse: 'user.id == "nobody"',
      emergency: emergency({ people, reviewers }),
    })
    const remove = (rule: string) => cleo.call('DELETE', `/request-rules/${rule}`, undefined, ANY)
    const named = 'You are named for emergencies'
    for (const tried of [
      () => changed(wide.id, { autoRefuse: null }, cleo.call),
      () => changed(wide.id, { enabled: false }, cleo.call),
      () => remove(wide.id),
      // The closer rule stands before the wide one.
      () => changed(world.rule, { patterns: ['ledger:read'] }, cleo.call),
      () => changed(world.rule, { enabled: false }, cleo.call),
      () => remove(world.rule),
      () =>
        cleo.call('POST', '/request-rules', {
          api: 'ledger',
          name: 'New',
          patterns: ['ledger:read'],
          stages,
        }),
    ])
      expect(await refused(tried())).toEqual([403, 'forbidden', expect.stringContaining(named)])
    // The same in another order is the same, and who approves is no matter of emergencies.
    const turned = emergency({ people: people.reverse(), reviewers: reviewers.reverse() })
    ok(await changed(wide.id, { emergency: turned, reasonRequired: false }, cleo.call))
    ok(await world.api('DELETE', `/request-rules/${wide.id}`, undefined, ANY))
    ok(await changed(world.rule, { maxSeconds: 3000 }, cleo.call))
    ok(await world.api('PATCH', ledger, { owners: [] }, ANY))
    ok(await world.api('PATCH', `/users/${cleo.id}`, { adminRole: null }, ANY))
  })

  test('Q72, Q81: joining a group that is named needs authority over the API', async () => {
    const { token } = await machineWith(portal, world.api, ['users:write'])
    const hr = caller(portal, await token())
    const join = (group: string) => hr('PUT', `/groups/${group}/members/${who.cleo.id}`)
    for (const group of [oncall, world.group]) {
      const { status, json } = await join(group)
      expect([status, json.missing]).toEqual([403, ['ledger:*']])
    }
    expect(await isHeld(WANTED, who.cleo.id)).toBe(false)
    const plain = await made(world.api, '/groups', { key: 'plain', name: 'Plain' })
    expect((await join(plain.id)).status).toBe(204)
    const asked = ok(await open(who.cleo.call))
    expect(asked.status).toBe('pending')
    ok(await who.cleo.call('POST', `/access-requests/${asked.id}/cancellation`, {}))
  })

  test('Q52, Q54, Q57: no portal scopes, nobody names themselves, and somebody else always reviews', async () => {
    for (const scope of ['users:write', 'permissions:check'])
      expect(await refused(open(ann, { scope }))).toEqual([400, 'invalid', 'not_requestable'])
    const portalWide = await changed(world.rule, { patterns: ['users:write'] })
    expect(portalWide.status).toBe(400)
    const alone = emergency({ reviewers: [{ type: 'user', id: who.ann.id }] })
    const { status, json } = await changed(world.rule, { emergency: alone })
    expect([status, json.errors[0].pointer]).toEqual([400, '/emergency/reviewers'])
    expect(json.errors[0].values).toEqual({ name: 'ann' })
    const nobody = await changed(world.rule, {
      emergency: emergency({ reviewers: [{ type: 'api_owners' }] }),
    })
    expect(nobody.json.errors[0].code).toBe('emergency_no_reviewer')
    for (const wrong of [{ seconds: 9 * 3600 }, { reviewSeconds: 8 * 24 * 3600 }, { people: [] }])
      expect((await changed(world.rule, { emergency: emergency(wrong) })).status).toBe(400)
    const owner = callAs(portal, await sessionOf(portal, portal.demo().admin))
    const me = ok(await world.api('GET', `/users?q=${portal.demo().admin.email}`)).data[0].id
    const named = emergency({ people: [{ type: 'user', id: me }] })
    expect((await refused(changed(world.rule, { emergency: named }, owner))).slice(0, 2)).toEqual([
      ...[403, 'forbidden'],
    ])
    // Whoever can put themselves into a group is not named by it.
    ok(await owner('PUT', `/groups/${oncall}/members/${me}`))
    const asked = await open(owner)
    expect([asked.status, asked.json.status]).toEqual([201, 'pending'])
    ok(await owner('POST', `/access-requests/${asked.json.id}/cancellation`, {}))
  })
})
