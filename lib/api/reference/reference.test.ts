import { describe, expect, test } from 'vitest'
import { AUTHZEN_CALLS, AUTHZEN_PATHS } from '../authzen/endpoints'
import { AUTHZEN_TASK_CALLS } from '../authzen/tasks'
import { routes } from '../table'
import { reference, sampleOf } from './reference'

const calls = reference().flatMap((tag) => tag.calls)
const callOf = (id: string) => calls.find((call) => call.id === id)

describe('the reference', () => {
  test('has every route of the table and every endpoint of AuthZEN, once', () => {
    const tasks = AUTHZEN_TASK_CALLS.map(({ id }) => id)
    const ids = [...routes.map(({ id }) => id), ...Object.keys(AUTHZEN_PATHS), ...tasks]
    expect(calls.map(({ id }) => id).sort()).toEqual(ids.sort())
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(routes.filter(({ body }) => body).map((route) => [route.id, route] as const))(
    'the example of %s is one that it takes',
    (_, { body, example }) => {
      expect(body?.safeParse(example).error?.issues ?? []).toEqual([])
    },
  )

  test.each(Object.entries(AUTHZEN_CALLS))('so is that of %s', (_, { body, example }) => {
    expect(body.safeParse(example).error?.issues ?? []).toEqual([])
  })

  test('so is that of a task', () => {
    for (const { body, example } of AUTHZEN_TASK_CALLS)
      expect(body?.safeParse(example).error?.issues ?? []).toEqual([])
  })

  test('asks first exactly where something is changed', () => {
    expect(callOf('listSpaces')?.changes).toBe(false)
    expect(callOf('createSpace')?.changes).toBe(true)
    expect(callOf('deleteSpace')?.changes).toBe(true)
    expect(callOf('checkPermission')?.changes).toBe(false)
    expect(callOf('access_evaluation_endpoint')?.changes).toBe(false)
  })
})

describe('a sample', () => {
  const headersOf = (id: string) => {
    const call = callOf(id)
    return call ? sampleOf(call, 'https://id.example').headers.map(({ name }) => name) : []
  }

  test.each<[string, string[]]>([
    ['openapi', []],
    ['listSpaces', ['Authorization']],
    ['createSpace', ['Authorization', 'Content-Type', 'Idempotency-Key']],
    ['changeSpace', ['Authorization', 'Content-Type', 'If-Match']],
    ['deleteSpace', ['Authorization', 'If-Match']],
    ['giveRole', ['Authorization']],
    ['checkPermission', ['Authorization', 'Content-Type']],
    ['access_evaluation_endpoint', ['Authorization', 'Content-Type']],
    ['access_request_endpoint', ['Authorization', 'Content-Type', 'Idempotency-Key']],
    ['access_request_cancel', ['Authorization']],
  ])('of %s sends %j', (id, headers) => {
    expect(headersOf(id)).toEqual(headers)
  })

  test.each(calls.map((call) => [call.id, call] as const))(
    'of %s has an address of this portal with nothing left in braces',
    (_, call) => {
      const { url } = sampleOf(call, 'https://id.example')
      expect(url).toMatch(/^https:\/\/id\.example\/(api|access)\/v1\/[^{}]+$/)
    },
  )
})
