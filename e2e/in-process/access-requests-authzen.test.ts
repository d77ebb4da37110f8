import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { emptyOutbox } from '../../lib/delivery/deliver'
import { accessRequestOf, openBinding } from '../../lib/oidc/access-request'
import {
  ANY,
  machineWith,
  made,
  ok,
  type Person,
  people,
  WANTED,
  type World,
  worldIn,
} from '../support/access-requests'
import { ask } from '../support/ask'
import { usually } from '../support/databases'
import { type OpenPortal, openPortal } from '../support/in-process'
import { type Receiver, startReceiver } from '../support/receiver'

/** The AuthZEN Access Request and Approval Profile (draft 1), as an agent uses it. */

// ---------------------------------------------------------------- the objects of the draft

const time = z.iso.datetime()
const denial = z.strictObject({
  decision: z.literal(false),
  context: z.strictObject({
    reason: z.string(),
    next_action: z.string(),
    evaluation_id: z.string(),
    evaluated_at: time,
    access_request: z.strictObject({
      expires_at: time,
      endpoint: z.url(),
      form_url: z.url(),
      binding_token: z.string().min(1),
    }),
  }),
})
const taskSchema = z.strictObject({
  task: z.strictObject({
    id: z.string().min(20),
    status: z.enum(['pending', 'approved', 'denied', 'expired', 'cancelled', 'failed', 'partial']),
    status_endpoint: z.url(),
    expires_at: time,
    requested_until: time.optional(),
    progress: z.strictObject({
      stage: z.int(),
      stages: z.int(),
      approvals: z.int(),
      needed: z.int(),
    }),
    links: z.strictObject({ review: z.url(), cancel: z.url().optional() }),
    callback_secret: z.string().optional(),
    result: z
      .strictObject({
        mode: z.literal('reevaluate'),
        approval: z.strictObject({
          id: z.string(),
          approved_at: time,
          approved_until: time,
          state: z.literal('approved'),
        }),
      })
      .optional(),
  }),
})
const errorSchema = z.looseObject({ type: z.url(), title: z.string(), status: z.int() })
const metadataSchema = z.looseObject({
  policy_decision_point: z.url(),
  access_request_endpoint: z.url(),
  capabilities: z.array(z.string()),
})

const ERROR = 'urn:openid:authzen:access-request:error:'
const NAMES = ['finn', 'gus', 'hana', 'ivy'] as const

