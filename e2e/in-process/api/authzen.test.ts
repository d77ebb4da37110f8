import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, caller, machineToken } from '../../support/api'
import { type Answer, ask } from '../../support/ask'
import { usually } from '../../support/databases'
import { type OpenPortal, openPortal } from '../../support/in-process'

/**
 * OpenID AuthZEN Authorization API 1.0: the certification scenario's fixture, its eight decisions
 * and six search facts, and the modules of the single-evaluation plan, by name.
 */

const user = (id: string, properties?: object) => ({
  type: 'user',
  id,
  ...(properties && { properties }),
})
const record = (id: string, properties?: object) => ({
  type: 'record',
  id,
  ...(properties && { properties }),
})
const act = (name: string, properties?: object) => ({ name, ...(properties && { properties }) })
const ARCHIVED = record('record-2', { status: 'archived' })
const ADMIN = user('bob', { role: 'admin' })

const GOOD = { subject: user('alice'), action: act('read'), resource: record('record-1') }

describe.each(usually('sqlite'))('AuthZEN on %s', (kind) => {
  let portal: OpenPortal
  let token: string

  beforeAll(async () => {
    portal = await openPortal({ kind })
    await fixture(caller(portal, await machineToken(portal)))
    token = await machineToken(portal, 'permissions:check')
  })
  afterAll(() => portal.stop())

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    ask(portal.origin, {
      method: 'POST',
      path: `/access/v1/${path}`,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const evaluate = (body: unknown, headers = {}) => post('evaluation', body, headers)
  const json = (answer: Answer) => {
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json'])
    return JSON.parse(answer.body)
  }
  const decision = async (body: unknown) => json(await evaluate(body)).decision

  describe('the eight decisions', () => {
    test.each<[number, boolean, object]>([
      [1, true, GOOD],
      [2, true, { ...GOOD, action: act('write') }],
      [3, true, { ...GOOD, subject: user('bob') }],
      [4, false, { ...GOOD, subject: user('bob'), action: act('write') }],
      [5, false, { subject: user('alice'), action: act('write'), resource: ARCHIVED }],
      [6, true, { subject: ADMIN, action: act('write'), resource: ARCHIVED }],
      [7, true, { ...GOOD, action: act('delete', { soft: true }) }],
      [8, false, { ...GOOD, action: act('delete', { soft: false }) }],
    ])('rule %i: %s', async (_rule, expected, request) => {
      expect(await decision(request)).toBe(expected)
      const context = { time: '2025-06-27T18:03-07:00', ip: '192.168.1.1' }
      expect(await decision({ ...request, context })).toBe(expected)
    })
  })

  test('a denial says why; what a caller sends never replaces what is stored', async () => {
    const context = async (body: unknown) => json(await evaluate(body)).context
    expect(await context(GOOD)).toBeUndefined()
    const bobWrites = { ...GOOD, subject: user('bob'), action: act('write') }
    expect(await context(bobWrites)).toEqual({ reason: 'not_permitted', next_action: 'none' })
    expect(await context({ ...GOOD, subject: user('nobody') })).toEqual({ reason: 'unknown_user' })
    const ship = { type: 'spaceship', id: '1' }
    expect(await context({ ...GOOD, subject: ship })).toEqual({ reason: 'unknown_subject_type' })
    expect(await context({ ...GOOD, action: act('fly') })).toEqual({
      reason: 'unknown_permission',
      next_action: 'none',
    })
    const late = { subject: user('alice'), action: act('write'), resource: ARCHIVED }
    expect(await context(late)).toEqual({ reason: 'condition_failed', next_action: 'none' })
    // Bob is an admin here, whatever the caller says about him.
    const lesser = user('bob', { role: 'guest' })
    expect(await decision({ subject: lesser, action: act('write'), resource: ARCHIVED })).toBe(true)
  })

  describe('the six search facts', () => {
    const ids = async (path: string, body: object) =>
      json(await post(`search/${path}`, body)).results.map(
        (result: { id?: string; name?: string }) => result.id ?? result.name,
      )

    test.each<[number, string, object, string[]]>([
      [1, 'subject', { ...GOOD, subject: { type: 'user' } }, ['alice', 'bob']],
      [2, 'resource', { ...GOOD, resource: { type: 'record' } }, ['record-1']],
      [3, 'action', { subject: user('alice'), resource: record('record-1') }, ['read', 'write']],
      [
        4,
        'subject',
        { subject: { type: 'user' }, action: act('write'), resource: ARCHIVED },
        ['bob'],
      ],
      [
        5,
        'resource',
        { subject: ADMIN, action: act('write'), resource: { type: 'record' } },
        ['record-2'],
      ],
      [6, 'action', { subject: ADMIN, resource: ARCHIVED }, ['write']],
    ])('fact %i', async (_fact, path, body, expected) => {
      expect(await ids(path, body)).toEqual(expect.arrayContaining(expected))
    })

    test('pages; nothing found; what is missing', async () => {
      const asked = { ...GOOD, subject: { type: 'user' } }
      const first = json(await post('search/subject', { ...asked, page: { limit: 1 } }))
      const second = { ...asked, page: { token: first.page.next_token } }
      const rest = json(await post('search/subject', second))
      expect(Object.keys(rest)).toEqual(['page', 'results'])
      expect(rest.page).toEqual({ next_token: '', count: 1 })
      const found = [...first.results, ...rest.results].map(({ type, id }) => `${type} ${id}`)
      expect(found.sort()).toEqual(['user alice', 'user bob'])
      expect(
        json(await post('search/subject', { ...asked, subject: { type: 'spaceship' } })).results,
      ).toEqual([])
      const nobody = { subject: user('nonexistent-user'), resource: record('record-1') }
      expect(json(await post('search/action', nobody)).results).toEqual([])
      for (const [path, body] of [
        ['subject', { subject: { type: 'user' }, resource: record('record-1') }],
        ['subject', { ...asked, resource: { type: 'record' } }],
        ['resource', { action: act('read'), resource: { type: 'record' } }],
        ['resource', { ...GOOD, subject: { type: 'user' }, resource: { type: 'record' } }],
        ['action', { subject: user('alice') }],
      ] as const) {
        expect((await post(`search/${path}`, body)).status).toBe(400)
      }
    })
  })

  describe('authzen-pdp-evaluation-test-plan', () => {
    const strange = { foo: 'bar', futureField: { nested: true } }
    test.each<[string, object, boolean]>([
      ['FixtureRequestPermitDecision', GOOD, true],
      [
        'FixtureRequestDenyDecision',
        { ...GOOD, subject: user('bob'), action: act('write') },
        false,
      ],
      ['RequestWithOptionalContext', { ...GOOD, context: { ip: '192.168.1.1' } }, true],
      [
        'RequestWithAdditionalProperties',
        {
          subject: user('alice', { department: 'Sales', role: 'manager' }),
          action: act('read', { method: 'GET' }),
          resource: record('record-1', { status: 'active', owner: 'bob' }),
        },
        true,
      ],
      ['RequestWithUnknownFields', { ...GOOD, ...strange }, true],
      [
        'FixtureRequestDenyBasedOnProperties',
        { subject: user('alice'), action: act('write'), resource: ARCHIVED },
        false,
      ],
      [
        'FixtureRequestPermitBasedOnSubjectProperties',
        { subject: ADMIN, action: act('write'), resource: ARCHIVED },
        true,
      ],
      [
        'FixtureRequestPermitBasedOnActionProperties',
        { ...GOOD, action: act('delete', { soft: true }) },
        true,
      ],
      [
        'FixtureRequestDenyBasedOnActionProperties',
        { ...GOOD, action: act('delete', { soft: false }) },
        false,
      ],
      ['UnknownTopLevelFields', { ...GOOD, ...strange }, true],
      ['UnknownSubjectFields', { ...GOOD, subject: { ...GOOD.subject, ...strange } }, true],
      ['UnknownResourceFields', { ...GOOD, resource: { ...GOOD.resource, ...strange } }, true],
      ['UnknownActionFields', { ...GOOD, action: { ...GOOD.action, ...strange } }, true],
    ])('%s', async (_module, request, expected) => {
      expect(await decision(request)).toBe(expected)
    })

    const without = (name: keyof typeof GOOD, member?: string) => {
      const request: Record<string, Record<string, unknown>> = structuredClone(GOOD)
      if (member) delete request[name]?.[member]
      else delete request[name]
      return request
    }
    test.each<[string, unknown]>([
      ['MissingSubject', without('subject')],
      ['MissingAction', without('action')],
      ['MissingResource', without('resource')],
      ['SubjectMissingType', without('subject', 'type')],
      ['SubjectMissingId', without('subject', 'id')],
      ['ActionMissingName', without('action', 'name')],
      ['ResourceMissingType', without('resource', 'type')],
      ['ResourceMissingId', without('resource', 'id')],
      ['SubjectIsString', { ...GOOD, subject: 'alice' }],
      ['ActionNameIsNumber', { ...GOOD, action: { name: 123 } }],
      ['RejectTopLevelArray', [GOOD]],
      ['RejectMalformedJson', '{"subject":'],
      ['RejectEmptyBody', ''],
    ])('%s is 400', async (_module, request) => {
      const answer = await evaluate(request)
      expect(answer.status).toBe(400)
      expect(answer.headers['content-type']).toMatch(/^text\/plain/)
    })

    test('RejectNonJsonContentType, AcceptContentTypeWithCharset', async () => {
      const text = await evaluate(GOOD, { 'content-type': 'text/plain' })
      expect(text.status).toBe(400)
      const charset = { 'content-type': 'application/json; charset=utf-8' }
      expect(json(await evaluate(GOOD, charset)).decision).toBe(true)
    })

    test('RejectGetMethod, RejectPutMethod', async () => {
      for (const method of ['GET', 'PUT']) {
        const answer = await ask(portal.origin, {
          method,
          path: '/access/v1/evaluation',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(method === 'PUT' && { body: JSON.stringify(GOOD) }),
        })
        expect(answer.status).toBe(405)
      }
    })

    test('XRequestIdEchoed, Idempotency', async () => {
      const answer = await evaluate(GOOD, { 'x-request-id': 'my-request-1' })
      expect(answer.headers['x-request-id']).toBe('my-request-1')
      const many = await Promise.all(Array.from({ length: 5 }, () => decision(GOOD)))
      expect(new Set(many)).toEqual(new Set([true]))
    })

    test('MissingCredentialsReturns401, and invalid ones', async () => {
      for (const headers of [{ authorization: '' }, { authorization: 'Bearer nonsense' }]) {
        const answer = await evaluate(GOOD, headers)
        expect(answer.status).toBe(401)
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer /)
      }
    })
  })

  describe('evaluations', () => {
    const answers = async (body: object) =>
      json(await post('evaluations', body)).evaluations.map(
        (one: { decision: boolean }) => one.decision,
      )

    test('defaults, order, properties, and what is filled in', async () => {
      const bob = { subject: user('bob'), resource: record('record-1') }
      const both = [{ action: act('read') }, { action: act('write') }]
      expect(await answers({ ...bob, evaluations: both })).toEqual([true, false])
      expect(
        await answers({
          action: act('write'),
          resource: ARCHIVED,
          evaluations: [{ subject: user('alice') }, { subject: ADMIN }],
        }),
      ).toEqual([false, true])
      expect(
        await answers({
          subject: user('alice'),
          action: act('write'),
          resource: { type: 'record' },
          evaluations: [
            { resource: { id: 'record-1', properties: { status: 'active' } } },
            { resource: ARCHIVED },
          ],
        }),
      ).toEqual([true, false])
    })

    test('one that is incomplete is refused, the others are answered', async () => {
      const { resource, ...defaults } = GOOD
      expect(await answers({ ...defaults, evaluations: [{ resource }, {}] })).toEqual([true, false])
    })

    test('without the list, or with an empty one: a single evaluation', async () => {
      expect(json(await post('evaluations', GOOD))).toEqual({ decision: true })
      expect(json(await post('evaluations', { ...GOOD, evaluations: [] }))).toEqual({
        decision: true,
      })
    })

    test('the semantics stop where they say', async () => {
      const bob = { subject: user('bob'), resource: record('record-1') }
      const three = ['read', 'write', 'read'].map((name) => ({ action: act(name) }))
      const ask = (evaluations_semantic: string) =>
        answers({ ...bob, evaluations: three, options: { evaluations_semantic } })
      expect(await ask('execute_all')).toEqual([true, false, true])
      expect(await ask('deny_on_first_deny')).toEqual([true, false])
      expect(await ask('permit_on_first_permit')).toEqual([true])
    })

    test('51 are too many', async () => {
      const evaluations = Array.from({ length: 51 }, () => ({ resource: record('record-1') }))
      expect((await post('evaluations', { ...GOOD, evaluations })).status).toBe(400)
    })
  })

  test('the metadata names every endpoint', async () => {
    const answer = await ask(portal.origin, { path: '/.well-known/authzen-configuration' })
    const at = (path: string) => `${portal.origin}/access/v1/${path}`
    expect(JSON.parse(answer.body)).toEqual({
      policy_decision_point: portal.origin,
      access_evaluation_endpoint: at('evaluation'),
      access_evaluations_endpoint: at('evaluations'),
      search_subject_endpoint: at('search/subject'),
      search_resource_endpoint: at('search/resource'),
      search_action_endpoint: at('search/action'),
      access_request_endpoint: at('request'),
      capabilities: ['urn:openid:authzen:capability:access-request'],
    })
  })
})

/** The fixture, made with the API: roles, conditions over properties, and single records. */
async function fixture(api: Call): Promise<void> {
  const create = async (fields: object) => (await api('POST', '/users', fields)).json.id
  const aliceId = await create({ username: 'alice' })
  const bobId = await create({ username: 'bob', attributes: { role: 'admin' } })
  await api('POST', '/spaces', { key: 'records', name: 'Records' })
  const alice = '!has(resource.properties) || resource.properties.status != "archived"'
  const admin = 'subject.properties.role == "admin"'
  const soft = 'action.properties.soft == true'
  await api(
    'PUT',
    '/spaces/records/model',
    {
      resources: [
        {
          prefix: 'record',
          audience: 'https://records.example.com',
          name: 'Records',
          permissions: ['read', 'write', 'delete'].map((name) => ({ key: `record:${name}` })),
        },
      ],
      roles: [
        { key: 'reader', name: 'Reader', permissions: [{ pattern: 'record:read' }] },
        {
          key: 'writer',
          name: 'Writer',
          parents: ['reader'],
          permissions: [
            { pattern: 'record:write', condition: alice },
            { pattern: 'record:delete', condition: soft },
          ],
        },
        {
          key: 'archivist',
          name: 'Archivist',
          permissions: [{ pattern: 'record:write', condition: admin }],
        },
      ],
    },
    { 'if-match': '*' },
  )
  const give = (role: string, id: string, instance?: string) => ({
    role,
    subject: { type: 'user', id },
    ...(instance && { instance }),
  })
  await api('POST', '/spaces/records/assignments:batch', {
    assignments: [
      give('writer', aliceId, 'record-1'),
      give('writer', aliceId, 'record-2'),
      give('reader', bobId),
      give('archivist', bobId, 'record-2'),
    ],
  })
}
