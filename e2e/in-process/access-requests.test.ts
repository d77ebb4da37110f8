import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paths } from '../../lib/oidc/paths'
import { settleOverdue } from '../../lib/operations/scheduled/access-requests'
import { announcePeriods } from '../../lib/operations/scheduled/periods'
import {
  ANY,
  callAs,
  loginOf,
  made,
  ok,
  type Person,
  people,
  reasonFor,
  tokensAtWeb,
  WANTED,
  type World,
  worldIn,
} from '../support/access-requests'
import { caller, machineToken, sessionOf } from '../support/api'
import { ask } from '../support/ask'
import { consentAt } from '../support/consent-view'
import { KINDS } from '../support/databases'
import {
  aliceAtWeb,
  atWeb,
  authorizeUrl,
  exchange,
  getCode,
  pkcePair,
  received,
  refresh,
  webRequest,
} from '../support/flow'
import { type OpenPortal, openPortal, openSecond } from '../support/in-process'
import { OldBrowser, type Page } from '../support/old-browser'
import { untilDecided } from '../support/patience'
import { fresh } from '../support/permission-api'

/** From refusal to access: asked, approved by two, used, ended, refused again. */

const NAMES = ['ann', 'ben', 'cleo', 'dora', 'eve'] as const

describe.each(KINDS)('access requests on %s', (kind) => {
  let portal: OpenPortal
  /** Another process on the same database. */
  let second: OpenPortal
  let who: Record<(typeof NAMES)[number], Person>
  let world: World
  let alice: ReturnType<typeof callAs>

  beforeAll(async () => {
    portal = await openPortal({ kind })
    second = await openSecond(portal)
    await announcePeriods(portal.op, () => true) // what was before the first look is not told
    who = await people(portal, NAMES)
    world = await worldIn(portal, [who.ann, who.ben, who.cleo, who.dora])
    alice = callAs(portal, await sessionOf(portal, portal.demo().users[0]))
  })
  afterAll(async () => {
    await second.stop()
    await portal.stop()
  })

  const inSeconds = (seconds: number) =>
    new Date(portal.op.now().getTime() + seconds * 1000).toISOString()
  const atSecond = ({ session }: Person) => callAs(second, session)
  const refusedAt = async (call: Person['call'], path: string, body: object = {}) => {
    const { status, json } = await call('POST', path, body)
    return [status, json.code, json.errors?.[0]?.code ?? json.detail]
  }
  const askAs = (call: Person['call'], body: object = {}) =>
    made(call, '/access-requests', { scope: WANTED, reason: 'The year ends', ...body })
  const outcomes = async (id: string, callers: Person['call'][]) => {
    const approve = (call: Person['call']) => call('POST', `/access-requests/${id}/approval`, {})
    const answers = await Promise.all(callers.map((call) => untilDecided(() => approve(call))))
    return answers.map(({ status }) => status)
  }

  test('Q30, Q31: the whole way: refused, asked, approved by two, refreshed, ended, refused again', async () => {
    const browser = await aliceAtWeb(portal)
    const tokens = await tokensAtWeb(portal, browser)
    const elsewhere = await exchange(portal, await getCode(browser, webRequest(portal.demo())))
    const reason = reasonFor(tokens)
    expect(reason).toMatchObject({ code: 'user_not_permitted', next_action: 'request' })
    const { binding_token: binding, form_url } = reason.access_request as Record<string, string>
    expect(form_url).toBe(`${portal.origin}/account/access?binding=${binding}`)
    const preview = await made(alice, '/access-requests/preview', { binding })
    expect(preview).toMatchObject({ scope: WANTED, application: { id: 'app_demo_web' } })
    const until = inSeconds(600)
    const body = { binding, reason: 'The year ends', until }
    const request = await made(alice, '/access-requests', body)
    expect(request).toMatchObject({ status: 'pending', scope: WANTED, may: { cancel: true } })
    expect((await made(alice, '/access-requests', body)).id).toBe(request.id)
    const path = `/access-requests/${request.id}`
    expect((await alice('POST', `${path}/approval`, {})).status).toBe(403)
    expect((await who.eve.call('GET', path)).status).toBe(404)
    const seen = ok(await who.ann.call('GET', path))
    expect(seen.because).toEqual([{ type: 'group', id: world.group }])
    expect(seen.gives).toMatchObject([{ to: 'user', id: 'usr_demo_alice', permission: WANTED }])
    const listed = ok(await who.ann.call('GET', '/access-requests?view=decide')).data
    expect(listed.map(({ id }: { id: string }) => id)).toContain(request.id)
    expect(ok(await who.ann.call('POST', `${path}/approval`, {})).status).toBe('pending')
    expect((await who.ann.call('POST', `${path}/approval`, {})).status).toBe(409)
    const done = ok(await who.ben.call('POST', `${path}/approval`, {}))
    expect([done.status, done.approvedUntil]).toEqual(['approved', until])
    let token = tokens.refresh_token
    const refreshed = async () => {
      const answer = JSON.parse((await refresh(portal, token)).body)
      token = answer.refresh_token ?? token
      return answer
    }
    const held = await refreshed()
    expect(held.scope.split(' ')).toContain(WANTED)
    expect(held.expires_in).toBeLessThanOrEqual(600)
    // What asked for less gets no more, and what was given is not given again.
    const other = await refresh(portal, JSON.parse(elsewhere.body).refresh_token)
    expect(JSON.parse(other.body).scope.split(' ')).not.toContain(WANTED)
    expect((await refusedAt(alice, '/access-requests', body)).slice(0, 2)).toEqual([
      409,
      'conflict',
    ])
    portal.moveClock(600_000)
    const over = { code: 'grant_expired', next_action: 'request' }
    expect(reasonFor(await refreshed())).toMatchObject(over)
    await announcePeriods(portal.op, () => true)
    expect(ok(await world.api('GET', '/audit-events?event=grant.ended')).data).toHaveLength(1)
    const trailAt = `/audit-events?decisionId=${request.decisionId}`
    const trail = ok(await world.api('GET', trailAt)).data
    const events = trail.map(({ event }: { event: string }) => event)
    expect(events.sort()).toEqual([
      'access_request.approved',
      'access_request.created',
      'access_request.voted',
      'token.issued',
    ])
  })

  test('Q25: 50 approvals at once for a threshold of two give one grant', async () => {
    const { id } = await askAs(who.eve.call)
    const people = [who.ann, who.ben, who.cleo, who.dora]
    const approvers = [...people.map(({ call }) => call), ...people.map(atSecond)]
    const all = Array.from({ length: 50 }, (_, at) => approvers[at % 8] ?? who.ann.call)
    const statuses = await outcomes(id, all)
    expect(statuses.filter((status) => ![200, 404, 409].includes(status))).toEqual([])
    // An answer that came too late was 503, and 409 when it was asked for again.
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(2)
    const { data } = ok(await world.api('GET', `/audit-events?targetId=${id}`))
    const named = (wanted: string) =>
      data.filter(({ event }: { event: string }) => event === wanted)
    expect(named('access_request.voted')).toHaveLength(1)
    const approved = named('access_request.approved')
    expect(approved).toHaveLength(1)
    expect(approved[0].detail.grants).toHaveLength(1)
  })

  test('Q40: approved access is taken back before its end, once, and not by others', async () => {
    const { id } = await askAs(who.cleo.call)
    const path = `/access-requests/${id}`
    await outcomes(id, [who.ann.call, who.ben.call])
    const isHeld = async () => {
      const asked = { user: who.cleo.id, permission: WANTED }
      // The other process may have changed it a moment ago.
      return ok(await world.api('POST', '/permissions/check', asked, fresh)).allowed
    }
    expect(await isHeld()).toBe(true)
    const asked = { user: who.cleo.id, permission: WANTED }
    const { path: steps } = ok(await world.api('POST', '/permissions/explain', asked, fresh))
    const named = [who.ann, who.ben].map((one) => ({ id: one.id, name: expect.any(String) }))
    const approvers = expect.arrayContaining(named)
    const given = { id, approvers, emergency: false, until: expect.any(String) }
    expect(steps).toMatchObject([{ rule: 'user', request: given }])
    const all = `/users/${who.cleo.id}/effective-permissions?include=sources`
    const effective = ok(await world.api('GET', all, undefined, fresh))
    expect(effective.data).toMatchObject([{ permission: WANTED, sources: [{ request: given }] }])
    const lesser = caller(portal, await machineToken(portal, 'permissions:explain'))
    const unnamed = ok(await lesser('POST', '/permissions/explain', asked, fresh)).path[0]
    expect(new Set(unnamed.request.approvers.flatMap(Object.keys))).toEqual(new Set(['id']))
    const { data } = ok(await world.api('GET', '/resources/ledger/holders'))
    const [held] = data.filter(({ permission }: { permission: string }) => permission === WANTED)
    const holder = { type: 'user', id: who.cleo.id, request: id }
    expect(held.holders).toContainEqual(expect.objectContaining(holder))
    expect((await who.eve.call('POST', `${path}/revocation`, {})).status).toBe(404)
    expect((await who.ann.call('POST', `${path}/revocation`, {})).status).toBe(403)
    const tries = [world.api, atSecond(who.cleo)].map((call) =>
      call('POST', `${path}/revocation`, {}),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 409])
    expect(await isHeld()).toBe(false)
    const events = ok(await world.api('GET', `/audit-events?targetId=${id}`)).data
    const revoked = events.filter(
      ({ event }: { event: string }) => event === 'access_request.revoked',
    )
    expect(revoked).toHaveLength(1)
    expect(revoked[0].detail.grants).toHaveLength(1)
  })

  test('Q123: whoever lacks what an application needs can ask for it, and agrees to nothing before', async () => {
    const app = await made(world.api, '/applications', {
      name: 'Books',
      kind: 'web',
      redirectUris: ['http://127.0.0.1:7777/cb'],
    })
    const set = async (change: object) => {
      ok(await world.api('PATCH', `/applications/${app.id}`, change, ANY))
    }
    const grants = [{ pattern: 'ledger:*' }]
    ok(await world.api('PUT', `/applications/${app.id}/grants`, { grants }, ANY))
    const browser = new OldBrowser(portal.origin)
    await browser.signIn(await browser.open('/login'), loginOf('dora'))
    const reach = (scope: string, more: object = {}) => {
      const fields = { client_id: app.id, redirect_uri: 'http://127.0.0.1:7777/cb', scope, ...more }
      const pkce = { code_challenge: pkcePair().challenge, code_challenge_method: 'S256' }
      return browser.open(authorizeUrl({ ...fields, ...pkce, response_type: 'code', state: 'x' }))
    }
    const keptOut = async (page: Page) => (await consentAt(portal, browser, page)).keptOut
    const errorFor = async (...asked: Parameters<typeof reach>) =>
      received(await reach(...asked)).error
    // A strict application: all that is refused can be asked for, or the answer is no at once.
    await set({ strictScopes: true })
    const all = `openid ${WANTED}`
    expect(await keptOut(await reach(all))).toBe(true)
    expect(await errorFor(all, { prompt: 'none' })).toBe('invalid_scope')
    expect(await errorFor(`${all} ledger:read`)).toBe('invalid_scope')
    await set({ strictScopes: false, requiredScopes: [WANTED, 'ledger:read'] })
    expect(await errorFor('openid')).toBe('access_denied')
    await set({ requiredScopes: [WANTED] })
    expect(await errorFor('openid', { prompt: 'none' })).toBe('access_denied')

    const page = await reach('openid')
    const { requestable } = await consentAt(portal, browser, page)
    expect(requestable).toMatchObject([{ scope: WANTED, sentences: { en: 'Close the books' } }])
    const forged = await browser.submit(page, { scope: ['openid', WANTED] }, ['answer', 'yes'])
    expect(received(forged).error).toBe('access_denied')
    expect(await keptOut(await reach('openid'))).toBe(true)

    const waiting = await reach('openid')
    const [{ binding } = { binding: '' }] = (await consentAt(portal, browser, waiting)).requestable
    const { id } = await askAs(who.dora.call, { binding, scope: undefined })
    expect(await outcomes(id, [who.ann.call])).toEqual([200])
    expect(await outcomes(id, [who.ben.call])).toEqual([200])
    const interaction = new URL(waiting.url).searchParams.get('interaction')
    const consent = await browser.open(`${paths.authorize}/${interaction}`)
    expect(await keptOut(consent)).toBe(false)
    expect(received(await browser.submit(consent, {})).code).toEqual(expect.any(String))
    ok(await who.dora.call('POST', `/access-requests/${id}/revocation`, {}))
  })

  test('Q29, Q33, Q85: an application with a user’s token neither consents for them nor decides', async () => {
    const item = { resource: 'ledger', descriptions: { en: 'Pay' }, needsRole: true }
    const path = '/spaces/demo/permissions/ledger:pay'
    ok(await world.api('PUT', path, { ...item, sensitive: true }))
    const group = await made(world.api, '/groups', { key: 'payers', name: 'Payers' })
    for (const id of ['usr_demo_alice', who.ann.id])
      ok(await world.api('PUT', `/groups/${group.id}/members/${id}`))
    const stages = [{ approvers: [{ type: 'group', id: group.id }], needed: 1 }]
    await made(world.api, '/request-rules', {
      api: 'ledger',
      name: 'Paying',
      patterns: ['ledger:pay'],
      stages,
    })
    const grants = '/applications/app_demo_web/grants'
    const held = ok(await world.api('GET', grants)).grants.map(
      ({ id: _, ...grant }: { id: string }) => grant,
    )
    const more = [...held, { pattern: 'permissions:request' }]
    ok(await world.api('PUT', grants, { grants: more }, ANY))
    const scope = `openid offline_access permissions:request ${WANTED}`
    const tokensOf = async (browser: OldBrowser) => {
      const page = await browser.open(authorizeUrl(webRequest(portal.demo(), { scope })))
      const agreed = page.url.includes('/consent')
        ? await browser.submit(page, { scope: ['permissions:request'] })
        : page
      return JSON.parse((await exchange(portal, received(agreed).code ?? '')).body)
    }
    const tokens = await tokensOf(await aliceAtWeb(portal))
    const { binding_token: binding } = reasonFor(tokens).access_request as Record<string, string>
    const web = caller(portal, tokens.access_token)
    const { id } = await made(web, '/access-requests', { binding, reason: 'x' })
    const taskFor = async ({ access_token }: { access_token: string }) => {
      const headers = { authorization: `Bearer ${access_token}` }
      return (await ask(portal.origin, { path: `/access/v1/request/${id}`, headers })).status
    }
    const bob = await tokensOf(await atWeb(portal, portal.demo().users[1]))
    expect([await taskFor(tokens), await taskFor(bob)]).toEqual([200, 404])
    expect(await outcomes(id, [who.ann.call])).toEqual([200])
    expect(await outcomes(id, [who.ben.call])).toEqual([200])
    const { scope: now } = JSON.parse((await refresh(portal, tokens.refresh_token)).body)
    expect(now.split(' ')).not.toContain(WANTED)
    const paying = await askAs(who.ben.call, { scope: 'ledger:pay' })
    const decided = await refusedAt(web, `/access-requests/${paying.id}/approval`)
    expect(decided.slice(0, 2)).toEqual([403, 'forbidden'])
    // Nor about what is not sensitive: it decides nothing.
    ok(await world.api('PUT', path, { ...item, sensitive: false }, ANY))
    for (const word of ['approval', 'denial'])
      expect(await refusedAt(web, `/access-requests/${paying.id}/${word}`)).toEqual(decided)
    const mayDecide = async (call: Person['call']) =>
      ok(await call('GET', `/access-requests/${paying.id}`)).may.decide
    expect([await mayDecide(web), await mayDecide(alice)]).toEqual([false, true])
    // A denial gives nothing, so it needs no second factor.
    ok(await world.api('PUT', path, { ...item, sensitive: true }, ANY))
    const approval = `/access-requests/${paying.id}/approval`
    expect((await refusedAt(alice, approval)).slice(0, 2)).toEqual([403, 'second_factor_needed'])
    ok(await alice('POST', `/access-requests/${paying.id}/denial`, {}))
    ok(await alice('POST', `/access-requests/${id}/revocation`, {}))
  })

  test('a rule with several mistakes is refused with all of them, each at its member', async () => {
    const nobody = { type: 'user', id: 'usr_nobody' }
    const { status, json } = await world.api('POST', '/request-rules', {
      api: 'ledger',
      name: 'Wrong',
      patterns: ['orders:read', 'ledger:read'],
      askers: 'client.id == "app"',
      stages: [{ approvers: [nobody], escalateTo: [{ type: 'group', id: 'grp_none' }] }],
      emergency: { people: [nobody] },
    })
    const pointers = json.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect([status, pointers]).toEqual([
      400,
      [
        '/patterns/0',
        '/askers',
        '/stages/0/approvers/0/id',
        '/stages/0/escalateTo/0/id',
        '/emergency/people/0/id',
      ],
    ])
  })

  test('Q32: whoever approved in one stage does not decide in the next', async () => {
    const stage = { approvers: [{ type: 'group', id: world.group }], needed: 1 }
    const rule = { api: 'ledger', name: 'Reading', patterns: ['ledger:read'] }
    const many = { ...stage, needed: 2 }
    const few = await world.api('POST', '/request-rules', { ...rule, stages: [many, many] })
    expect([few.status, few.json.errors[0].pointer]).toEqual([400, '/stages/1'])
    const { id: ruleId } = await made(world.api, '/request-rules', {
      ...rule,
      stages: [stage, stage],
    })
    const { id } = await askAs(who.eve.call, { scope: 'ledger:read' })
    expect(await outcomes(id, [who.ann.call])).toEqual([200])
    expect(await outcomes(id, [who.ann.call])).toEqual([409])
    expect(ok(await who.ben.call('POST', `/access-requests/${id}/approval`, {})).status).toBe(
      'approved',
    )
    ok(await world.api('DELETE', `/request-rules/${ruleId}`, undefined, ANY))
  })

  test('Q19: a forged binding, and one that is not a binding, are refused', async () => {
    const forged = 'A'.repeat(200)
    const body = { binding: forged, reason: 'x' }
    const expected = [400, 'invalid', 'binding_invalid']
    expect(await refusedAt(alice, '/access-requests', body)).toEqual(expected)
  })

  test('Q20: the binding of somebody else is refused', async () => {
    const reason = reasonFor(await tokensAtWeb(portal, await aliceAtWeb(portal)))
    const { binding_token: binding } = reason.access_request as Record<string, string>
    const body = { binding, reason: 'x' }
    const expected = [400, 'invalid', 'binding_invalid']
    expect(await refusedAt(who.ann.call, '/access-requests', body)).toEqual(expected)
  })

  test('Q21: nothing can be asked for that no rule names, and not for longer than it says', async () => {
    const at = '/access-requests'
    const asked = (body: object) => refusedAt(who.ann.call, at, { reason: 'x', ...body })
    const unknown = [400, 'invalid', 'not_requestable']
    for (const scope of ['ledger:read', 'orders:refund', 'users:write', 'nope'])
      expect(await asked({ scope })).toEqual(unknown)
    const late = inSeconds(2 * 3600)
    expect(await asked({ scope: WANTED, until: late })).toEqual([400, 'invalid', 'request_end'])
    expect(await asked({ scope: WANTED, reason: null })).toEqual([400, 'invalid', 'required'])
    const both = await asked({ scope: WANTED, binding: 'x' })
    expect(both.slice(0, 2)).toEqual([400, 'invalid'])
  })

  test('Q22: nobody approves twice, for themselves, or after the end', async () => {
    const { id } = await askAs(who.ann.call)
    const path = `/access-requests/${id}/approval`
    expect((await refusedAt(who.ann.call, path)).slice(0, 2)).toEqual([403, 'forbidden'])
    expect((await who.ben.call('POST', path, {})).status).toBe(200)
    expect((await who.ben.call('POST', path, {})).status).toBe(409)
    expect((await who.eve.call('POST', path, {})).status).toBe(404)
    expect(ok(await who.cleo.call('POST', `/access-requests/${id}/denial`, {})).status).toBe(
      'denied',
    )
    expect([404, 409]).toContain((await who.dora.call('POST', path, {})).status)
    expect((await who.ben.call('POST', path, {})).status).toBe(409)
  })

  test('Q23: the vote of somebody who lost the role in between does not count', async () => {
    const { id } = await askAs(who.dora.call)
    const path = `/access-requests/${id}/approval`
    expect((await who.ann.call('POST', path, {})).status).toBe(200)
    const member = `/groups/${world.group}/members/${who.ann.id}`
    ok(await world.api('DELETE', member, undefined, ANY))
    expect(ok(await who.ben.call('POST', path, {})).status).toBe('pending')
    expect((await who.ann.call('POST', path, {})).status).toBe(403)
    expect(ok(await who.cleo.call('POST', path, {})).status).toBe('approved')
    ok(await world.api('PUT', member))
  })

  test('Q24: a rule under which somebody’s request could have no approver is refused', async () => {
    const group = await made(world.api, '/groups', { key: `alone-${kind}`, name: 'Alone' })
    ok(await world.api('PUT', `/groups/${group.id}/members/${who.ann.id}`))
    const body = {
      api: 'ledger',
      name: 'Alone',
      patterns: ['ledger:read'],
      stages: [{ approvers: [{ type: 'group', id: group.id }], needed: 1 }],
    }
    const { status, json } = await world.api('POST', '/request-rules', body)
    expect([status, json.errors[0].pointer]).toEqual([400, '/stages/0'])
    expect(json.errors[0].values).toMatchObject({ name: 'ann', count: '0', needed: '1' })
    const others = { ...body, askers: `user.id != "${who.ann.id}"` }
    const rule = await made(world.api, '/request-rules', others)
    const wrong = { patterns: ['orders:read'] }
    const changed = await world.api('PATCH', `/request-rules/${rule.id}`, wrong, ANY)
    expect([changed.status, changed.json.errors[0].code]).toEqual([400, 'request_pattern'])
    expect((await world.api('DELETE', `/request-rules/${rule.id}`, undefined, ANY)).status).toBe(
      204,
    )
  })

  test('a request is withdrawn, and one that nobody decides expires', async () => {
    const { id } = await askAs(who.cleo.call, { until: inSeconds(300) })
    portal.moveClock(300_000)
    await settleOverdue(portal.op, () => true)
    const { status } = ok(await who.cleo.call('GET', `/access-requests/${id}`))
    expect(status).toBe('expired')
    const again = await askAs(who.cleo.call)
    const path = `/access-requests/${again.id}/cancellation`
    expect(ok(await who.cleo.call('POST', path, {})).status).toBe('cancelled')
    expect((await who.cleo.call('POST', path, {})).status).toBe(409)
  })
})
