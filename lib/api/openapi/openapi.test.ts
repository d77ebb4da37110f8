import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type AnyOperation, operation, tagged } from '../http/operation'
import { PROBLEMS } from '../http/problem'
import { openapi, parametersOf, problemsOf, toSchema } from './openapi'

/** The OpenAPI document of operations that are made for this test. */

const answers = { 200: z.object({ id: z.string() }), 204: null }
const handle = async () => ({ status: 204 }) as const
const common = { summary: 'Of this test', scope: 'users:write', answers, handle } as const

const list = operation({
  ...common,
  id: 'listParts',
  method: 'GET',
  path: '/users/{user}/parts',
  scope: 'users:read',
  query: z.strictObject({
    limit: z.coerce.number().int().max(9).default(3).describe('Page size'),
    kind: z.enum(['a', 'b']),
  }),
})
const create = operation({
  ...common,
  id: 'createPart',
  method: 'POST',
  path: '/parts',
  also: ['roles:write'],
  body: z.strictObject({ at: z.iso.datetime(), name: z.string().regex(/^(?!x)/) }),
  example: { at: '2030-01-01T00:00:00Z', name: 'a' },
})
const change = operation({ ...common, id: 'changePart', method: 'PATCH', path: '/parts/{part}' })
const put = operation({
  ...common,
  id: 'putPart',
  method: 'PUT',
  path: '/parts/{part}',
  versioned: 'sometimes',
})
const unlink = operation({
  ...common,
  id: 'unlinkPart',
  method: 'DELETE',
  path: '/parts/{part}/links/{user}',
  versioned: false,
})
const open = operation({ ...common, id: 'open', method: 'GET', path: '/open', scope: 'public' })

const namesOf = (one: unknown) =>
  parametersOf(one as AnyOperation).map(({ name, in: where, required }) =>
    required ? `${where} ${name}!` : `${where} ${name}`,
  )
const problemsIn = (one: unknown) => problemsOf(one as AnyOperation)

describe('the parameters of a call', () => {
  test('are those of its path, its query and what its method needs', () => {
    expect(namesOf(list)).toEqual([
      'path user!',
      'query limit',
      'query kind!',
      'header Consistency',
    ])
    expect(namesOf(create)).toEqual(['header Idempotency-Key', 'header Consistency'])
    expect(namesOf(change)).toEqual(['path part!', 'header If-Match!'])
    expect(namesOf(put)).toEqual(['path part!', 'header If-Match'])
    expect(namesOf(unlink)).toEqual(['path part!', 'path user!'])
    expect(namesOf(open)).toEqual([])
  })

  test('say what they are, once: not in the schema as well', () => {
    const [user, limit] = parametersOf(list as unknown as AnyOperation)
    expect(user?.description).toBe('ID or user name of a user')
    expect(limit).toMatchObject({ description: 'Page size', schema: { default: 3, maximum: 9 } })
    expect(limit?.schema).not.toHaveProperty('description')
  })
})

describe('the problems of a call', () => {
  test('are those that it can have: of a body, a version, a name, a conflict', () => {
    expect(problemsIn(list)).toEqual([400, 401, 403, 404, 414, 431, 500, 503])
    expect(problemsIn(create)).toEqual([400, 401, 403, 409, 413, 414, 415, 422, 431, 500, 503])
    expect(problemsIn(change)).toEqual([400, 401, 403, 404, 409, 412, 414, 428, 431, 500, 503])
    expect(problemsIn(unlink)).toEqual([400, 401, 403, 404, 409, 414, 431, 500, 503])
    expect(problemsIn(open)).toEqual([400, 414, 431, 500, 503])
  })

  test('have all been described', () => {
    const known = new Set(Object.values(PROBLEMS).map(([status]): number => status))
    const all = [list, create, change, put, unlink, open].flatMap(problemsIn)
    expect(all.filter((status) => !known.has(status))).toEqual([])
  })
})

describe('the document', () => {
  const routes = [
    ...tagged('Parts', [list, create, change, put, unlink]),
    ...tagged('Open', [open]),
  ] as unknown as Parameters<typeof openapi>[0]
  // biome-ignore lint/suspicious/noExplicitAny: what is written is looked into
  const document: any = openapi(routes, 'https://id.example', 'https://id.example/tenant')

  test('has one path for all its methods, and each tag once', () => {
    expect(Object.keys(document.paths['/parts/{part}'])).toEqual(['patch', 'put'])
    expect(document.tags).toEqual([{ name: 'Parts' }, { name: 'Open' }])
    expect(document.servers).toEqual([{ url: 'https://id.example/api/v1' }])
  })

  test('asks for every scope that a call needs, and for none where it is public', () => {
    expect(document.paths['/parts'].post.security).toEqual([
      { oauth2: ['users:write', 'roles:write'] },
    ])
    expect(document.paths['/open'].get.security).toEqual([])
  })

  test('gets tokens at the origin of the issuer', () => {
    const { clientCredentials } = document.components.securitySchemes.oauth2.flows
    expect(clientCredentials.tokenUrl).toBe('https://id.example/oidc/token')
  })

  test('has no body for 204, and an example only where there is one', () => {
    const { responses, requestBody } = document.paths['/parts'].post
    expect(responses[204]).toEqual({ description: 'Done' })
    expect(requestBody.content['application/json'].example).toEqual({
      at: '2030-01-01T00:00:00Z',
      name: 'a',
    })
    expect(document.paths['/parts/{part}'].patch).not.toHaveProperty('requestBody')
  })

  test('refers only to answers that it describes', () => {
    const referred = [...JSON.stringify(document.paths).matchAll(/"#\/components\/([^"]+)"/g)]
    expect(referred.length).toBeGreaterThan(30)
    for (const [, path = ''] of referred) {
      const [kind = '', name = ''] = path.split('/')
      expect(document.components[kind]).toHaveProperty(name)
    }
  })
})

describe('a schema', () => {
  test('is that of what is sent, or of what is answered', () => {
    const shape = z.object({ limit: z.coerce.number().default(3) })
    expect(toSchema(shape, 'input')).not.toHaveProperty('required')
    expect(toSchema(shape, 'output')).toMatchObject({ required: ['limit'] })
    expect(toSchema(shape, 'input')).not.toHaveProperty('$schema')
  })

  test('leaves out a pattern that not every reader understands', () => {
    const { properties } = toSchema(
      z.object({ a: z.string().regex(/^(?!x)/), b: z.string().regex(/^[^\p{Cc}]*$/u) }),
      'input',
    ) as { properties: Record<string, object> }
    expect(properties.a).not.toHaveProperty('pattern')
    expect(properties.b).toHaveProperty('pattern')
  })
})
