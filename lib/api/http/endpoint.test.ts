import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { usually } from '../../../e2e/support/databases'
import { freshConfig } from '../../../e2e/support/fresh-config'
import { problemIn } from '../../../e2e/support/problem-in'
import { incoming } from '../../../e2e/support/protocol'
import { BodyTooLarge, ClientGone, type Incoming, type Reply } from '../../base/http'
import { createOp, type OpenOp } from '../../op'
import { type Caller, OPERATOR } from './caller'
import { apiOf, parseJson, readJsonText, wantsLatest } from './endpoint'
import { type AnyOperation, operation } from './operation'
import { Problem } from './problem'

/** From a request to an operation and back, with operations that are made for it. */

const JSON_TYPE = { 'content-type': 'application/json' }
const bytes = (text: string | Uint8Array) =>
  typeof text === 'string' ? new TextEncoder().encode(text) : text

function sent(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body: string | Uint8Array = '',
): Incoming {
  const common = incoming(headers)
  return { ...common, method, url: `/api/v1${path}`, body: async () => bytes(body) }
}

const shape = { scope: 'public', summary: 'Of this test', answers: { 200: z.object({}) } } as const
const notes: string[] = []

const OPERATIONS = [
  operation({
    ...shape,
    id: 'readThing',
    method: 'GET',
    path: '/things/{thing}',
    query: z.strictObject({ q: z.string().optional() }),
    answers: { 200: z.object({ thing: z.string() }) },
    handle: async (_op, { params }) => ({ status: 200, body: { thing: params.thing }, version: 3 }),
  }),
  operation({
    ...shape,
    id: 'writeThing',
    method: 'POST',
    path: '/things/{thing}',
    body: z.strictObject({ note: z.string() }),
    answers: { 201: z.object({ at: z.number() }) },
    async handle(_op, { body }) {
      if (body.note === 'full') throw new Problem('too_large', 'no room')
      if (body.note === 'broken') throw new Error('the password of the database is hunter2')
      notes.push(body.note)
      return { status: 201, body: { at: notes.length }, headers: { Location: '/things/1' } }
    },
  }),
  operation({
    ...shape,
    id: 'removeThing',
    method: 'DELETE',
    path: '/things/{thing}',
    answers: { 204: null },
    handle: async () => ({ status: 204 }),
  }),
  operation({
    ...shape,
    id: 'exportThings',
    method: 'GET',
    path: '/things:export',
    media: ['text/csv'],
    answers: { 200: z.string() },
    handle: async () => ({ status: 200, file: { type: 'text/csv', name: 'a.csv', text: 'a\r\n' } }),
  }),
  operation({
    ...shape,
    id: 'readOwn',
    method: 'GET',
    path: '/own',
    scope: 'users:read',
    handle: async () => ({ status: 200, body: {} }),
  }),
] as unknown as readonly AnyOperation[]

