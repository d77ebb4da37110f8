import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, caller, machineToken } from '../../support/api'
import { ask, askToken } from '../../support/ask'
import { type OpenPortal, openPortal } from '../../support/in-process'

/** Conditions and what they read have a size, and an evaluation has an end, at every door. */

const ALICE = 'usr_demo_alice'
const NESTED = 'request.context.l.all(x, request.context.l.all(y, x + y > -1))'
const OF_RESOURCE = NESTED.replaceAll('request.context', 'resource.properties')
const ONES = (count: number) => Array.from({ length: count }, () => 1)
/** As much as a context may hold: 65 536 rounds. */
const FULL = { l: ONES(256) }
const TOO_LARGE = { l: ONES(257) }
const ITEMS = Array.from({ length: 60 }, (_, at) => `slow:s${at}`)

let portal: OpenPortal
let api: Call
let machine: { id: string; secret: string }

beforeAll(async () => {
  portal = await openPortal()
  api = caller(portal, await machineToken(portal))
  await api('POST', '/spaces', { key: 'bounds', name: 'Bounds' })
  const model = {
    resources: [
      {
        prefix: 'slow',
        audience: 'https://slow.example.com',
        name: 'Slow',
        permissions: ITEMS.map((key) => ({ key })),
      },
    ],
    roles: [
      { key: 'slow', name: 'Slow', permissions: grants('slow:*', [NESTED, OF_RESOURCE]) },
      { key: 'free', name: 'Free', permissions: [{ pattern: 'slow:*' }] },
      {
        key: 'denied',
        name: 'Denied',
        permissions: [{ pattern: 'slow:*', effect: 'deny', condition: NESTED }],
      },
      { key: 'empty', name: 'Empty' },
    ],
  }
  const made = await api('PUT', '/spaces/bounds/model', model, { 'if-match': '*' })
  expect(made.status).toBe(200)
  const role = await api('GET', '/spaces/bounds/roles/slow')
  expect((await api('PUT', `/users/${ALICE}/roles/${role.json.id}`)).status).toBe(204)
  const app = await api('POST', '/applications', { kind: 'machine', name: 'Slow machine' })
  machine = { id: app.json.id, secret: app.json.secret }
  const given = await api(
    'PUT',
    `/applications/${machine.id}/grants`,
    { grants: grants('slow:*', [NESTED, OF_RESOURCE]) },
    { 'if-match': '*' },
  )
  expect(given.status).toBe(200)
})
afterAll(() => portal.stop())

function grants(pattern: string, conditions: string[]) {
  return conditions.map((condition) => ({ pattern, condition }))
}

const impactOf = (properties: object) =>
  api('POST', '/spaces/bounds/impact', {
    change: {
      kind: 'role_permissions',
      role: 'empty',
      permissions: [{ pattern: 'slow:s1', condition: NESTED }],
    },
    context: { properties },
  })

const decide = (properties: object, scope = 'slow:s1') =>
  api('POST', '/scopes/decide', { client: machine.id, scope, context: { properties } })