describe.each(usually('sqlite'))('access requests by AuthZEN on %s', (kind) => {
  let portal: OpenPortal
  let receiver: Receiver
  let who: Record<(typeof NAMES)[number], Person>
  let world: World
  let agent: string
  let other: string

  beforeAll(async () => {
    receiver = await startReceiver()
    const env = { OUTBOUND_HOSTS: `localhost:${receiver.port}` }
    portal = await openPortal({ kind, env })
    who = await people(portal, NAMES)
    world = await worldIn(portal, [who.finn, who.gus, who.hana])
    const scopes = ['permissions:check', 'permissions:request']
    const [one, two] = [
      await machineWith(portal, world.api, scopes),
      await machineWith(portal, world.api, scopes),
    ]
    agent = await one.token()
    other = await two.token()
  })
  afterAll(async () => {
    await portal.stop()
    receiver.close()
  })

  async function post(path: string, body: object, token = agent, more: object = {}) {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...more,
    }
    const answer = await ask(portal.origin, {
      method: 'POST',
      path,
      headers,
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: JSON.parse(answer.body) }
  }
  async function get(path: string, token = agent) {
    const answer = await ask(portal.origin, { path, headers: { authorization: `Bearer ${token}` } })
    return { status: answer.status, body: JSON.parse(answer.body) }
  }
  const pathOf = (url: string) => new URL(url).pathname
  const taskIn = (answer: { body: unknown }) => taskSchema.parse(answer.body).task
  /** What the client was told, once everything was sent. */
  async function toldAbout(id: string): Promise<string[]> {
    await emptyOutbox(portal.op, () => true)
    return receiver.bodies.filter((body) => body.includes(id))
  }
  const question = (person: Person, instance = 'book-1') => ({
    subject: { type: 'user', id: person.id },
    action: { name: 'close' },
    resource: { type: 'ledger', id: instance },
  })
  const evaluate = (body: object, token = agent) => post('/access/v1/evaluation', body, token)
  async function refused(person: Person, instance?: string) {
    const { body } = await evaluate(question(person, instance))
    return denial.parse(body).context.access_request.binding_token
  }
  const submit = (body: object, token = agent, more: object = {}) =>
    post('/access/v1/request', body, token, more)
  const submission = async (person: Person, more: object = {}) => ({
    ...question(person),
    requested_access: { reason: 'The year ends' },
    denial: { binding_token: await refused(person) },
    ...more,
  })
  const approve = async (id: string, ...by: Person[]) => {
    for (const { call } of by) ok(await call('POST', `/access-requests/${id}/approval`, {}))
  }

  test('the metadata names the endpoint and the capability', async () => {
    const { body } = await get('/.well-known/authzen-configuration')
    const { access_request_endpoint, capabilities } = metadataSchema.parse(body)
    expect(access_request_endpoint).toBe(`${portal.origin}/access/v1/request`)
    expect(capabilities).toContain('urn:openid:authzen:capability:access-request')
  })

  test('the whole way: denied, asked once, approved by two, told, evaluated again', async () => {
    const callback = { url: `http://localhost:${receiver.port}/done` }
    const body = await submission(who.ivy, { callback })
    const key = { 'idempotency-key': 'the-first' }
    const made = await submit(body, agent, key)
    expect(made.status).toBe(202)
    const { task } = taskSchema.parse(made.body)
    expect(taskSchema.parse((await submit(body, agent, key)).body).task.id).toBe(task.id)
    expect((await get(pathOf(task.status_endpoint), other)).status).toBe(404)
    const early = { id: task.id, approved_at: 'x', approved_until: 'x', state: 'approved' }
    const context = (approval: object) => ({ ...question(who.ivy), context: { approval } })
    expect((await evaluate(context(early))).body.context).toEqual({
      reason: 'grant_pending',
      next_action: 'retry',
    })
    await approve(task.id, who.finn, who.gus)
    const done = taskSchema.parse((await get(pathOf(task.status_endpoint))).body).task
    expect([done.status, done.progress.approvals]).toEqual(['approved', 2])
    const approval = done.result?.approval ?? {}
    expect((await evaluate(context(approval))).body).toEqual({ decision: true })
    const told = JSON.stringify({ task: { id: task.id, status: 'approved' } })
    expect(await toldAbout(task.id)).toEqual([told])
    const cancelled = await post(`/access/v1/request/${task.id}/cancel`, {})
    expect([cancelled.status, errorSchema.parse(cancelled.body).type]).toEqual([
      ...[409, `${ERROR}invalid_task_state`],
    ])
    const elsewhere = { ...context(approval), resource: { type: 'ledger', id: 'book-2' } }
    expect((await evaluate(elsewhere)).body.context.reason).toBe('out_of_scope')
    expect((await evaluate(question(who.ivy))).body).toEqual({ decision: true })
    expect((await evaluate(question(who.ivy, 'book-2'))).body.decision).toBe(false)
  })

  test('Q26: a binding that does not cover what is asked, or of another client, is refused', async () => {
    const body = await submission(who.hana)
    const type = `${ERROR}invalid_denial_binding`
    const wrong: [object, string?][] = [
      [{ ...body, denial: { binding_token: 'forged' } }],
      [{ ...body, denial: { evaluation_id: 'dec_1' } }],
      [{ ...body, resource: { type: 'ledger', id: 'book-2' } }],
      [{ ...body, resource: { type: 'ledger', id: 'book-1' }, action: { name: 'read' } }],
      [{ ...body, subject: { type: 'user', id: who.ivy.id } }],
      [{ ...body, context: { more: true } }],
      [body, other],
    ]
    for (const [asked, token] of wrong) {
      const answer = await submit(asked, token)
      expect([answer.status, errorSchema.parse(answer.body).type]).toEqual([400, type])
    }
  })

  test('Q27: a callback to an inside address is refused', async () => {
    for (const url of ['http://127.0.0.1:1/x', 'http://169.254.169.254/', 'ftp://a.test', 'x']) {
      const answer = await submit(await submission(who.hana, { callback: { url } }))
      expect([url, answer.status, answer.body.type]).toEqual([url, 400, `${ERROR}invalid_callback`])
    }
  })

  test('Q28: an approval that another client presents, or that was changed, opens nothing', async () => {
    const { task } = taskSchema.parse((await submit(await submission(who.hana))).body)
    await approve(task.id, who.finn, who.gus)
    const done = taskSchema.parse((await get(pathOf(task.status_endpoint))).body).task
    const approval = { ...done.result?.approval }
    const asked = (sent: object) => ({ ...question(who.hana), context: { approval: sent } })
    const reason = async (sent: object, token?: string) =>
      (await evaluate(asked(sent), token)).body.context?.reason ?? 'allowed'
    expect(await reason(approval)).toBe('allowed')
    expect(await reason(approval, other)).toBe('approval_unverifiable')
    const later = { ...approval, approved_until: '2099-01-01T00:00:00.000Z' }
    expect(await reason(later)).toBe('approval_unverifiable')
    expect(await reason({ id: 'arq_unknown' })).toBe('approval_unverifiable')
  })

  test('a task is cancelled by the client that made it, and needs the scope', async () => {
    const { task } = taskSchema.parse((await submit(await submission(who.finn))).body)
    const path = `/access/v1/request/${task.id}/cancel`
    expect((await post(path, {}, other)).status).toBe(404)
    expect(taskSchema.parse((await post(path, {})).body).task.status).toBe('cancelled')
    const bare = await ask(portal.origin, { method: 'POST', path, body: '{}' })
    expect(bare.status).toBe(401)
    expect((await evaluate(question(who.finn))).body.context.next_action).toBe('request')
  })

  test('Q124: an approval is for the context that was refused', async () => {
    const on = (context: object, properties = { kind: 'ledger' }) => ({
      ...question(who.gus, 'book-3'),
      context,
      resource: { type: 'ledger', id: 'book-3', properties },
    })
    const refused = { amount: 5, place: { city: 'Bern' } }
    const { context } = denial.parse((await evaluate(on(refused))).body)
    const { binding_token } = context.access_request
    const asking = (asked: object) =>
      submit({ ...asked, requested_access: { reason: 'x' }, denial: { binding_token } })
    const another = on({ ...refused, amount: 6 })
    expect((await asking(another)).body.type).toBe(`${ERROR}invalid_denial_binding`)
    const task = taskIn(await asking(on({ place: { city: 'Bern' }, amount: 5 })))
    await approve(task.id, who.finn, who.hana)
    const { result } = taskIn(await get(pathOf(task.status_endpoint)))
    const { approval } = result ?? {}
    const reason = async (asked: { context: object }) => {
      const sent = { ...asked, context: { ...asked.context, approval } }
      return (await evaluate(sent)).body.context?.reason ?? 'allowed'
    }
    expect(await reason(on(refused))).toBe('allowed')
    expect(await reason(another)).toBe('out_of_scope')
    expect(await reason(on({}))).toBe('out_of_scope')
    expect(await reason(on(refused, { kind: 'draft' }))).toBe('out_of_scope')
  })

  test('Q125: an approval that has ended, and one that the policy overrules, open nothing', async () => {
    const ask = async (person: Person, instance: string, more: object = {}) => {
      const denied = { binding_token: await refused(person, instance) }
      const requested_access = { reason: 'The year ends', ...more }
      const asked = { ...question(person, instance), requested_access, denial: denied }
      const task = taskIn(await submit(asked))
      await approve(task.id, who.gus, who.hana)
      const { result } = taskIn(await get(pathOf(task.status_endpoint)))
      const context = { approval: result?.approval }
      return async () => (await evaluate({ ...question(person, instance), context })).body
    }
    const requested_until = new Date(portal.op.now().getTime() + 600_000).toISOString()
    const short = await ask(who.finn, 'book-4', { requested_until })
    const long = await ask(who.ivy, 'book-4')
    expect([await short(), await long()]).toEqual([{ decision: true }, { decision: true }])
    const role = await made(world.api, '/spaces/demo/roles', { key: 'shut-out', name: 'Shut out' })
    const permission = `/spaces/demo/roles/${role.key}/permissions/${WANTED}`
    ok(await world.api('PUT', permission))
    const subject = { type: 'user', id: who.ivy.id }
    const assignments = '/spaces/demo/assignments'
    const deny = { role: role.key, subject, effect: 'deny' }
    const { id } = await made(world.api, assignments, deny)
    expect(await long()).toEqual({
      decision: false,
      context: { reason: 'policy_denied', next_action: 'none' },
    })
    ok(await world.api('DELETE', `${assignments}/${id}`, undefined, ANY))
    expect(await long()).toEqual({ decision: true })
    portal.moveClock(600_000)
    expect(await short()).toEqual({
      decision: false,
      context: { reason: 'approval_expired', next_action: 'request' },
    })
  })

  test('Q19: a binding of more than an hour ago is refused', async () => {
    const body = await submission(who.finn)
    const binding = openBinding(portal.op, body.denial.binding_token)
    const { accessRequestKey, origin } = portal.op
    if (!binding) throw new Error('the binding is not one of this portal')
    const sealedAt = (minutes: number) => {
      const now = () => new Date(portal.op.now().getTime() - minutes * 60_000)
      const { binding_token } = accessRequestOf({ accessRequestKey, origin, now }, binding)
      return { ...body, denial: { binding_token } }
    }
    const late = await submit(sealedAt(61))
    expect([late.status, late.body.type]).toEqual([400, `${ERROR}invalid_denial_binding`])
    const task = taskIn(await submit(sealedAt(59)))
    expect((await post(`/access/v1/request/${task.id}/cancel`, {})).status).toBe(200)
  })

  test('what a rule decides is answered at once, and a denial is told, too', async () => {
    const callback = { url: `http://localhost:${receiver.port}/done` }
    const rule = (change: object) =>
      world.api('PATCH', `/request-rules/${world.rule}`, change, ANY).then(ok)
    const ask = async (instance: string) => {
      const denied = { binding_token: await refused(who.gus, instance) }
      const asked = { ...question(who.gus, instance), requested_access: { reason: 'x' } }
      return submit({ ...asked, denial: denied, callback })
    }
    const pending = await ask('book-5')
    expect([pending.status, taskIn(pending).status]).toEqual([202, 'pending'])
    ok(await who.finn.call('POST', `/access-requests/${pending.body.task.id}/denial`, {}))
    await rule({ autoApprove: `user.id == "${who.gus.id}"` })
    const given = await ask('book-6')
    expect([given.status, taskIn(given).status]).toEqual([201, 'approved'])
    await rule({ autoApprove: null, autoRefuse: `user.id == "${who.gus.id}"` })
    const denied = await ask('book-7')
    expect([denied.status, taskIn(denied).status]).toEqual([201, 'denied'])
    await rule({ autoRefuse: null })
    const ends = [
      [pending, 'denied'],
      [given, 'approved'],
      [denied, 'denied'],
    ] as const
    for (const [{ body }, status] of ends) {
      const { id } = body.task
      const told = JSON.stringify({ task: { id, status } })
      expect(await toldAbout(id)).toEqual([told])
    }
  })

  test('whoever asks for the same with another callback is told; errors name the members of the body', async () => {
    const at = (path: string) => ({ callback: { url: `http://localhost:${receiver.port}${path}` } })
    const until = new Date(portal.op.now().getTime() + 600_000).toISOString()
    const requested_access = { reason: 'The year\nends', requested_until: until }
    const body = await submission(who.gus, { requested_access })
    const first = taskSchema.parse((await submit({ ...body, ...at('/one') })).body).task
    expect(first.requested_until).toBe(until)
    expect((await submit({ ...body, ...at('/two') })).status).toBe(409)
    for (const more of [{}, at('/one')])
      expect((await submit({ ...body, ...more })).body.task.id).toBe(first.id)
    const wrong = async (asked: object) => {
      const answer = await submit(await submission(who.gus, { requested_access: asked }))
      return answer.body.errors?.[0]?.pointer
    }
    const past = { reason: 'x', requested_until: '2020-01-01T00:00:00.000Z' }
    expect(await wrong(past)).toBe('/requested_access/requested_until')
    expect(await wrong({})).toBe('/requested_access/reason')
    for (const reason of [' ', 'a\u0000b'])
      expect((await submit({ ...body, requested_access: { reason } })).status).toBe(400)
    const person = await who.gus.call('GET', `/access-requests/${first.id}`)
    expect(person.json.madeBy).toMatchObject({ name: 'Agent' })
    const session = await ask(portal.origin, {
      path: pathOf(first.status_endpoint),
      headers: who.gus.session,
    })
    expect([session.status, JSON.parse(session.body).detail]).toEqual([
      403,
      expect.stringContaining('Only an application'),
    ])
    expect((await post(`/access/v1/request/${first.id}/cancel`, {})).status).toBe(200)
  })

  test('Q82: a client that asks for much for a user takes nothing from what they ask themselves', async () => {
    for (let at = 0; at < 20; at += 1) {
      const denial = { binding_token: await refused(who.gus, `page-${at}`) }
      const asked = {
        ...question(who.gus, `page-${at}`),
        requested_access: { reason: 'x' },
        denial,
      }
      expect((await submit(asked)).status).toBe(202)
    }
    const denial = { binding_token: await refused(who.gus, 'more') }
    const more = { ...question(who.gus, 'more'), requested_access: { reason: 'x' }, denial }
    expect((await submit(more)).status).toBe(409)
    const own = await who.gus.call('POST', '/access-requests', { scope: WANTED, reason: 'I do' })
    expect([own.status, own.json.madeBy]).toEqual([201, null])
  })

  test('Q46: an agent opens nothing for somebody who is named for emergencies', async () => {
    const named = (person: Person) => ({ type: 'user', id: person.id })
    const emergency = { people: [named(who.ivy)], reviewers: [named(who.finn)] }
    ok(await world.api('PATCH', `/request-rules/${world.rule}`, { emergency }, ANY))
    const requested_access = { reason: 'Everything is on fire', emergency: true }
    const asked = question(who.ivy, 'book-9')
    const denied = { binding_token: await refused(who.ivy, 'book-9') }
    const { status, body } = await submit({ ...asked, requested_access, denial: denied })
    expect([status, body.task.status]).toEqual([202, 'pending'])
  })
})
