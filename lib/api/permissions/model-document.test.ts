import { describe, expect, test } from 'vitest'
import { diffOf, grantsReachedIn, modelProblems, modelSchema } from './model'

/** The model of a space as a document: what differs, what is wrong, and what a role comes to. */

const model = (document: object) => modelSchema.parse(document)
const api = (prefix: string, ...keys: (string | object)[]) => ({
  prefix,
  name: prefix,
  audience: `https://${prefix}.test`,
  permissions: keys.map((key) => (typeof key === 'string' ? { key } : key)),
})
const role = (key: string, more: object = {}) => ({ key, name: key, ...more })
const wrongIn = (document: object) =>
  modelProblems(model(document)).map(({ pointer, code }) => `${pointer} ${code}`)

describe('the difference of two documents', () => {
  const before = model({
    resources: [api('orders', 'orders:read', 'orders:void')],
    roles: [role('clerk', { permissions: [{ pattern: 'orders:read' }] })],
  })

  test('names what comes, changes and goes, each part by itself', () => {
    const after = model({
      resources: [
        api('orders', { key: 'orders:read', sensitive: true }, 'orders:new'),
        api('stock'),
      ],
      roles: [role('chief')],
    })
    expect(diffOf(before, after)).toEqual({
      create: ['permission orders:new', 'resource stock', 'role chief'],
      change: ['permission orders:read'],
      remove: ['permission orders:void', 'role clerk'],
    })
  })

  test('is none in the order of parts, parents and grants, or in how a time is written', () => {
    const terms = { validUntil: '2030-01-01T00:00:00Z' }
    const of = (until: string, parents: string[], patterns: string[]) =>
      model({
        roles: [
          role('a'),
          role('b'),
          role('c', {
            parents,
            permissions: patterns.map((pattern) => ({ ...terms, pattern, validUntil: until })),
          }),
        ],
      })
    const one = of('2030-01-01T00:00:00Z', ['a', 'b'], ['x:a', 'x:b'])
    const other = of('2030-01-01T02:00:00+02:00', ['b', 'a'], ['x:b', 'x:a'])
    other.roles.reverse()
    expect(diffOf(one, other)).toEqual({ create: [], change: [], remove: [] })
  })

  test('does not take a grant that is there twice for one', () => {
    const twice = [{ pattern: 'orders:read' }, { pattern: 'orders:read' }]
    const after = model({ ...before, roles: [role('clerk', { permissions: twice })] })
    expect(diffOf(before, after).change).toEqual(['role clerk'])
  })

  test('tells an API and a role of the same name apart', () => {
    const [left, right] = [
      model({ resources: [api('orders')] }),
      model({ roles: [role('orders')] }),
    ]
    expect(diffOf(left, right)).toEqual({
      create: ['role orders'],
      change: [],
      remove: ['resource orders'],
    })
  })
})

describe('what is wrong with a document', () => {
  test('is nothing with an empty one', () => {
    expect(wrongIn({})).toEqual([])
  })

  test('is a key that is there twice, in one API or in two, and nothing else is reported twice', () => {
    const document = {
      resources: [api('orders', 'orders:read', 'orders:read'), api('stock'), api('stock')],
      roles: [role('clerk'), role('chief'), role('clerk')],
    }
    expect(wrongIn(document)).toEqual([
      '/resources/2 occurs_twice',
      '/roles/2 occurs_twice',
      '/resources/0/permissions/1/key occurs_twice',
    ])
  })

  test('is a permission of another API, with its place', () => {
    expect(wrongIn({ resources: [api('orders', 'orders:read', 'stock:read')] })).toEqual([
      '/resources/0/permissions/1/key permission_prefix',
    ])
  })

  test('is a parent that the document does not have', () => {
    expect(wrongIn({ roles: [role('clerk', { parents: ['clerk', 'nobody'] })] })).toEqual([
      '/roles/0/parents/1 unknown_role_in_model',
    ])
  })
})

describe('what a role comes to', () => {
  const gives = (pattern: string, parents: string[]) => ({ permissions: [{ pattern }], parents })
  const reached = (...roles: object[]) => {
    const grantsOf = grantsReachedIn(model({ roles }))
    return (key: string) => grantsOf(key).map(({ pattern }) => pattern)
  }

  test('is its own grants and those of its parents, each once', () => {
    const of = reached(
      role('a', gives('x:a', ['b', 'c'])),
      role('b', gives('x:b', ['d'])),
      role('c', gives('x:c', ['d'])),
      role('d', gives('x:d', [])),
    )
    expect([of('a'), of('d'), of('gone')]).toEqual([['x:a', 'x:b', 'x:c', 'x:d'], ['x:d'], []])
  })

  test('N12: ends in a circle, too', () => {
    const of = reached(role('a', gives('x:a', ['b'])), role('b', gives('x:b', ['a'])))
    expect(of('a')).toEqual(['x:a', 'x:b'])
  })
})