describe.each(usually('sqlite'))('a request to the API, on %s', (kind) => {
  let op: OpenOp
  const { answer } = apiOf(OPERATIONS)
  const asked = (...request: Parameters<typeof sent>) => answer(op, sent(...request))
  const codeOf = ({ body }: Reply) => JSON.parse(body).code

  beforeAll(async () => {
    op = await createOp(await freshConfig(kind))
  })
  afterAll(() => op.close())

  test('is answered with the version of the object and of the policy, and stored by nobody', async () => {
    const { status, headers, body } = await asked('GET', '/things/a%20b?q=1')
    expect([status, JSON.parse(body)]).toEqual([200, { thing: 'a b' }])
    expect(headers).toMatchObject({ ETag: '"3"', 'Cache-Control': 'no-store' })
    expect(headers['X-Policy-Version']).toMatch(/^\d+$/)
  })

  test('for the head of something gets what its GET gets', async () => {
    expect((await asked('HEAD', '/things/a')).status).toBe(200)
  })

  test('for a file gets it with its type and its name', async () => {
    const { headers, body } = await asked('GET', '/things:export')
    expect(body).toBe('a\r\n')
    expect(headers).toMatchObject({
      'Content-Type': 'text/csv',
      'Content-Disposition': 'attachment; filename="a.csv"',
    })
  })

  test('without an answer gets none', async () => {
    expect(await asked('DELETE', '/things/a')).toMatchObject({ status: 204, body: '' })
  })

  test('to no path is 404; with another method 405, which names all that there are', async () => {
    const lost = await asked('GET', '/nothing')
    expect([lost.status, codeOf(lost)]).toEqual([404, 'not_found'])
    const wrong = await asked('PUT', '/things/a', JSON_TYPE, '{}')
    expect([wrong.status, codeOf(wrong)]).toEqual([405, 'method_not_allowed'])
    expect(wrong.headers.Allow?.split(', ').sort()).toEqual([
      'DELETE',
      'GET',
      'HEAD',
      'OPTIONS',
      'POST',
    ])
    const options = await asked('OPTIONS', '/things:export')
    expect([options.status, options.headers.Allow]).toEqual([204, 'GET, HEAD, OPTIONS'])
    expect((await asked('OPTIONS', '/nothing')).status).toBe(404)
  })

  test('with a parameter twice, or one that nothing can hold, is 400', async () => {
    for (const query of ['q=1&q=2', 'q=%00', 'q=1&%00=2']) {
      const { status, body } = await asked('GET', `/things/a?${query}`)
      expect([query, status, JSON.parse(body).code]).toEqual([query, 400, 'malformed'])
    }
  })

  test('with an endless URL is 414', async () => {
    const { status } = await asked('GET', `/things/a?q=${'x'.repeat(9_000)}`)
    expect(status).toBe(414)
  })

  test('of nobody is 401 where a scope is needed, and tells how to get a token', async () => {
    const { status, headers } = await asked('GET', '/own')
    expect(status).toBe(401)
    expect(headers['WWW-Authenticate']).toMatch(/^Bearer realm="[^"]+", resource_metadata="/)
    const as = (caller: Caller) => answer(op, sent('GET', '/own'), async () => caller)
    expect((await as(OPERATOR)).status).toBe(200)
    expect((await as({ ...OPERATOR, scopes: new Set() })).status).toBe(403)
  })

  test('that breaks something is 500, and says nothing of what broke', async () => {
    const { status, body } = await asked('POST', '/things/a', JSON_TYPE, '{"note":"broken"}')
    expect([status, codeOf({ status, headers: {}, body })]).toEqual([500, 'fault'])
    expect(body).not.toContain('hunter2')
  })

  test('whose sender has gone is no fault', async () => {
    const gone = sent('POST', '/things/a', JSON_TYPE)
    const body = async () => {
      throw new ClientGone()
    }
    expect(await answer(op, { ...gone, body })).toMatchObject({ status: 499, body: '' })
  })

  test('with an Idempotency-Key is performed once, and its refusal is repeated like an answer', async () => {
    const post = (note: string, key: string) =>
      asked('POST', '/things/a', { ...JSON_TYPE, 'idempotency-key': key }, JSON.stringify({ note }))
    const count = notes.length
    const [first, second] = [await post('one', 'k1'), await post('one', 'k1')]
    expect(notes.length).toBe(count + 1)
    expect([second.status, second.body]).toEqual([201, first.body])
    expect(second.headers).toMatchObject({ Location: '/things/1', 'Idempotency-Replayed': 'true' })
    expect(codeOf(await post('other', 'k1'))).toBe('key_reused')
    const [full, again] = [await post('full', 'k2'), await post('full', 'k2')]
    expect([full.status, again.status, codeOf(again)]).toEqual([413, 413, 'too_large'])
    expect(again.headers['Idempotency-Replayed']).toBe('true')
  })

  test.each(['', '   ', 'k'.repeat(256)])('has no key like %j', async (key) => {
    const headers = { ...JSON_TYPE, 'idempotency-key': key }
    expect(codeOf(await asked('POST', '/things/a', headers, '{"note":"x"}'))).toBe('malformed')
    expect(notes).not.toContain('x')
  })
})

describe('a body', () => {
  const read = (headers: Record<string, string>, body: string | Uint8Array) =>
    problemIn(() => readJsonText(sent('POST', '/x', headers, body)))

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json ;charset="utf-8"',
  ])('may be %s', async (type) => {
    expect(await read({ 'content-type': type }, '{}')).toBe('not refused')
  })

  test.each([
    '',
    'text/plain',
    'application/jsonp',
    'text/plain, application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; type="application/json"',
  ])('is not %j, which another site could send without asking', async (type) => {
    expect(await read({ 'content-type': type }, '{}')).toMatch(/^unsupported_media_type /)
  })

  test('is UTF-8, and nothing is guessed', async () => {
    expect(await read(JSON_TYPE, Uint8Array.of(0x22, 0xff, 0x22))).toBe(
      'malformed the body is not UTF-8',
    )
  })

  test('that is too long is refused with the limit, and the connection is closed', async () => {
    const long = async () => {
      throw new BodyTooLarge()
    }
    const step = () => readJsonText({ ...sent('POST', '/x', JSON_TYPE), body: long }, 64 * 1024)
    expect(await problemIn(step)).toBe('too_large the body may have at most 64 KiB')
    await expect(step()).rejects.toMatchObject({ options: { headers: { Connection: 'close' } } })
  })

  test.each(['', '{', '{"a":1}}', "{'a':1}", '{"a":NaN}', '[1,]', 'undefined'])(
    'is not JSON: %j',
    async (text) => {
      expect(await problemIn(() => parseJson(text))).toBe('malformed the body is not JSON')
    },
  )

  test('is any JSON', () => {
    expect(['null', '7', '"a"', '[]'].map(parseJson)).toEqual([null, 7, 'a', []])
  })
})

test('Consistency has one value; any other is refused, and not read as this one', async () => {
  expect(wantsLatest(incoming())).toBe(false)
  expect(wantsLatest(incoming({ consistency: 'higher' }))).toBe(true)
  for (const consistency of ['', 'lower', 'Higher', 'higher, higher']) {
    expect(await problemIn(() => wantsLatest(incoming({ consistency })))).toBe(
      'invalid /headers/Consistency exactly',
    )
  }
})
