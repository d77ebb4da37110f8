import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { problemIn } from '../../../e2e/support/problem-in'
import { incoming, opOf } from '../../../e2e/support/protocol'
import type { Op } from '../../context/op'
import { type Caller, OPERATOR, userCaller } from './caller'
import { untypedClientFor } from './client'
import { type AnyOperation, operation } from './operation'
import { listQuery } from './page'
import { type AnyCall, perform } from './perform'

/** What reaches a handler is what the schemas of its operation have accepted. */

const snapshot = await opOf().snapshot()
const OP = {
  ...opOf(),
  latestSnapshot: async () => snapshot,
  settings: { known: () => ({ userAttributes: [], retiredAttributes: [] }) },
} as unknown as Op // a part of it, on purpose

let reached: AnyCall | null = null

const changing = operation({
  id: 'changeThing',
  method: 'POST',
  path: '/things/{thing}/parts/{part}',
  summary: 'Change a thing',
  scope: 'permissions:check',
  also: ['users:read'],
  query: z.strictObject({
    group: z.string().min(1).optional(),
    limit: z.coerce.number().optional(),
  }),
  body: z.strictObject({
    name: z.string().max(9),
    parts: z.array(z.strictObject({ key: z.string() })).default([]),
  }),
  answers: { 200: z.object({ done: z.boolean() }) },
  async handle(_op, call) {
    reached = call as AnyCall
    return { status: 200, body: { done: true }, version: 4 }
  },
})

const reading = operation({
  id: 'readThing',
  method: 'GET',
  path: '/things',
  summary: 'Read',
  scope: 'public',
  answers: { 200: z.object({}) },
  async handle(_op, call) {
    reached = call as AnyCall
    return { status: 200, body: {} }
  },
})

type Asked = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  caller?: Caller
}

async function told(one: { id: string }, asked: Asked = {}): Promise<string> {
  reached = null
  const usual = { params: {}, query: {}, body: { name: 'a' }, caller: OPERATOR }
  const rest = { ifMatch: null, latest: false, incoming: incoming() }
  return problemIn(() => perform(OP, one as AnyOperation, { ...usual, ...asked, ...rest }))
}

describe('a call', () => {
  test('comes with its defaults and types', async () => {
    expect(await told(changing, { query: { limit: '7' }, params: { thing: 'a' } })).toBe(
      'not refused',
    )
    expect(reached).toMatchObject({ query: { limit: 7 }, body: { name: 'a', parts: [] } })
  })

  test('needs every scope of its operation, before anything of it is read', async () => {
    const wrong = { query: { nothing: '1' }, body: 'no object' }
    const admin = userCaller('usr_1', 'admin')
    expect(await told(changing, { caller: admin })).toBe('not refused')
    const few: Caller = { ...admin, scopes: new Set(['permissions:check']) }
    expect(await told(changing, { ...wrong, caller: few })).toBe('forbidden scope_needed')
    expect(await told(reading, { caller: { ...admin, scopes: new Set() } })).toBe('not refused')
  })

  test.each(['', 'a\u0000', 'a\nb', '\u0085'])('has no name like %j', async (part) => {
    expect(await told(changing, { params: { thing: 'a', part } })).toBe('not_found no_name')
    expect(reached).toBeNull()
  })
})

describe('a query', () => {
  test('of a form has empty fields, which are none', async () => {
    expect(await told(changing, { query: { group: '', limit: '' } })).toBe('not refused')
    expect(reached?.query).toEqual({})
  })

  test('with a name that does not exist is refused, also if it is empty', async () => {
    for (const value of ['', 'x']) {
      expect(await told(changing, { query: { gruop: value } })).toBe(
        'invalid /query/gruop unrecognized_keys',
      )
    }
  })

  test('is refused by an operation that has none', async () => {
    expect(await told(reading, { query: { limit: '1' } })).toBe(
      'invalid /query/limit parameter_unknown',
    )
  })

  test('does not find a parameter in what every object has', async () => {
    expect(await told(changing, { query: { constructor: '' } })).toBe(
      'invalid /query/constructor unrecognized_keys',
    )
  })
})

describe('a body', () => {
  test('N6: with unknown members is refused, and each of them is named', async () => {
    const body = { name: 'a', isAdmin: true, passwordHash: 'x', parts: [{ key: 'k', id: 1 }] }
    expect((await told(changing, { body })).split(', ').sort()).toEqual([
      '/isAdmin unrecognized_keys',
      '/passwordHash unrecognized_keys',
      'invalid /parts/0/id unrecognized_keys',
    ])
  })

  test.each<[unknown, string]>([
    [undefined, 'invalid  required'],
    [null, 'invalid  required'],
    [[], 'invalid  object_needed'],
    ['name', 'invalid  object_needed'],
    [{}, 'invalid /name required'],
    [{ name: '' }, 'not refused'],
    [{ name: 7 }, 'invalid /name text_needed'],
    [{ name: { $ne: null } }, 'invalid /name text_needed'],
    [{ name: 'a'.repeat(10), parts: {} }, 'invalid /name too_long, /parts list_needed'],
  ])('%j: %s', async (body, said) => {
    expect(await told(changing, { body })).toBe(said)
  })

  test('is not read where the operation has none', async () => {
    expect(await told(reading, { body: { any: 'thing' } })).toBe('not refused')
    expect(reached?.body).toBeUndefined()
  })
})

describe('a call in process', () => {
  const call = untypedClientFor(OP, OPERATOR, incoming())
  const asked = (input: Parameters<typeof call>[1]) =>
    call(changing as unknown as AnyOperation, input)
  const params = { thing: 't', part: 'p' }

  test('returns the version as one sends it back', async () => {
    expect(await asked({ params, body: { name: 'a' } })).toEqual({
      body: { done: true },
      version: '"4"',
    })
  })

  test('leaves out what is undefined in the body, and what is empty in the query', async () => {
    const query = { group: undefined, limit: null }
    await asked({ params, body: { name: 'a', parts: undefined }, query, version: '' })
    expect(reached).toMatchObject({ body: { name: 'a', parts: [] }, query: {}, ifMatch: null })
    await asked({ params, body: { name: 'a' }, query: { limit: 0, group: 'g' }, version: '"3"' })
    expect(reached).toMatchObject({ query: { limit: 0, group: 'g' }, ifMatch: '"3"' })
  })

  test('does not hand on what no database can hold, wherever it stands', async () => {
    const wrong = [
      { params, body: { name: 'a\0' } },
      { params, body: { name: 'a' }, query: { group: '\ud800' } },
    ]
    for (const input of wrong) {
      reached = null
      expect(await problemIn(() => asked(input))).toMatch(/^malformed /)
      expect(reached).toBeNull()
    }
  })

  test('is held to the scopes of its caller', async () => {
    const nobody = untypedClientFor(OP, userCaller('usr_1', null), incoming())
    const anything = () => nobody(changing as unknown as AnyOperation, { params, body: {} })
    expect(await problemIn(anything)).toBe('forbidden scope_needed')
  })
})

test('a list takes the empty fields of its form', () => {
  const query = listQuery(['name'], { group: z.string().min(1).optional() })
  const list = operation({
    ...reading,
    id: 'listThings',
    query,
    answers: { 200: z.object({}) },
    handle: async () => ({ status: 200 }),
  })
  return expect(
    told(list, { query: { q: '', cursor: '', limit: '', sort: '', count: '', group: '' } }),
  ).resolves.toBe('not refused')
})
