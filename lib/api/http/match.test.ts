import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { matcher } from './match'
import { type ApiMethod, operation } from './operation'

const route = (id: string, method: ApiMethod, path: string) =>
  operation({
    id,
    method,
    path,
    summary: id,
    scope: 'public',
    answers: { 200: z.object({}) },
    handle: async () => ({ status: 200 }),
  })

const table = matcher([
  route('getUser', 'GET', '/users/{user}'),
  route('changeUser', 'PATCH', '/users/{user}'),
  route('me', 'GET', '/users/me'),
  route('listUsers', 'GET', '/users'),
  route('exportUsers', 'GET', '/users:export'),
  route('endSession', 'DELETE', '/users/{user}/sessions/{session}'),
  route('endMine', 'DELETE', '/users/me/sessions/{session}'),
])
const found = (method: string, path: string) => {
  const match = table.find(method, path)
  return match && [match.operation.id, { ...match.params }]
}

describe('the operation of a request', () => {
  test('is found by method and path, with the parameters of its path', () => {
    expect(found('GET', '/users')).toEqual(['listUsers', {}])
    expect(found('GET', '/users:export')).toEqual(['exportUsers', {}])
    expect(found('PATCH', '/users/usr_1')).toEqual(['changeUser', { user: 'usr_1' }])
    expect(found('DELETE', '/users/usr_1/sessions/ses_2')).toEqual([
      'endSession',
      { user: 'usr_1', session: 'ses_2' },
    ])
  })

  test('is the one with the fixed segment, whichever was listed first', () => {
    expect(found('GET', '/users/me')).toEqual(['me', {}])
    expect(found('DELETE', '/users/me/sessions/ses_2')).toEqual(['endMine', { session: 'ses_2' }])
  })

  test('is another one for a method that the fixed path does not have', () => {
    expect(found('PATCH', '/users/me')).toEqual(['changeUser', { user: 'me' }])
  })

  test('gets its parameters decoded: an encoded slash does not make another segment', () => {
    expect(found('GET', '/users/a%2Fsessions%2Fb')).toEqual(['getUser', { user: 'a/sessions/b' }])
    expect(found('GET', '/users/%E8%AE%A2%20%2b')).toEqual(['getUser', { user: '订 +' }])
    // Decoded once: what was encoded twice stays encoded.
    expect(found('GET', '/users/%252F')).toEqual(['getUser', { user: '%2F' }])
  })

  test.each([
    ['nothing', '/users/'],
    ['a broken encoding', '/users/%'],
    ['no UTF-8', '/users/%ff'],
    ['NUL', '/users/%00'],
    ['a line feed', '/users/a%0Ab'],
    ['another control character', '/users/%C2%85'],
  ])('is not there for %s in the place of a name', (_what, path) => {
    expect(found('GET', path)).toBeNull()
  })

  test.each(['/Users', '/users/usr_1/', '//users', '/users/usr_1/sessions', '', '/'])(
    'is not there at %j',
    (path) => {
      expect(found('GET', path)).toBeNull()
      expect(table.methodsAt(path)).toEqual([])
    },
  )

  test('is not found by the name of something that every object has', () => {
    expect(found('GET', '/users/__proto__')).toEqual(['getUser', { user: '__proto__' }])
    expect(found('GET', '/users/constructor')).toEqual(['getUser', { user: 'constructor' }])
  })
})

describe('the methods of a path', () => {
  test('are each named once, whichever of its routes has them', () => {
    expect(table.methodsAt('/users/me').sort()).toEqual(['GET', 'PATCH'])
    expect(table.methodsAt('/users/me/sessions/x')).toEqual(['DELETE'])
  })

  test('are none where there is nothing', () => {
    expect(table.methodsAt('/nothing')).toEqual([])
    expect(table.methodsAt('/users/%00')).toEqual([])
  })
})