const authzen = async (path: string, body: object) => {
  const token = await machineToken(portal, 'permissions:check')
  return ask(portal.origin, {
    method: 'POST',
    path: `/access/v1/${path}`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
}

describe('Q6: two nested macros over a list in the context', () => {
  test('Q6: impact refuses the 2 000 ones, and answers 256 of them', async () => {
    const refused = await impactOf({ l: ONES(2_000) })
    expect(refused.status).toBe(400)
    expect(refused.json.errors).toMatchObject([
      { pointer: '/context/properties/l', detail: 'Use at most 256 entries.' },
    ])
    expect((await impactOf(FULL)).status).toBe(200)
  })

  test('Q6: /scopes/decide refuses the 6 000 ones, and refuses the scope over 256 of them', async () => {
    expect((await decide({ l: ONES(6_000) })).status).toBe(400)
    const { status, json } = await decide(FULL)
    expect([status, json.outcome]).toEqual([200, 'invalid_scope'])
    expect(json.decisions).toMatchObject([
      { scope: 'slow:s1', granted: false, code: 'condition_too_costly' },
    ])
    expect((await decide({ l: ONES(10) })).json.outcome).toBe('granted')
  })

  test('Q6: others are answered while sixty scopes are decided at their budget', async () => {
    let answered = false
    const deciding = decide(FULL, ITEMS.join(' ')).then((answer) => {
      answered = true
      return answer
    })
    let meanwhile = 0
    while (!answered) {
      // As a server does: a request is read in a turn of the event loop of its own.
      await new Promise((resolve) => setImmediate(resolve))
      expect((await ask(portal.origin, { path: '/healthz' })).status).toBe(200)
      if (!answered) meanwhile += 1
    }
    const { json } = await deciding
    expect(json.decisions.map(({ code }: { code: string }) => code)).toEqual(
      ITEMS.map(() => 'condition_too_costly'),
    )
    expect(meanwhile).toBeGreaterThan(3)
  })
})

describe('a condition over its budget', () => {
  test('says so in an explanation, and what would help', async () => {
    const { json } = await api('POST', '/permissions/explain', {
      user: ALICE,
      permission: 'slow:s1',
      context: { properties: FULL },
    })
    expect(json).toMatchObject({ allowed: false, code: 'condition_too_costly' })
    expect(json.nearMisses).toContainEqual(
      expect.objectContaining({ outcome: 'condition_too_costly', condition: NESTED }),
    )
    expect(json.wouldChange[0].oneOf).toContainEqual([
      { do: 'simplify_condition', id: expect.any(String), condition: NESTED },
    ])
  })

  test('denies where it belongs to a deny', async () => {
    const asked = { user: 'usr_demo_bob', permission: 'slow:s1', context: { properties: FULL } }
    const allowed = async () => (await api('POST', '/permissions/check', asked)).json.allowed
    const roleId = async (key: string) => (await api('GET', `/spaces/bounds/roles/${key}`)).json.id
    await api('PUT', `/users/usr_demo_bob/roles/${await roleId('free')}`)
    expect(await allowed()).toBe(true)
    await api('PUT', `/users/usr_demo_bob/roles/${await roleId('denied')}`)
    expect(await allowed()).toBe(false)
  })

  test('is a no of AuthZEN, alone, in numbers and in a search', async () => {
    const asked = {
      subject: { type: 'user', id: ALICE },
      action: { name: 's1' },
      resource: { type: 'slow', id: '1', properties: FULL },
      context: FULL,
    }
    const denied =
      '{"decision":false,"context":{"reason":"condition_too_costly","next_action":"none"}}'
    expect(await authzen('evaluation', asked)).toMatchObject({ status: 200, body: denied })
    const { resource, ...shared } = asked
    const all = await authzen('evaluations', {
      ...shared,
      evaluations: Array.from({ length: 50 }, () => ({ resource })),
    })
    expect(new Set(JSON.parse(all.body).evaluations.map(JSON.stringify))).toEqual(new Set([denied]))
    const found = await authzen('search/subject', { ...asked, subject: { type: 'user' } })
    expect(found.status).toBe(200)
    expect(found.body).not.toContain(ALICE)
  })

  test('is a reason of its own at the token endpoint', async () => {
    const letters =
      '[1,2,3,4,5,6,7,8,9,10].all(x, request.user_agent.split("").size() > 0 || x > 99)'
    const { status } = await api(
      'PUT',
      `/applications/${machine.id}/grants`,
      { grants: [{ pattern: 'slow:s2', condition: letters }, ...grants('slow:*', [NESTED])] },
      { 'if-match': '*' },
    )
    expect(status).toBe(200)
    const request = {
      grant_type: 'client_credentials',
      client_id: machine.id,
      client_secret: machine.secret,
      scope: 'slow:s2',
    }
    const asked = (agent: string) => askToken(portal.origin, request, { 'user-agent': agent })
    expect((await asked('short')).status).toBe(200)
    const refused = await asked('x'.repeat(6_000))
    expect(refused.status).toBe(400)
    expect(JSON.parse(refused.body)).toMatchObject({
      error: 'invalid_scope',
      scope_rejected_reasons: [
        { scope: 'slow:s2', code: 'condition_too_costly', next_action: 'none' },
      ],
    })
  })

  test('is not saved where it would be over it in every context', async () => {
    const hundred = `[${Array.from({ length: 100 }, (_, at) => at).join(',')}]`
    const condition = `${hundred}.all(x, ${hundred}.all(y, x + y > 1))`
    const body = { permissions: [{ pattern: 'slow:s1' }, { pattern: 'slow:s1', condition }] }
    const { status, json } = await api(
      'PUT',
      '/spaces/bounds/roles/empty/permissions',
      { permissions: body.permissions },
      { 'if-match': '*' },
    )
    expect(status).toBe(400)
    expect(JSON.stringify(json.errors)).toContain('/permissions/1')
    const checked = await api('POST', '/conditions/check', { condition })
    expect(checked.json).toMatchObject({
      valid: false,
      mistake: {
        detail: 'This part takes more than 20000 steps. Make it simpler.',
        position: { start: 0 },
      },
    })
  })
})

describe('a condition on a field that cannot exist', () => {
  const condition = 'auth.age < 300.0 && request.useragent == "robot"'
  const detail = 'request.useragent does not exist. Use request.user_agent.'
  const code = 'condition_member'
  const values = { name: 'request.useragent', instead: 'request.user_agent', at: '21' }

  test.each<[string, string, object, string]>([
    [
      'of a role',
      '/spaces/bounds/roles/empty/permissions',
      { permissions: [{ pattern: 'slow:s1' }, { pattern: 'slow:s2', condition }] },
      '/permissions/1/condition',
    ],
    [
      'of a model',
      '/spaces/bounds/model',
      { roles: [{ key: 'a', name: 'A', permissions: [{ pattern: 'slow:s2', condition }] }] },
      '/roles/0/permissions/0/condition',
    ],
    [
      'of an application',
      '/applications/app_demo_machine/grants',
      { grants: [{ pattern: 'slow:s2', condition }] },
      '/grants/0/condition',
    ],
  ])('%s is refused at its field, with a suggestion', async (_what, path, body, pointer) => {
    const { status, json } = await api('PUT', path, body, { 'if-match': '*' })
    expect([status, json.errors]).toEqual([400, [{ pointer, code, detail, values }]])
  })

  test('is said while it is typed', async () => {
    const { json } = await api('POST', '/conditions/check', { condition })
    expect(json).toEqual({
      valid: false,
      mistake: {
        code,
        detail,
        values,
        position: { start: 20, end: 37 },
      },
    })
    const open = { condition: 'user.anything == request.context.anything' }
    expect((await api('POST', '/conditions/check', open)).json.valid).toBe(true)
  })
})

describe('a context that is too large is 400, with its place', () => {
  const question = { user: ALICE, permission: 'slow:s1' }
  const [context, resource] = [
    { properties: TOO_LARGE },
    { id: '1', properties: { deep: TOO_LARGE } },
  ]

  test.each<[string, string, object, string]>([
    ['POST', '/permissions/check', { ...question, context }, '/context/properties/l'],
    ['POST', '/permissions/check', { ...question, resource }, '/resource/properties/deep/l'],
    [
      'POST',
      '/permissions/check:batch',
      { checks: [question, { ...question, context }] },
      '/checks/1/context/properties/l',
    ],
    ['POST', '/permissions/explain', { ...question, context }, '/context/properties/l'],
    ['POST', '/scopes/decide', { scope: 'slow:s1', context }, '/context/properties/l'],
    [
      'POST',
      '/spaces/bounds/impact',
      { change: { kind: 'delete_role', role: 'empty' }, context },
      '/context/properties/l',
    ],
    [
      'PUT',
      '/spaces/bounds/assertions',
      { assertions: [{ question: { ...question, resource }, expected: true }] },
      '/assertions/0/question/resource/properties/deep/l',
    ],
    ['POST', '/users', { name: 'Max', attributes: TOO_LARGE }, '/attributes/l'],
    ['PATCH', `/users/${ALICE}`, { attributes: TOO_LARGE }, '/attributes/l'],
  ])('%s %s', async (method, path, body, pointer) => {
    const { status, json } = await api(method, path, body, { 'if-match': '*' })
    expect(status).toBe(400)
    expect(json.errors).toContainEqual(
      expect.objectContaining({ pointer, detail: 'Use at most 256 entries.' }),
    )
  })

  const asked = {
    subject: { type: 'user', id: ALICE },
    action: { name: 's1' },
    resource: { type: 'slow', id: '1' },
  }
  test.each([
    ['evaluation', { ...asked, context: TOO_LARGE }, 'context.l'],
    ['evaluations', { ...asked, context: TOO_LARGE, evaluations: [{}] }, 'context.l'],
    ['search/subject', { ...asked, context: TOO_LARGE }, 'context.l'],
    [
      'search/resource',
      { ...asked, resource: { type: 'slow', properties: TOO_LARGE } },
      'resource.properties.l',
    ],
    [
      'search/action',
      { ...asked, subject: { ...asked.subject, properties: TOO_LARGE } },
      'subject.properties.l',
    ],
    [
      'evaluation',
      { ...asked, action: { name: 's1', properties: TOO_LARGE } },
      'action.properties.l',
    ],
  ])('AuthZEN %s', async (path, body, place) => {
    const { status, body: told } = await authzen(path, body)
    expect([status, told]).toEqual([400, `${place}: Use at most 256 entries.`])
  })

  test.each<[string, object, string, string]>([
    ['a text', { t: 'x'.repeat(4_097) }, '/t', 'Use at most 4096 characters.'],
    [
      'a depth',
      { a: { b: { c: { d: { e: { f: {} } } } } } },
      '/a/b/c/d/e/f',
      'Nest values at most 6 levels deep.',
    ],
    ['all of it', { a: Array(5).fill('x'.repeat(4_000)) }, '', 'Use at most 16 KiB in total.'],
  ])('%s', async (_what, properties, at, detail) => {
    const { status, json } = await decide(properties)
    expect(status).toBe(400)
    expect(json.errors).toMatchObject([{ pointer: `/context/properties${at}`, detail }])
  })
})
