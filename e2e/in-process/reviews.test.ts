import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertWithin } from '../../lib/api/authority/room'
import { DAY_MS } from '../../lib/base/time'
import { emptyOutbox } from '../../lib/delivery/deliver'
import { sealOf } from '../../lib/operations/evidence'
import { settleReviews } from '../../lib/operations/scheduled/reviews'
import {
  ANY,
  callAs,
  made,
  ok,
  type Person,
  people,
  reasonFor,
  tokensAtWeb,
  WANTED,
} from '../support/access-requests'
import { type Call, caller, machineToken, sessionOf } from '../support/api'
import { askToken } from '../support/ask'
import { usually } from '../support/databases'
import { aliceAtWeb } from '../support/flow'
import { temporaryFolder } from '../support/folder'
import { type OpenPortal, openPortal, openSecond } from '../support/in-process'
import { linkIn, type MailServer, startMailServer } from '../support/smtp'

/** Campaigns: keep, narrow or remove; silence removes; the result is evidence. */

const REMINDER = 'A review of access ends soon'
const NAMES = ['ann', 'ben', 'cleo', 'eve'] as const
type Item = Record<string, never> & {
  id: string
  subject: { id: string; type: string }
  gives: { id: string }
}

describe.each(usually('sqlite'))('access reviews on %s', (kind) => {
  let portal: OpenPortal
  let mails: MailServer
  let api: Call
  let owner: Call
  let who: Record<(typeof NAMES)[number], Person>
  let group: string
  let client: { id: string; secret: string }

  beforeAll(async () => {
    mails = await startMailServer()
    const mail = { SMTP_URL: mails.url, MAIL_FROM: 'id@example.com' }
    portal = await openPortal({ kind, env: mail })
    who = await people(portal, NAMES)
    api = caller(portal, await machineToken(portal))
    owner = callAs(portal, await sessionOf(portal, portal.demo().admin))
    group = (await made(api, '/groups', { key: 'crew', name: 'Crew' })).id
    ok(await api('PUT', `/groups/${group}/members/${who.ben.id}`))
    const ledger = { prefix: 'ledger', name: 'Ledger', audience: 'https://ledger.example' }
    await made(api, '/spaces/demo/resources', ledger)
    for (const key of ['ledger:read', 'ledger:close', 'ledger:pay'])
      ok(await api('PUT', `/spaces/demo/permissions/${key}`, { resource: 'ledger' }))
    client = await made(api, '/applications', { kind: 'machine', name: 'Reports' })
    ok(await api('PATCH', `/applications/${client.id}`, { owner: who.ann.id }, ANY))
    await grant([{ pattern: 'ledger:*' }])
    const fields = { grant_type: 'client_credentials', scope: 'ledger:read' }
    const secret = { client_id: client.id, client_secret: client.secret }
    expect((await askToken(portal.origin, { ...fields, ...secret })).status).toBe(200)
  })
  afterAll(async () => {
    await portal.stop()
    await mails.close()
  })

  const delivered = () => emptyOutbox(portal.op, () => true)
  const deadline = (days = 7) => new Date(Date.now() + days * DAY_MS).toISOString()
  const grant = async (grants: object[]) =>
    ok(await api('PUT', `/applications/${client.id}/grants`, { grants }, ANY))
  const users = (...names: (typeof NAMES)[number][]) =>
    names.map((name) => ({ type: 'user', id: who[name].id }))
  const start = (call: Call, over: object, more: object = {}) =>
    call('POST', '/reviews', {
      name: 'Review',
      over,
      reviewers: users('ben', 'cleo'),
      deadline: deadline(),
      ...more,
    })
  const itemsOf = async (call: Call, id: string, query = ''): Promise<Item[]> =>
    ok(await call('GET', `/reviews/${id}/items?limit=200${query}`)).data
  const decide = (call: Call, id: string, ...decisions: object[]) =>
    call('POST', `/reviews/${id}/decisions`, { decisions })
  const close = (call: Call, id: string) => call('POST', `/reviews/${id}/closure`, {})
  const outcomesOf = async (id: string) =>
    Object.fromEntries(
      (await itemsOf(api, id)).map((item) => [item.subject.id, item.outcome as unknown]),
    )
  const refusal = async (answer: ReturnType<Call>) => {
    const { status, json } = await answer
    return [status, json.errors?.[0]?.code ?? json.code]
  }
  const eventsOf = async (event: string, target: string) =>
    ok(await api('GET', `/audit-events?event=${event}&targetId=${target}`)).data

  /** A role of its own, held by these. */
  async function roleFor(key: string, ...subjects: { type: string; id: string }[]) {
    const role = await made(api, '/spaces/demo/roles', { key, name: key })
    const ids: string[] = []
    for (const subject of subjects) {
      const assignment = { role: role.id, subject }
      ids.push((await made(api, '/spaces/demo/assignments', assignment)).id)
    }
    return { id: role.id as string, assignments: ids }
  }
  const user = (name: (typeof NAMES)[number]) => ({ type: 'user', id: who[name].id })

  test('W1, W10, W11: the whole way: kept, narrowed and removed, by others than whom it concerns', async () => {
    const crew = { type: 'group', id: group }
    const role = await roleFor('whole', user('ann'), user('eve'), user('ben'), crew)
    const { id, counts } = ok(await start(api, { type: 'role', id: role.id }))
    expect(counts).toMatchObject({ items: 4, undecided: 4 })
    await delivered()
    const asked = await mails.lastTo('ben@requests.example')
    expect(linkIn(asked)).toBe(`${portal.origin}/account/reviews/${id}`)
    const all = await itemsOf(api, id)
    const about = (subject: string) => all.find((one) => one.subject.id === subject)?.id
    expect(all[0]).toMatchObject({ kind: 'assignment', reason: expect.any(String) })
    // Ben sees neither himself nor his group; eve sees nothing.
    const bens = (await itemsOf(who.ben.call, id)).map((item) => item.subject.id)
    expect(bens.sort()).toEqual([who.ann.id, who.eve.id].sort())
    expect((await who.eve.call('GET', `/reviews/${id}`)).status).toBe(404)
    const listed = ok(await who.ben.call('GET', '/reviews')).data
    expect(listed).toMatchObject([{ id, counts: { mine: 2 }, may: { decide: true } }])
    const keep = (subject: string) => ({ item: about(subject), decision: 'keep' })
    const own = decide(who.ben.call, id, keep(who.ann.id), keep(who.ben.id))
    expect(await refusal(own)).toEqual([403, 'review_own'])
    expect(await refusal(decide(who.ben.call, id, keep(group)))).toEqual([403, 'not_reviewer'])
    expect(await refusal(decide(api, id, keep(group)))).toEqual([403, 'forbidden'])
    expect((await decide(who.eve.call, id, keep(group))).status).toBe(404)
    const until = deadline(30)
    const comment = '=HYPERLINK("https://evil.example")'
    ok(await decide(who.ben.call, id, { ...keep(who.ann.id), comment }))
    ok(await decide(who.ben.call, id, { item: about(who.eve.id), decision: 'narrow', until }))
    expect(await refusal(close(api, id))).toEqual([409, 'conflict'])
    ok(await decide(who.cleo.call, id, keep(who.ben.id), keep(group)))
    ok(await decide(who.cleo.call, id, { item: about(group), decision: 'remove' }))
    expect((await close(who.cleo.call, id)).status).toBe(403)
    const closed = ok(await close(api, id))
    expect(closed).toMatchObject({
      status: 'closed',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      counts: { outcomes: { kept: 2, narrowed: 1, removed: 1 } },
    })
    const left = ok(await api('GET', `/spaces/demo/assignments?role=${role.id}`)).data
    expect(left).toHaveLength(3)
    const eves = left.find((one: { subject: { id: string } }) => one.subject.id === who.eve.id)
    expect(eves.validUntil).toBe(until)
    const [removed] = await eventsOf('assignment.deleted', role.assignments[3] ?? '')
    expect(removed.detail).toMatchObject({ review: id, decided_by: who.cleo.id })
    await evidenceOf(id, closed.digest)
  })

  /** W10, W11: the digest is in the audit log, a changed file is found out, no cell is a formula. */
  async function evidenceOf(id: string, digest: string) {
    const { raw } = await api('GET', `/reviews/${id}/evidence`)
    expect(createHash('sha256').update(raw).digest('hex')).toBe(digest)
    expect(JSON.parse(raw).items[0]).toMatchObject({ decidedBy: expect.any(String) })
    const [sealed] = await eventsOf('review.closed', id)
    expect(sealed.detail).toMatchObject({ digest, outcomes: { removed: 1 } })
    const csv = await api('GET', `/reviews/${id}/evidence?format=csv`)
    expect(csv.raw).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
    const file = join(temporaryFolder(), 'evidence.json')
    writeFileSync(file, raw)
    expect(await sealOf(portal.op, file)).toContain(id)
    writeFileSync(file, raw.replace('"keep"', '"remove"'))
    await expect(sealOf(portal.op, file)).rejects.toThrow('not the evidence')
    expect((await who.ben.call('GET', `/reviews/${id}/evidence`)).status).toBe(404)
  }

  test('a decision that is said again stays in the name of whoever made it', async () => {
    const role = await roleFor('again', user('ann'), user('eve'))
    const { id } = ok(await start(api, { type: 'role', id: role.id }))
    const [first, second] = await itemsOf(api, id)
    const narrow = { item: first?.id, decision: 'narrow', until: deadline(30), comment: 'Less' }
    const remove = { item: second?.id, decision: 'remove' }
    ok(await decide(who.ben.call, id, narrow, remove))
    const before = await itemsOf(api, id)
    ok(await decide(who.cleo.call, id, narrow, remove))
    expect(await itemsOf(api, id)).toEqual(before)
    expect(await eventsOf('review.decided', id)).toHaveLength(1)
    ok(await decide(who.cleo.call, id, { ...narrow, until: deadline(20) }, remove))
    const after = await itemsOf(api, id)
    expect(after).toMatchObject([
      ...[{ decidedBy: { id: who.cleo.id } }, { decidedBy: { id: who.ben.id } }],
    ])
    ok(await api('POST', `/reviews/${id}/cancellation`, {}))
  })

  test('W2: nobody decides after the end, and what was cancelled changes nothing', async () => {
    const role = await roleFor('over', user('ann'))
    const { id } = ok(await start(api, { type: 'role', id: role.id }))
    const [item] = await itemsOf(api, id)
    const remove = { item: item?.id, decision: 'remove' }
    expect(await refusal(api('GET', `/reviews/${id}/evidence`))).toEqual([409, 'conflict'])
    ok(await decide(who.ben.call, id, remove))
    ok(await api('POST', `/reviews/${id}/cancellation`, {}))
    expect(await refusal(decide(who.ben.call, id, remove))).toEqual([409, 'conflict'])
    expect(await refusal(close(api, id))).toEqual([409, 'conflict'])
    const { data } = ok(await api('GET', `/spaces/demo/assignments?role=${role.id}`))
    expect(data).toHaveLength(1)
  })

  test('W3: narrowing gives no more than there was, and the owner of an application does not decide', async () => {
    const over = { type: 'api', id: 'ledger' }
    const { id } = ok(await start(api, over, { reviewers: users('ann', 'ben') }))
    const [item] = await itemsOf(api, id)
    expect(item).toMatchObject({
      subject: { type: 'application', name: 'Reports' },
      gives: { id: 'ledger:*' },
      suggestion: 'narrow',
      reason: 'partly',
      narrowTo: ['ledger:read'],
    })
    expect((await who.ann.call('GET', `/reviews/${id}`)).status).toBe(404)
    const narrow = (narrowTo: string[] | null, more: object = {}) =>
      decide(who.ben.call, id, { item: item?.id, decision: 'narrow', narrowTo, ...more })
    for (const wide of ['orders:read', 'ledger:*', 'users:write'])
      expect(await refusal(narrow([wide]))).toEqual([400, 'narrower_needed'])
    expect(await refusal(narrow(['ledger:nothing']))).toEqual([400, 'unknown_permission'])
    expect(await refusal(narrow(null))).toEqual([400, 'review_narrow_how'])
    // An end before the review is carried out could not be kept.
    for (const days of [-1, 3])
      expect(await refusal(narrow(null, { until: deadline(days) }))).toEqual([400, 'review_until'])
    ok(await narrow(['ledger:read']))
    // Written again with the same terms, it is the same grant.
    await grant([{ pattern: 'ledger:*' }])
    expect(ok(await close(api, id)).counts.outcomes).toEqual({ narrowed: 1 })
    const { grants } = ok(await api('GET', `/applications/${client.id}/grants`))
    expect(grants.map(({ pattern }: { pattern: string }) => pattern)).toEqual(['ledger:read'])
  })

  test('W1: nobody reviews what a role gives that they hold; what a request gave is taken back', async () => {
    const role = await roleFor('payers', user('ann'))
    ok(await api('PUT', `/spaces/demo/roles/${role.id}/permissions/ledger:pay`))
    const item = { resource: 'ledger', needsRole: true }
    ok(await api('PUT', '/spaces/demo/permissions/ledger:pay', item, ANY))
    const rule = { api: 'ledger', name: 'Paying', patterns: ['ledger:pay'] }
    const stages = [{ approvers: users('ben', 'cleo'), needed: 1 }]
    await made(api, '/request-rules', { ...rule, stages })
    const request = await made(who.eve.call, '/access-requests', {
      scope: 'ledger:pay',
      reason: 'x',
    })
    ok(await who.ben.call('POST', `/access-requests/${request.id}/approval`, {}))
    const over = { type: 'api', id: 'ledger' }
    const { id } = ok(await start(api, over, { reviewers: users('ann', 'cleo') }))
    const all = await itemsOf(api, id)
    const anns = await itemsOf(who.ann.call, id)
    expect(anns.map(({ subject }) => subject.id)).toEqual([who.eve.id])
    expect(anns[0]).toMatchObject({ request: request.id, may: { decide: true, narrowEnd: false } })
    const ofRole = all.find(({ subject }) => subject.type === 'role')
    const keep = (one: Item | undefined) => ({ item: one?.id, decision: 'keep' })
    expect(await refusal(decide(who.ann.call, id, keep(ofRole)))).toEqual([403, 'not_reviewer'])
    const until = deadline(1)
    const shorter = { item: anns[0]?.id, decision: 'narrow', until }
    expect(await refusal(decide(who.ann.call, id, shorter))).toEqual([400, 'not_narrowable'])
    ok(await decide(who.ann.call, id, { item: anns[0]?.id, decision: 'remove' }))
    const others = all.filter((one) => one.subject.id !== who.eve.id && one !== ofRole)
    ok(
      await decide(
        who.cleo.call,
        id,
        { item: ofRole?.id, decision: 'remove' },
        ...others.map(keep),
      ),
    )
    ok(await close(api, id))
    expect(await eventsOf('access_request.revoked', request.id)).toHaveLength(1)
    const left = ok(await api('GET', `/spaces/demo/roles/${role.id}/permissions`)).permissions
    expect(left).toEqual([])
  })

  test('W4: nobody starts a review over what they could not take away', async () => {
    const role = await roleFor('foreign', user('ann'))
    const over = { type: 'role', id: role.id }
    expect((await start(who.eve.call, over)).status).toBe(403)
    expect((await start(who.ann.call, { type: 'application', id: client.id })).status).toBe(403)
    ok(await api('PATCH', `/users/${who.eve.id}`, { adminRole: 'app_manager' }, ANY))
    const eve = callAs(portal, who.eve.session)
    expect((await start(eve, over)).status).toBe(403)
    expect((await start(eve, { type: 'portal' })).status).toBe(403)
    expect((await start(eve, { type: 'application', id: client.id })).status).toBe(404)
    expect((await start(eve, { type: 'api', id: 'ledger' })).status).toBe(400)
    ok(await api('PATCH', `/users/${who.eve.id}`, { adminRole: null }, ANY))
    const auditor = await start(api, { type: 'role', id: 'rol_nobody' })
    expect([auditor.status, auditor.json.errors[0].pointer]).toEqual([400, '/over/id'])
    expect(await refusal(start(api, over, { deadline: deadline(91) }))).toEqual([
      ...[400, 'review_deadline'],
    ])
    expect(await refusal(start(api, over, { deadline: deadline(0.5) }))).toEqual([
      ...[400, 'review_deadline'],
    ])
    const manager = { fallback: [{ type: 'manager', attribute: 'boss' }] }
    expect(await refusal(start(api, over, manager))).toEqual([400, 'review_fallback'])
  })

  test('W5: a review in which nobody could decide about some item is refused with the example', async () => {
    const role = await roleFor('alone', user('ann'), user('ben'))
    const over = { type: 'role', id: role.id }
    const reviewers = users('ann')
    const { status, json } = await start(api, over, { reviewers })
    expect([status, json.errors[0].code]).toEqual([400, 'review_without_reviewer'])
    expect(json.errors[0].values).toEqual({ name: 'ann', what: 'alone' })
    const { id } = ok(await start(api, over, { reviewers, fallback: users('cleo') }))
    const cleos = await itemsOf(who.cleo.call, id)
    expect(cleos.map(({ subject }) => subject.id)).toEqual([who.ann.id])
    const anns = await itemsOf(who.ann.call, id)
    expect(anns.map(({ subject }) => subject.id)).toEqual([who.ben.id])
    ok(await api('PATCH', `/users/${who.ben.id}`, { attributes: { boss: who.eve.id } }, ANY))
    const managed = { reviewers: [{ type: 'manager', attribute: 'boss' }], fallback: users('cleo') }
    const second = ok(await start(api, over, managed))
    const eves = await itemsOf(who.eve.call, second.id)
    expect(eves.map(({ subject }) => subject.id)).toEqual([who.ben.id])
    // Whoever is no longer the manager does not decide.
    ok(await api('PATCH', `/users/${who.ben.id}`, { attributes: { boss: who.ann.id } }, ANY))
    const late = decide(who.eve.call, second.id, { item: eves[0]?.id, decision: 'keep' })
    expect(await refusal(late)).toEqual([404, 'not_found'])
    for (const one of [id, second.id]) ok(await api('POST', `/reviews/${one}/cancellation`, {}))
  })

  test('W6: of many closings at once one does it, and each item is carried out once', async () => {
    const role = await roleFor('race', user('ann'), user('eve'), user('cleo'))
    const { id } = ok(await start(api, { type: 'role', id: role.id }, { reviewers: users('ben') }))
    const items = await itemsOf(api, id)
    ok(
      await decide(
        who.ben.call,
        id,
        ...items.map((item) => ({ item: item.id, decision: 'remove' })),
      ),
    )
    const second = await openSecond(portal)
    const elsewhere = caller(second, await machineToken(second))
    const closings = Array.from({ length: 20 }, (_, at) => close(at % 2 ? api : elsewhere, id))
    const answers = await Promise.all(closings)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    await second.stop()
    expect(ok(await api('GET', `/reviews/${id}`)).status).toBe('closed')
    for (const one of role.assignments)
      expect(await eventsOf('assignment.deleted', one)).toHaveLength(1)
    expect(await eventsOf('review.closed', id)).toHaveLength(1)
  })

  test('W7: what was changed meanwhile is left alone and listed, and what is gone is gone', async () => {
    const crew = { type: 'group', id: (await made(api, '/groups', { key: 'kept', name: 'K' })).id }
    const role = await roleFor('meanwhile', user('ann'), user('eve'), user('cleo'), crew)
    const { id } = ok(await start(api, { type: 'role', id: role.id }))
    const items = await itemsOf(api, id)
    const isKept = ({ subject }: Item) => subject.id === who.cleo.id || subject.id === crew.id
    const decisions = items.map((item) => ({
      item: item.id,
      decision: isKept(item) ? 'keep' : 'remove',
    }))
    ok(await decide(who.ben.call, id, ...decisions))
    const paths = role.assignments.map((one) => `/spaces/demo/assignments/${one}`)
    const [anns, eves, cleos] = paths
    ok(await api('PATCH', anns ?? '', { instance: 'x' }, ANY))
    ok(await api('DELETE', eves ?? '', undefined, ANY))
    // Nobody saw it as it is now: the evidence does not vouch for it.
    ok(await api('PATCH', cleos ?? '', { validUntil: null, condition: 'true' }, ANY))
    ok(await close(api, id))
    expect(await outcomesOf(id)).toEqual({
      [who.ann.id]: 'changed',
      [who.eve.id]: 'gone',
      [who.cleo.id]: 'changed',
      [crew.id]: 'kept',
    })
    expect((await api('GET', anns ?? '')).status).toBe(200)
  })

  test('W23: nobody has more than 20 open reviews or starts 50 of their own a day, also at once', async () => {
    ok(await api('PATCH', `/users/${who.cleo.id}`, { adminRole: 'app_manager' }, ANY))
    const cleo = callAs(portal, who.cleo.session)
    const { id } = await made(cleo, '/applications', { kind: 'machine', name: 'Own' })
    const grants = [{ pattern: 'ledger:read' }]
    ok(await api('PUT', `/applications/${id}/grants`, { grants }, ANY))
    const over = { type: 'application', id }
    const startMany = async (count: number) =>
      Promise.all(Array.from({ length: count }, () => start(cleo, over)))
    let started = 0
    for (const wanted of [20, 20, 10]) {
      const answers = await startMany(22)
      const made = answers.filter(({ status }) => status === 201)
      expect(made).toHaveLength(wanted)
      const refused = answers.find(({ status }) => status !== 201)
      started += made.length
      const reason = started === 50 ? 'You started 50 reviews' : 'You have 20 open reviews'
      expect([refused?.status, refused?.json.detail]).toEqual([
        ...[409, expect.stringContaining(reason)],
      ])
      for (const { json } of made) ok(await cleo('POST', `/reviews/${json.id}/cancellation`, {}))
    }
    ok(await api('PATCH', `/users/${who.cleo.id}`, { adminRole: null }, ANY))
  })

  test('W8: whoever lost their authority takes nothing away any more', async () => {
    const machine = await made(api, '/applications', { kind: 'machine', name: 'Auditor' })
    const scopes = ['permissions:request', 'assignments:write', 'assignments:read']
    const path = `/applications/${machine.id}/grants`
    ok(await api('PUT', path, { grants: scopes.map((pattern) => ({ pattern })) }, ANY))
    const secret = { client_id: machine.id, client_secret: machine.secret }
    const fields = { grant_type: 'client_credentials', scope: scopes.join(' '), ...secret }
    const token = JSON.parse((await askToken(portal.origin, fields)).body).access_token
    const role = await roleFor('lost', user('ann'))
    const { id } = ok(await start(caller(portal, token), { type: 'role', id: role.id }))
    const [item] = await itemsOf(api, id)
    ok(await decide(who.ben.call, id, { item: item?.id, decision: 'remove' }))
    ok(await api('PUT', path, { grants: [] }, ANY))
    ok(await close(api, id))
    expect((await itemsOf(api, id))[0]).toMatchObject({
      outcome: 'refused',
      outcomeReason: 'authority',
    })
  })

  test('W12: nobody decides about access to the portal above their rank', async () => {
    ok(await api('PATCH', `/users/${who.ann.id}`, { adminRole: 'owner' }, ANY))
    const over = { type: 'user', id: 'usr_demo_admin' }
    expect(await refusal(start(owner, over))).toEqual([400, 'review_without_reviewer'])
    const { id } = ok(await start(owner, over, { reviewers: users('ann', 'ben') }))
    expect((await who.ben.call('GET', `/reviews/${id}`)).status).toBe(404)
    const [item] = await itemsOf(api, id)
    expect(item).toMatchObject({ kind: 'admin_role', portal: true, gives: { id: 'owner' } })
    // To keep it is to give it: with a second factor, a moment ago.
    const ann = callAs(portal, who.ann.session)
    expect((await decide(ann, id, { item: item?.id, decision: 'keep' })).status).toBe(403)
    ok(await decide(ann, id, { item: item?.id, decision: 'remove' }))
    ok(await api('POST', `/reviews/${id}/cancellation`, {}))
  })

  test('W13: a review has a limit, and its answer says it', async () => {
    const role = await roleFor('huge')
    const assignments = Array.from({ length: 2_001 }, (_, at) => ({
      id: `asg_huge_${at}`,
      roleId: role.id,
      subject: { type: 'user' as const, id: who.ann.id },
      instance: String(at),
      effect: 'allow' as const,
      condition: null,
      validFrom: null,
      validUntil: null,
      givenBy: null,
    }))
    // What the API does for a batch, all at once.
    await portal.op.write((tx) => insertWithin(tx, assignments, portal.op.now()))
    const { status, json } = await start(api, { type: 'role', id: role.id })
    expect([status, json.errors[0].code]).toEqual([400, 'review_too_large'])
    expect(json.errors[0].values).toEqual({ maximum: '2000' })
    ok(await api('DELETE', `/spaces/demo/roles/${role.id}`, undefined, ANY))
  })

  test('W14: no review lifts a deny: a role that denies is left out, also by its parent', async () => {
    const role = await roleFor('no-pay', user('eve'), { type: 'group', id: group })
    const path = `/spaces/demo/roles/${role.id}`
    const permissions = [{ pattern: 'ledger:pay', effect: 'deny' }]
    ok(await api('PUT', `${path}/permissions`, { permissions }, ANY))
    expect((await start(api, { type: 'role', id: role.id })).status).toBe(403)
    const below = await roleFor('trainee', user('eve'))
    const parents = { parents: [role.id] }
    ok(await api('PATCH', `/spaces/demo/roles/${below.id}`, parents, ANY))
    const plain = await roleFor('plain', user('eve'))
    const { id, leftOut } = ok(await start(api, { type: 'user', id: who.eve.id }))
    expect(leftOut).toBeGreaterThanOrEqual(2)
    const gives = (await itemsOf(api, id)).map((item) => item.gives.id)
    expect(gives).toContain(plain.id)
    expect(gives).not.toContain(role.id)
    expect(gives).not.toContain(below.id)
    ok(await api('POST', `/reviews/${id}/cancellation`, {}))
  })

  test('W15: what a request gave is one item, and whoever asked does not decide about it', async () => {
    const item = { resource: 'ledger', needsRole: true }
    ok(await api('PUT', `/spaces/demo/permissions/${WANTED}`, item, ANY))
    const stages = [{ approvers: users('ben', 'cleo'), needed: 1 }]
    await made(api, '/request-rules', {
      api: 'ledger',
      name: 'Closing',
      patterns: [WANTED],
      stages,
    })
    const tokens = await tokensAtWeb(portal, await aliceAtWeb(portal))
    const { binding_token: binding } = reasonFor(tokens).access_request as Record<string, string>
    const alice = callAs(portal, await sessionOf(portal, portal.demo().users[0]))
    const request = await made(alice, '/access-requests', { binding, reason: 'x' })
    const { gives } = ok(await who.ben.call('GET', `/access-requests/${request.id}`))
    expect(gives.map(({ to }: { to: string }) => to).sort()).toEqual(['application', 'user'])
    ok(await who.ben.call('POST', `/access-requests/${request.id}/approval`, {}))
    const both = [{ type: 'user', id: 'usr_demo_alice' }, ...users('cleo')]
    for (const over of [
      { type: 'api', id: 'ledger' },
      { type: 'application', id: 'app_demo_web' },
    ]) {
      const { id } = ok(await start(api, over, { reviewers: both }))
      const asked = (await itemsOf(api, id)).filter((one) => one.request === request.id)
      expect(asked).toMatchObject([{ subject: { type: 'user', id: 'usr_demo_alice' } }])
      const keep = { item: asked[0]?.id, decision: 'keep' }
      const own = await alice('POST', `/reviews/${id}/decisions`, { decisions: [keep] })
      expect([403, 404]).toContain(own.status)
      ok(await decide(who.cleo.call, id, { ...keep, decision: 'remove' }))
      ok(await api('POST', `/reviews/${id}/cancellation`, {}))
    }
  })

  test('W16: whoever is reviewed neither cancels nor closes the review', async () => {
    ok(await api('PATCH', `/users/${who.ann.id}`, { adminRole: 'admin' }, ANY))
    const ann = callAs(portal, who.ann.session)
    const reviewers = [{ type: 'user', id: 'usr_demo_admin' }]
    const { id } = ok(await start(owner, { type: 'user', id: who.ann.id }, { reviewers }))
    expect(ok(await ann('GET', `/reviews/${id}`)).may).toMatchObject({ cancel: false })
    expect((await ann('POST', `/reviews/${id}/cancellation`, {})).status).toBe(403)
    expect((await close(ann, id)).status).toBe(403)
    // What does not concern them, they manage as before.
    const role = await roleFor('elsewhere', user('eve'))
    const other = ok(await start(api, { type: 'role', id: role.id }))
    expect(ok(await ann('GET', `/reviews/${other.id}`)).may).toMatchObject({ cancel: true })
    ok(await ann('POST', `/reviews/${other.id}/cancellation`, {}))
    ok(await owner('POST', `/reviews/${id}/cancellation`, {}))
  })

  test('W17: whoever started a review and lost their rank sees and manages it no more', async () => {
    const role = await roleFor('demoted', user('eve'))
    ok(await api('PATCH', `/users/${who.ann.id}`, { adminRole: 'admin' }, ANY))
    const ann = callAs(portal, who.ann.session)
    const { id } = ok(await start(ann, { type: 'role', id: role.id }))
    expect(ok(await ann('GET', '/reviews?view=started')).data).toMatchObject([{ id }])
    for (const adminRole of ['app_manager', null]) {
      ok(await api('PATCH', `/users/${who.ann.id}`, { adminRole }, ANY))
      for (const path of ['', '/items', '/evidence'])
        expect((await ann('GET', `/reviews/${id}${path}`)).status).toBe(404)
      expect((await ann('POST', `/reviews/${id}/cancellation`, {})).status).toBe(404)
      expect(ok(await ann('GET', '/reviews?view=started')).data).toEqual([])
    }
    ok(await api('POST', `/reviews/${id}/cancellation`, {}))
  })

  test('W24: whoever becomes a reviewer later does not read a review that is over', async () => {
    const role = await roleFor('bygone', user('ann'))
    const late = (await made(api, '/groups', { key: 'late', name: 'Late' })).id
    ok(await api('PUT', `/groups/${late}/members/${who.ben.id}`))
    const reviewers = [{ type: 'group', id: late }]
    const { id } = ok(await start(api, { type: 'role', id: role.id }, { reviewers }))
    const [item] = await itemsOf(who.ben.call, id)
    ok(await decide(who.ben.call, id, { item: item?.id, decision: 'keep', comment: 'He left' }))
    ok(await close(api, id))
    ok(await api('PUT', `/groups/${late}/members/${who.cleo.id}`))
    for (const path of ['', '/items', '/evidence'])
      expect((await who.cleo.call('GET', `/reviews/${id}${path}`)).status).toBe(404)
    // What somebody decided stays theirs to read.
    expect(await itemsOf(who.ben.call, id)).toMatchObject([{ comment: 'He left' }])
  })

  test('W25: the owner of an API takes nothing from the access keys of other applications', async () => {
    const key = await made(api, `/applications/${client.id}/keys`, {
      name: 'Night run',
      scopes: ['ledger:read'],
    })
    await grant([{ pattern: 'ledger:read' }])
    ok(await api('PATCH', `/users/${who.eve.id}`, { adminRole: 'app_manager' }, ANY))
    const owners = [{ type: 'user', id: who.eve.id }]
    ok(await api('PATCH', '/spaces/demo/resources/ledger', { owners }, ANY))
    const eve = callAs(portal, who.eve.session)
    const review = ok(await start(eve, { type: 'api', id: 'ledger' }))
    const subjects = (await itemsOf(eve, review.id)).map(({ subject }) => subject.id)
    expect(subjects).toContain(client.id)
    expect(subjects).not.toContain(key.accessKey)
    ok(await eve('POST', `/reviews/${review.id}/cancellation`, {}))
    ok(await api('PATCH', '/spaces/demo/resources/ledger', { owners: [] }, ANY))
    ok(await api('PATCH', `/users/${who.eve.id}`, { adminRole: null }, ANY))
  })

  test('W18: a role that gives something sensitive is kept only with a second factor', async () => {
    const item = { resource: 'ledger', sensitive: true }
    ok(await api('PUT', '/spaces/demo/permissions/ledger:void', item))
    const role = await roleFor('voiders', user('ann'))
    ok(await api('PUT', `/spaces/demo/roles/${role.id}/permissions/ledger:void`))
    const { id } = ok(await start(api, { type: 'role', id: role.id }))
    const [held] = await itemsOf(api, id)
    expect(held).toMatchObject({ kind: 'assignment', sensitive: true })
    const keep = decide(who.ben.call, id, { item: held?.id, decision: 'keep' })
    expect(await refusal(keep)).toEqual([403, 'second_factor_needed'])
    ok(await decide(who.ben.call, id, { item: held?.id, decision: 'remove' }))
    ok(await api('POST', `/reviews/${id}/cancellation`, {}))
  })

  test.runIf(kind === 'postgres')(
    'W19: grants that are written again while the review closes are removed all the same',
    async () => {
      await grant([{ pattern: 'ledger:read' }])
      const { id } = ok(await start(api, { type: 'application', id: client.id }))
      const [item] = await itemsOf(api, id)
      ok(await decide(who.ben.call, id, { item: item?.id, decision: 'remove' }))
      const database = new pg.Client({ connectionString: portal.env.DATABASE_URL })
      await database.connect()
      const waiting = async () => {
        const asked = `SELECT count(*)::int AS n FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`
        return (await database.query(asked)).rows[0].n
      }
      // Whoever writes the grants waits for this at the very end.
      await database.query('BEGIN')
      await database.query('SELECT * FROM "PolicyVersion" FOR UPDATE')
      const written = grant([{ pattern: 'ledger:read' }])
      await expect.poll(waiting).toBe(1)
      const closing = close(api, id)
      await expect.poll(waiting).toBe(2)
      await database.query('COMMIT')
      await database.end()
      await written
      expect(ok(await closing).counts.outcomes).toEqual({ removed: 1 })
      expect(ok(await api('GET', `/applications/${client.id}/grants`)).grants).toEqual([])
      await grant([{ pattern: 'ledger:read' }])
    },
  )

  /** The reminder goes to whoever is the manager by then. */
  async function managedByCleoThenEve() {
    const role = await roleFor('managed', user('ben'))
    const managedBy = async (boss: string) =>
      ok(await api('PATCH', `/users/${who.ben.id}`, { attributes: { boss } }, ANY))
    await managedBy(who.cleo.id)
    const reviewers = [{ type: 'manager', attribute: 'boss' }]
    const more = { reviewers, deadline: deadline(2.2) }
    ok(await start(api, { type: 'role', id: role.id }, more))
    await managedBy(who.eve.id)
  }

  test('W9: silence removes at the deadline, but never the last owner', async () => {
    const role = await roleFor('silent', user('ann'), user('eve'), user('cleo'))
    const { id } = ok(await start(api, { type: 'role', id: role.id }, { deadline: deadline(1) }))
    const [kept] = await itemsOf(api, id, '&view=all')
    const reviewer = kept?.subject.id === who.cleo.id ? who.ben.call : who.cleo.call
    ok(await decide(reviewer, id, { item: kept?.id, decision: 'keep' }))
    ok(await api('PATCH', `/users/${who.ann.id}`, { adminRole: 'owner' }, ANY))
    const mine = { type: 'user', id: 'usr_demo_admin' }
    const more = { reviewers: users('ann'), deadline: deadline(1) }
    const last = ok(await start(api, mine, more)).id
    const soon = await roleFor('soon', user('ann'))
    const open = { reviewers: users('eve'), deadline: deadline(2.2) }
    ok(await start(api, { type: 'role', id: soon.id }, open))
    await managedByCleoThenEve()
    ok(await api('PATCH', `/users/${who.ann.id}`, { adminRole: null }, ANY))
    portal.moveClock(2 * DAY_MS)
    await settleReviews(portal.op, () => true)
    await delivered()
    api = caller(portal, await machineToken(portal))
    for (const one of [id, last])
      expect(ok(await api('GET', `/reviews/${one}`)).status).toBe('closed')
    const outcomes = Object.values(await outcomesOf(id))
    expect(outcomes.sort()).toEqual(['kept', 'removed', 'removed'])
    const events = await Promise.all(
      role.assignments.map((one) => eventsOf('assignment.deleted', one)),
    )
    expect(events.flat()).toHaveLength(2)
    expect((await itemsOf(api, last))[0]).toMatchObject({
      outcome: 'refused',
      outcomeReason: 'last_owner',
    })
    const reminders = mails.received.filter(({ subject }) => subject === REMINDER)
    expect(reminders.map(({ to }) => to)).toEqual(Array(2).fill(['eve@requests.example']))
    const admin = ok(await api('GET', '/users/usr_demo_admin'))
    expect(admin.adminRole).toBe('owner')
  })

  test('the least-privilege report starts one: what was not used is suggested to be removed', async () => {
    await portal.op.settled()
    const { id } = ok(await start(api, { type: 'unused', days: 1 }))
    const items = await itemsOf(api, id)
    const reports = items.find(({ subject }) => subject.id === client.id)
    expect(reports).toMatchObject({
      ...{
        gives: { id: expect.stringMatching(/^ledger:/) },
        suggestion: 'remove',
        reason: 'unused',
        unusedDays: 1,
      },
      lastUsedAt: null,
      useKnownSince: expect.any(String),
    })
    // What the machine uses to ask was used a moment ago.
    expect(items.filter(({ portal: ofPortal }) => ofPortal)).toEqual([])
  })
})
